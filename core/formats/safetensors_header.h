// The JSON header of a safetensors file, read and held to the format before any of it is used.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/tensor.h"

namespace ropescope {

/// Headers longer than this are refused, as by the reference implementation.
inline constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;
/// Bytes in front of the header: its length, little-endian.
inline constexpr std::uint64_t kHeaderLengthBytes = 8;

struct SafetensorsEntry {
    std::string name;
    Dtype dtype = Dtype::f32;
    std::vector<std::int64_t> shape;
    std::int64_t begin = 0;  ///< of the tensor's bytes, counted from the end of the header
    std::int64_t end = 0;
};

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries;  ///< in the order of their data
    std::map<std::string, std::string> metadata;
};

/// `text` is the header of `file`, in which `data_bytes` follow it. Throws InputError naming the
/// file, the byte and the tensor or key unless the tensors cover the data exactly.
SafetensorsHeader parse_safetensors_header(std::string_view text, const std::string& file,
                                           std::uint64_t data_bytes);

}  // namespace ropescope
