// Reading a dense tensor of any usual axis order as batch-head-position-channel.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/rope/tensor_view.h"

namespace ropescope {

/// How a dense row-major tensor is read. `axes` names its axes from first to last with the letters
/// b(atch), h(ead), l (position) and d (channel): distinct, l present, d last. Without h, `heads`
/// heads lie side by side in the last axis (ONNX's [batch, sequence, hidden] input).
struct AxisOrder {
    std::string axes;
    std::int64_t heads = 1;
};

/// The usual reading of a tensor of that rank. heads = 0: ld, hld, bhld. heads given: the last axis
/// is hidden = heads * head_dim: ld, bld. Throws InputError naming `origin` for other ranks.
AxisOrder default_axis_order(std::size_t rank, std::int64_t heads, const std::string& origin);

/// Reads "bhld", "blhd", "hld", ...; heads = 0 means not given. Throws InputError for anything that
/// AxisOrder excludes, and for heads beside an h axis.
AxisOrder parse_axis_order(std::string_view axes, std::int64_t heads);

/// The view of `data`, a dense tensor of `shape`. Throws InputError naming `origin` when the rank
/// is not the number of axes or the last axis does not hold `heads` whole heads.
TensorView<float> view_by_axes(float* data, std::span<const std::int64_t> shape,
                               const AxisOrder& order, const std::string& origin);

}  // namespace ropescope
