// A view of a tensor [batch, heads, positions, head_dim] in memory that another object owns.
#pragma once

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

}  // namespace ropescope
