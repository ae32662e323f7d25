// Tables of cos and sin for every position and pair: the "cos/sin cache" of implementations.
#pragma once

#include <span>

#include "core/base/aligned_vector.h"
#include "core/base/index.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// A table in memory that another object owns: cos and sin, [rows, pairs] row-major.
struct RotationTableView {
    const float* cos = nullptr;
    const float* sin = nullptr;
    Index rows = 0;
    Index pairs = 0;
};

/// A table in fp32: cos and sin, [rows, pairs] row-major. Which position a row stands for is up to
/// the caller; RotateOptions::rows finds the row of each position of a tensor.
struct RotationTable {
    Index rows = 0;
    Index pairs = 0;
    AlignedVector<float> cos;
    AlignedVector<float> sin;

    RotationTableView view() const { return {cos.data(), sin.data(), rows, pairs}; }
};

/// Throws InputError unless all of first_position .. first_position + count - 1 lie within
/// +-kMaxPosition.
void validate_positions(Index first_position, Index count);

/// Returns the table whose row r holds cos and sin of positions[r] * inv_freq, times the attention
/// factor. Angles are formed and reduced in double. With attention factor 1 each entry is within
/// 1e-7 of the exact value: half an fp32 ulp of 1 is 6.0e-8, and the part computed in double stays
/// below 1e-9. Throws InputError for a position beyond +-kMaxPosition. threads = 0 means
/// default_threads().
RotationTable make_rotation_table(const Spectrum& spectrum, std::span<const Index> positions,
                                  int threads = 0);

/// The same for positions first_position .. first_position + count - 1, with the same bits. Whole
/// blocks share their products, so this takes hardly longer than writing the memory.
RotationTable make_rotation_table(const Spectrum& spectrum, Index first_position, Index count,
                                  int threads = 0);

/// The same into `table`, which gets its size here; memory of the right size is reused.
void fill_rotation_table(const Spectrum& spectrum, Index first_position, Index count, int threads,
                         RotationTable& table);

}  // namespace ropescope
