// A view of a tensor [batch, heads, positions, head_dim] in memory that another object owns.
#pragma once

#include <cstdint>
#include <type_traits>

namespace ropescope {

/// Element (b, h, l, c) is data[b * batch_stride + h * head_stride + l * position_stride + c].
/// Strides count elements and the channels of a head are contiguous, so one type views memory in
/// the order batch, head, position, channel ("bhld") and batch, position, head, channel ("blhd").
template <typename T>
struct TensorView {
    T* data = nullptr;
    std::int64_t batch = 1;
    std::int64_t heads = 1;
    std::int64_t positions = 1;
    std::int64_t head_dim = 0;
    std::int64_t batch_stride = 0;
    std::int64_t head_stride = 0;
    std::int64_t position_stride = 0;

    /// The head vector of head h at position l of batch b.
    T* row(std::int64_t b, std::int64_t h, std::int64_t l) const {
        return data + b * batch_stride + h * head_stride + l * position_stride;
    }
    std::int64_t size() const { return batch * heads * positions * head_dim; }

    operator TensorView<const T>() const requires(!std::is_const_v<T>) {
        return {data,     batch,        heads,       positions,
                head_dim, batch_stride, head_stride, position_stride};
    }
};

/// Views dense memory [batch, heads, positions, head_dim].
template <typename T>
TensorView<T> bhld_view(T* data, std::int64_t batch, std::int64_t heads, std::int64_t positions,
                        std::int64_t head_dim) {
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
TensorView<T> blhd_view(T* data, std::int64_t batch, std::int64_t positions, std::int64_t heads,
                        std::int64_t head_dim) {
    return {data,     batch,           heads, positions, head_dim, heads * positions * head_dim,
            head_dim, heads * head_dim};
}

}  // namespace ropescope
