// The header of a .npy file, apart from where its bytes come from.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/tensor.h"

namespace ropescope {

/// Every .npy begins with these bytes.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

struct NpyHeader {
    Dtype dtype = Dtype::f32;
    std::vector<std::int64_t> shape;
    bool fortran_order = false;  ///< the first axis lies closest together, as in a transposed array
};

/// The Python dictionary `text`, which starts at byte `first_byte` of `origin`. Throws InputError
/// "origin: byte N: ..." for what is malformed or not supported.
NpyHeader parse_npy_header(std::string_view text, const std::string& origin,
                           std::size_t first_byte);

/// Magic, version, length and dictionary, padded so that the data start at a multiple of 64.
/// Throws InputError for the 8-bit floats and C64.
std::string npy_header_text(const TensorBytes& tensor);

/// Hands out the next `count` bytes of a stream, or throws InputError.
using TakeBytes = std::function<std::vector<std::byte>(std::size_t count)>;

/// The header of a .npy of `total_bytes` from `take`, held to the size of its data, which stay
/// unread.
TensorInfo list_npy_stream(std::string name, const std::string& origin, std::uint64_t total_bytes,
                           const TakeBytes& take);

/// A whole .npy of `total_bytes` from `take`, in C order whatever its own. Nothing is asked for
/// that exceeds what is left of total_bytes.
Tensor read_npy_stream(std::string name, const std::string& origin, std::uint64_t total_bytes,
                       const TakeBytes& take, const AcceptTensor& accept = {});

}  // namespace ropescope
