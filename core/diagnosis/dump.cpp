// Reads rows of a dump's tensors as double, whatever their dtype.
#include "core/diagnosis/dump.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/base/number_format.h"

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

bool is_zero_row(const DumpTensor& tensor, Index row) {
    std::vector<double> channels(tensor.channels);
    for (Index h = 0; h < tensor.heads; ++h) {
        for (Index l = 0; l < tensor.length; ++l) {
            tensor.read(row, h, l, channels);
            if (std::ranges::any_of(channels, [](double v) { return v != 0.0; })) {
                return false;
            }
        }
    }
    return true;
}

DumpTensor only_rows(DumpTensor tensor, const RowRange& rows) {
    tensor.move_to(rows.first, 0, 0, 0);
    tensor.batch = rows.count;
    return tensor;
}

}  // namespace

void DumpTensor::move_to(Index b, Index h, Index l, Index channel) {
    data += (b * batch_stride + h * head_stride + l * position_stride + channel) *
            static_cast<Index>(dtype_size(dtype));
    if (quantised) {
        quantised->first = quantised->place(b, h, l, channel);
    }
}

void DumpTensor::cells(Index b, Index h, Index l, std::span<const double> values,
                       std::vector<RoundedRange>& out) const {
    out.clear();
    for (Index c = 0; quantised && c < std::ssize(values); ++c) {
        out.push_back(quantised->cell(b, h, l, c, values[static_cast<std::size_t>(c)]));
    }
}

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

std::optional<RowRange> written_rows(const DumpSide& side) {
    std::vector<Index> written;
    bool lost = false;
    for (Index row = 0; row < side.after.batch; ++row) {
        if (!is_zero_row(side.after, row)) {
            written.push_back(row);
        } else {
            lost |= !is_zero_row(side.before, row);
        }
    }
    if (!lost || written.empty()) {
        return std::nullopt;
    }
    const RowRange rows{written.front(), std::ssize(written)};
    return written.back() - rows.first + 1 == rows.count ? std::optional(rows) : std::nullopt;
}

DumpSide only_rows(DumpSide side, const RowRange& rows) {
    return {only_rows(side.before, rows), only_rows(side.after, rows)};
}

DumpPositions only_rows(const DumpPositions& positions, const RowRange& rows) {
    if (positions.batch == 1) {
        return positions;
    }
    DumpPositions some{.axes = positions.axes, .batch = rows.count, .length = positions.length};
    for (Index axis = 0; axis < positions.axes; ++axis) {
        for (Index row = rows.first; row < rows.first + rows.count; ++row) {
            for (Index l = 0; l < positions.length; ++l) {
                some.values.push_back(positions.at(axis, row, l));
            }
        }
    }
    return some;
}

DumpSide first_tokens(DumpSide side, Index count) {
    side.before.length = std::min(side.before.length, count);
    side.after.length = side.before.length;
    return side;
}

DumpPositions first_tokens(const DumpPositions& positions, Index count) {
    DumpPositions some{.axes = positions.axes,
                       .batch = positions.batch,
                       .length = std::min(positions.length, count)};
    for (Index row = 0; row < positions.axes * positions.batch; ++row) {
        const auto first = positions.values.begin() + row * positions.length;
        some.values.insert(some.values.end(), first, first + some.length);
    }
    return some;
}

Index tokens_of_heads(const DumpSide& side) {
    constexpr Index kMostNumbers = Index{1} << 21, kFewest = 16;
    const Index each = side.before.batch * side.before.heads * side.before.channels;
    return std::clamp(kMostNumbers / std::max<Index>(each, 1), kFewest,
                      std::max(kFewest, side.before.length));
}

}  // namespace ropescope::diagnosis
