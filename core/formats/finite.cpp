// Refuses tensors with NaN, infinity or integers where finite numbers are needed.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/formats/tensor.h"

namespace ropescope {
namespace {

/// The index along each axis of the flat element `element`.
std::vector<std::int64_t> index_of(std::int64_t element, std::span<const std::int64_t> shape) {
    std::vector<std::int64_t> index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        index[axis] = element % shape[axis];
        element /= shape[axis];
    }
    return index;
}

bool floating(Dtype dtype) {
    return dtype == Dtype::f64 || dtype == Dtype::f32 || dtype == Dtype::f16 ||
           dtype == Dtype::bf16;
}

}  // namespace

std::vector<float> finite_f32(const TensorBytes& tensor, const std::string& origin) {
    if (!floating(tensor.dtype)) {
        throw InputError(fmt::format("{}: dtype {}; expected F64, F32, F16 or BF16", origin,
                                     to_string(tensor.dtype)));
    }
    std::vector<float> values = to_f32(tensor);
    const auto bad =
        std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
    if (bad != values.end()) {
        throw InputError(
            fmt::format("{}: the value at {} is {}; every value must be a finite fp32 number",
                        origin, shape_text(index_of(bad - values.begin(), tensor.shape)), *bad));
    }
    return values;
}

}  // namespace ropescope
