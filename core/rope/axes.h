// Reads dense tensors of any usual axis order as batch, head, position and channel.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/index.h"
#include "core/rope/tensor_view.h"

namespace ropescope {

/// How to read a dense row-major tensor. `axes` names its axes from first to last with the letters
/// b (batch), h (head), l (position) and d (channel): each at most once, l among them, d last.
/// Without h, `heads` heads lie side by side in the last axis (as in the input [batch, sequence,
/// hidden] of ONNX's RotaryEmbedding).
struct AxisOrder {
    std::string axes;
    Index heads = 1;
};

/// Returns the usual order for a tensor with `rank` axes. If heads is 0: ld, hld or bhld. Else the
/// last axis is hidden = heads * head_dim: ld or bld. Throws InputError that names `origin` for
/// other ranks.
AxisOrder default_axis_order(Index rank, Index heads, const std::string& origin);

/// Parses "bhld", "blhd", "hld", ...; heads = 0 means that none were given. Throws InputError for
/// what AxisOrder excludes, and if heads are given although there is an h axis.
AxisOrder parse_axis_order(std::string_view axes, Index heads);

/// Returns a view of `data`, a dense tensor of `shape`. Throws InputError that names `origin` if
/// the rank is not the number of axes or the last axis is not a multiple of `heads`.
TensorView<float> view_by_axes(float* data, std::span<const Index> shape, const AxisOrder& order,
                               const std::string& origin);

}  // namespace ropescope
