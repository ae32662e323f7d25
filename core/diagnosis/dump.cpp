// Reads rows of a dump's tensors as double, whatever their dtype.
#include "core/diagnosis/dump.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/base/float16.h"

namespace ropescope::diagnosis {
namespace {

template <typename T, typename Convert>
void convert_row(const std::byte* data, std::span<double> out, Convert convert) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        T stored;
        std::memcpy(&stored, data + i * sizeof(T), sizeof(T));
        out[i] = convert(stored);
    }
}

}  // namespace

void DumpTensor::read(Index b, Index h, Index l, std::span<double> out) const {
    const Index element = b * batch_stride + h * head_stride + l * position_stride;
    const std::byte* row = data + element * static_cast<Index>(dtype_size(dtype));
    switch (dtype) {
        case Dtype::f64:
            return convert_row<double>(row, out, [](double v) { return v; });
        case Dtype::f16:
            return convert_row<std::uint16_t>(row, out, f32_from_f16);
        case Dtype::bf16:
            return convert_row<std::uint16_t>(row, out, f32_from_bf16);
        default:
            return convert_row<float>(row, out, [](float v) { return double{v}; });
    }
}

DumpPositions stated_positions(const Dump& dump, bool of_keys) {
    const std::optional<DumpPositions>& stated = of_keys ? dump.k_positions : dump.q_positions;
    if (stated) {
        return *stated;
    }
    const Index length = (of_keys ? dump.k : dump.q)->before.length;
    const Index longer =
        dump.q && dump.k ? std::max(dump.q->before.length, dump.k->before.length) : length;
    DumpPositions positions{.length = length};
    for (Index l = 0; l < length; ++l) {
        positions.values.push_back(to_double(longer - length + l));
    }
    return positions;
}

}  // namespace ropescope::diagnosis
