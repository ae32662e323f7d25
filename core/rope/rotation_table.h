// cos and sin of every (position, pair), the "cos/sin cache" of implementations.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/aligned_vector.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// A table somebody else owns: row r holds cos and sin of `pairs` pairs, rows contiguous.
struct RotationTableView {
    const float* cos = nullptr;
    const float* sin = nullptr;
    std::int64_t rows = 0;
    int pairs = 0;
};

/// cos, sin: [rows, pairs] row-major fp32.
struct RotationTable {
    std::int64_t rows = 0;
    int pairs = 0;
    AlignedVector<float> cos;
    AlignedVector<float> sin;

    RotationTableView view() const { return {cos.data(), sin.data(), rows, pairs}; }
};

/// Throws InputError unless first_position .. first_position + count - 1 are within +-kMaxPosition.
void validate_positions(std::int64_t first_position, std::int64_t count);

/// Row r is the rotation by positions[r]. Angles are formed and reduced in double; each entry is
/// within 1e-7 of the exact value (half an fp32 ulp of 1 is 6.0e-8; the double part stays below
/// 1e-9). Throws InputError for a position beyond +-kMaxPosition.
RotationTable make_rotation_table(const Spectrum& spectrum, std::span<const std::int64_t> positions,
                                  int threads = 0);

/// Positions first_position .. first_position + count - 1, by fp64 angle addition from two small
/// tables: the same accuracy, at the speed of writing it. threads = 0 means default_threads().
RotationTable make_rotation_table(const Spectrum& spectrum, std::int64_t first_position,
                                  std::int64_t count, int threads = 0);

/// The same as above into a table that is already large enough to be reused (rows and pairs are
/// set).
void fill_rotation_table(const Spectrum& spectrum, std::int64_t first_position, std::int64_t count,
                         int threads, RotationTable& table);

}  // namespace ropescope
