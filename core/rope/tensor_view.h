// A view of a tensor [batch, heads, positions, head_dim] in memory that another object owns.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/index.h"

namespace ropescope {

/// Element (b, h, l, c) is data[b * batch_stride + h * head_stride + l * position_stride + c].
/// Strides count elements and the channels of a head are contiguous, so one type views memory in
/// the order batch, head, position, channel ("bhld") and batch, position, head, channel ("blhd").
template <typename T>
struct TensorView {
    T* data = nullptr;
    Index batch = 1;
    Index heads = 1;
    Index positions = 1;
    Index head_dim = 0;
    Index batch_stride = 0;
    Index head_stride = 0;
    Index position_stride = 0;

    /// The head vector of head h at position l of batch b.
    T* row(Index b, Index h, Index l) const {
        return data + b * batch_stride + h * head_stride + l * position_stride;
    }
    Index size() const { return batch * heads * positions * head_dim; }

    operator TensorView<const T>() const requires(!std::is_const_v<T>) {
        return {data,     batch,        heads,       positions,
                head_dim, batch_stride, head_stride, position_stride};
    }
};

/// Views dense memory [batch, heads, positions, head_dim].
template <typename T>
TensorView<T> bhld_view(T* data, Index batch, Index heads, Index positions, Index head_dim) {
    return {data,
            batch,
            heads,
            positions,
            head_dim,
            heads * positions * head_dim,
            positions * head_dim,
            head_dim};
}

/// Views dense memory [batch, positions, heads, head_dim].
template <typename T>
TensorView<T> blhd_view(T* data, Index batch, Index positions, Index heads, Index head_dim) {
    return {data,     batch,           heads, positions, head_dim, heads * positions * head_dim,
            head_dim, heads * head_dim};
}

// Reads dense tensors of any usual axis order as batch, head, position and channel.

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
