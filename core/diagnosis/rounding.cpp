// Finds out in which format the numbers of a dump were made.
#include "core/diagnosis/rounding.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/base/number_format.h"

namespace ropescope::diagnosis {

FloatFormat format_of(Dtype dtype) {
    switch (dtype) {
        case Dtype::f64:
            return {dtype, 0x1p-53, 0x1p-1074};
        case Dtype::f16:
            return {dtype, 0x1p-11, 0x1p-24};
        case Dtype::bf16:
            return {dtype, 0x1p-8, 0x1p-133};
        default:
            return {Dtype::f32, 0x1p-24, 0x1p-149};
    }
}

double round_to(Dtype dtype, double value) {
    switch (dtype) {
        case Dtype::f64:
            return value;
        case Dtype::f16:
            return f32_from_f16(f16_from_f64(value));
        case Dtype::bf16:
            return f32_from_bf16(bf16_from_f64(value));
        default:
            return to_float(value);
    }
}

std::string_view numpy_name(Dtype dtype) {
    switch (dtype) {
        case Dtype::f64:
            return "float64";
        case Dtype::f16:
            return "float16";
        case Dtype::bf16:
            return "bfloat16";
        default:
            return "float32";
    }
}

FloatFormat format_of_grid(const Quantised& quantised) {
    const GridFacts facts = facts_of(quantised.grid);
    const double scale = *std::ranges::max_element(*quantised.scales);
    constexpr double kMiddleOfInt8 = 32.0;
    const double unit =
        facts.fraction == 0 ? 0.5 / kMiddleOfInt8 : std::ldexp(0.5, -facts.fraction);
    // Numbers of int8 lose half a step, whatever they are.
    const double step = facts.fraction == 0 ? 1.0 : std::ldexp(1.0, facts.lowest - facts.fraction);
    return {Dtype::f32, unit, scale * step};
}

FloatFormat format_of_rotation(const DumpSide& side) {
    if (!side.after.quantised) {
        return effective_format(side.after);
    }
    return side.before.quantised ? format_of(Dtype::bf16) : effective_format(side.before);
}

FloatFormat effective_format(const DumpTensor& tensor) {
    if (tensor.quantised) {
        return format_of_grid(*tensor.quantised);
    }
    if (tensor.stored) {
        // The least that is multiplied by a unit: two products and a sum (held/residual.h).
        FloatFormat format = format_of(*tensor.stored);
        format.unit += tensor.norm_share / (2.0 + std::numbers::sqrt2);
        return format;
    }
    std::vector<Dtype> possible;
    for (const Dtype dtype : {Dtype::bf16, Dtype::f16, Dtype::f32}) {
        if (dtype_size(dtype) < dtype_size(tensor.dtype)) {
            possible.push_back(dtype);
        }
    }
    std::vector<double> row(tensor.channels);
    const Index rows = tensor.batch * tensor.heads * tensor.length;
    for (Index r = 0; r < rows && !possible.empty(); ++r) {
        tensor.read(r / (tensor.heads * tensor.length), r / tensor.length % tensor.heads,
                    r % tensor.length, row);
        std::erase_if(possible, [&](Dtype dtype) {
            return std::ranges::any_of(row, [&](double v) { return round_to(dtype, v) != v; });
        });
    }
    return format_of(possible.empty() ? tensor.dtype : possible.front());
}

double angle_units(double base) {
    return std::abs(std::log(base)) + 5.0;
}

}  // namespace ropescope::diagnosis
