// .npy files put together by hand, and .npz archives of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ropescope::test {

/// A .npy of that major version with `header` as it stands, in front of `data`.
std::string npy_bytes(int major, const std::string& header, const std::string& data);

/// A .npy of 64-bit integers, all of them 0, as a file with a hole: it may be larger than the disk.
void write_npy_with_hole(const std::filesystem::path& path, const std::vector<std::int64_t>& shape);

enum class Compression { stored, deflated };

/// A zip archive of (name, contents).
void write_zip(const std::filesystem::path& path,
               const std::vector<std::pair<std::string, std::string>>& members,
               Compression compression);

}  // namespace ropescope::test
