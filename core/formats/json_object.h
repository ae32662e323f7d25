// The one door for JSON that somebody else has written: configurations, scenes, layouts, packs,
// saved settings and the answers of adapters. Headers of safetensors, which are read without a
// tree, go through json_reader.h.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace ropescope {

/// Deeper nesting than any file has that we read, so that code which walks a tree may recurse.
inline constexpr int kMaxJsonDepth = 64;
/// More than the index of any published model, the largest JSON that is read. Some files have a
/// lower limit of their own.
inline constexpr std::size_t kMaxJsonBytes = std::size_t{1} << 26;

/// Parses `text`, which must be a JSON object within both limits, without a key that is there
/// twice; NaN and Infinity, which Python writes for numbers, become strings. Throws InputError
/// "origin: byte N: ...".
nlohmann::json parse_json_object(std::string_view text, const std::string& origin);

/// A text that parse_json_object() has taken, with NaN and Infinity as strings, for who wants its
/// keys in their order.
std::string with_quoted_numbers(std::string_view text);

}  // namespace ropescope
