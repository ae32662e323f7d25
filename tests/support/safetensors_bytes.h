// Safetensors files put together by hand, right or wrong.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

namespace ropescope::test {

/// The 8 bytes in front of the header, little-endian.
inline std::string length_field(std::uint64_t length) {
    std::string bytes(sizeof(length), '\0');
    std::memcpy(bytes.data(), &length, sizeof(length));
    return bytes;
}

/// A file with that header and `data_bytes` zero bytes of data.
inline std::string safetensors_bytes(const std::string& header, std::size_t data_bytes) {
    return length_field(header.size()) + header + std::string(data_bytes, '\0');
}

}  // namespace ropescope::test
