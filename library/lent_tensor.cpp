// Checks the memory of a caller's tensor and copies what is not dense.
#include "library/lent_tensor.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>

#include "core/base/error.h"

namespace ropescope {
namespace {

[[noreturn]] void fail(const LentTensor& tensor, const std::string& origin,
                       const std::string& what) {
    throw InputError(fmt::format("{}: {}: {}", origin, tensor.name, what));
}

/// Bytes of the values. Throws InputError for sizes that no memory has and for strides that lead
/// beyond it.
std::int64_t checked_bytes(const LentTensor& tensor, const std::string& origin) {
    const auto below_zero = [](Index size) { return size < 0; };
    if (std::ranges::any_of(tensor.shape, below_zero)) {
        fail(tensor, origin,
             fmt::format("shape {}; sizes of 0 or more are expected", shape_text(tensor.shape)));
    }
    const std::optional<std::int64_t> bytes = byte_count(tensor.dtype, tensor.shape);
    bool fits = bytes.has_value();
    Index reach = static_cast<Index>(dtype_size(tensor.dtype));
    for (std::size_t axis = 0; fits && axis < tensor.shape.size(); ++axis) {
        Index span = 0;
        fits = !__builtin_mul_overflow(tensor.shape[axis], tensor.stride[axis], &span) &&
               !__builtin_mul_overflow(span, static_cast<Index>(dtype_size(tensor.dtype)), &span) &&
               span != std::numeric_limits<Index>::min() &&
               !__builtin_add_overflow(reach, std::max(span, -span), &reach) &&
               reach <= kMostBytesReached;
    }
    if (!fits) {
        fail(tensor, origin,
             fmt::format("shape {} is larger than memory can be", shape_text(tensor.shape)));
    }
    if (*bytes > 0 && tensor.data == nullptr) {
        fail(tensor, origin, "its data is null; give the memory of the tensor");
    }
    return *bytes;
}

bool is_dense(const LentTensor& tensor) {
    Index expected = 1;
    for (std::size_t axis = tensor.shape.size(); axis-- > 0;) {
        if (tensor.shape[axis] != 1 && tensor.stride[axis] != expected) {
            return false;
        }
        expected *= tensor.shape[axis];
    }
    return true;
}

/// Copies the elements from axis `axis` on, row by row.
void copy_from(const LentTensor& tensor, std::size_t axis, const std::byte* from, std::byte*& to) {
    const std::size_t size = dtype_size(tensor.dtype);
    if (axis == tensor.shape.size()) {
        std::memcpy(to, from, size);
        to += size;
        return;
    }
    const bool dense_row = axis + 1 == tensor.shape.size() && tensor.stride[axis] == 1;
    if (dense_row) {
        const std::size_t bytes = size * static_cast<std::size_t>(tensor.shape[axis]);
        std::memcpy(to, from, bytes);
        to += bytes;
        return;
    }
    for (Index i = 0; i < tensor.shape[axis]; ++i) {
        copy_from(tensor, axis + 1, from + i * tensor.stride[axis] * static_cast<Index>(size), to);
    }
}

}  // namespace

std::optional<TensorBytes> dense_bytes(const LentTensor& tensor, const std::string& origin) {
    const auto bytes = static_cast<std::size_t>(checked_bytes(tensor, origin));
    if (bytes != 0 && !is_dense(tensor)) {
        return std::nullopt;
    }
    return TensorBytes{tensor.name,
                       tensor.dtype,
                       tensor.shape,
                       {static_cast<const std::byte*>(tensor.data), bytes}};
}

Tensor dense_copy(const LentTensor& tensor, const std::string& origin) {
    const auto bytes = static_cast<std::size_t>(checked_bytes(tensor, origin));
    Tensor copy{tensor.name, tensor.dtype, tensor.shape, std::vector<std::byte>(bytes)};
    if (bytes != 0) {
        std::byte* to = copy.bytes.data();
        copy_from(tensor, 0, static_cast<const std::byte*>(tensor.data), to);
    }
    return copy;
}

}  // namespace ropescope
