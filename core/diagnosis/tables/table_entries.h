// The entries of a table of 16 bits, each held to the rounding that made it.
#pragma once

#include <optional>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/finding.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/tables/rope_table.h"

namespace ropescope::diagnosis::say {

inline constexpr Phrase kTableEntries{
    "{} of {} entries are not cos and sin of the expected angles, rounded once to {}; the first is "
    "that of position {:g}, pair {}, where {:.6g} stands and {:.6g} is expected"};
inline constexpr Phrase kTableOfCoarseAngles{
    "Every entry is that of an angle whose {} was rounded to {} before cos and sin were taken: "
    "form "
    "angles in float32, and round what comes of them."};

}  // namespace ropescope::diagnosis::say

namespace ropescope::diagnosis {

/// What is wrong with the entries of a table that was held to an expectation.
struct WrongEntries {
    Finding mismatch = {};              ///< how many are off, and the first
    std::optional<Finding> named = {};  ///< if coarse angles give all of them
};

/// Holds each number of a table of 16 bits to the embeddings of the expectation that have as many
/// pairs, at its positions plus `offset`; empty if one of them gives every number, for tables of
/// other formats, whose rounding is not what would hide another angle, and if no embedding has one
/// angle for each pair.
///
/// A number is the rounding of g cos(a) or g sin(a), where the angle a is off by what float32 makes
/// of a frequency and its product with the position (ExpectedPart::error), and cos and sin by 4
/// units of float32, or 2^-20.5 and 2 units of the angle if they are the fast ones of a GPU. So it
/// differs from the exact number by at most half a step of its format there, and by that of g times
/// those errors. A factor may be multiplied behind the rounding, which rounds once more.
std::optional<WrongEntries> wrong_entries(const RopeTable& table, const Expectation& expectation,
                                          Index head_dim, double offset);

}  // namespace ropescope::diagnosis
