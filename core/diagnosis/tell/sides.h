// What the two sides of a dump say together: q and k must turn alike, as far as the data of both
// tell. Sources: sides.cpp, length_findings.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/diagnosis/explanation.h"
#include "core/diagnosis/finding.h"

namespace ropescope::diagnosis {

/// q, k or both, which other memory holds.
using Sides = std::vector<const Explanation*>;

/// The sides that turn and were paired.
Sides paired(const std::vector<Explanation>& sides);

/// The sides whose spectrum is known.
Sides explained(const std::vector<Explanation>& sides);

/// All of them.
Side sides_of(const Sides& sides);

/// Whether the same channels are paired, and written to the same places.
bool same_layout(const Explanation& a, const Explanation& b);

/// Whether all angles of the two spectra agree. Both have a model.
bool same_spectrum(const Explanation& a, const Explanation& b);

/// Whether pairs that turn by several axes do so the other way in `k`: their speeds have any sign,
/// so that only the other side tells.
bool mixed_backwards(const Explanation& q, const Explanation& k);

/// Findings about layout, spectrum, sign, positions, gain and table of all sides; those of each
/// side alone among them.
std::vector<Finding> findings_of(const std::vector<Explanation>& sides);

/// How the lengths of q and k change with the position: they cancel but for the distance, or they
/// do not, or the dump is too coarse to tell. none: neither changes, or one side is missing.
enum class Stretching : std::uint8_t { none, cancels, grows, unclear };
Stretching stretching_of(const std::vector<Explanation>& sides);

/// A factor on the lengths that belongs to no method, or differs between q and k.
void add_gain(const Sides& sides, std::vector<Finding>& findings);

/// Lengths that are powers of the position. In q and k they must cancel but for the distance.
void add_stretch(const Sides& sides, std::vector<Finding>& findings);

/// At which positions the turned channels are zero. Sin is zero at position 0, and cos nowhere near
/// it. `side.gain` has some such tokens.
Words words_of_zeros(const Explanation& side);

/// A factor that differs between tokens, and lengths that no factor explains; tokens that are zero.
void add_rotation(const Sides& sides, std::vector<Finding>& findings);

}  // namespace ropescope::diagnosis
