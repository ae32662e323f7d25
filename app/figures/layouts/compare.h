// The two systems of the layouts view, compared on one vector, and the verdict in words.
#pragma once

#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "core/base/index.h"
#include "core/systems/equivalence.h"

namespace ropescope::figures {

/// One system on the scene's vector, [head_dim]; empty with the reason if it does not run.
struct SystemOutput {
    std::vector<double> values;
    std::string error;
};

/// The two selected systems at the scene's head_dim (at most kMostComparedChannels) and base (that
/// of a system which has it written in, for both), from the query's position on: the verdict there,
/// and what they make of one vector.
struct SystemComparison {
    PairVerdict verdict;
    bool a_rotates = false, b_rotates = false;
    Index head_dim = 0;
    std::vector<Index>
        permutation;  ///< p with b(x[p]) == a(x)[p]; empty unless that is the verdict
    double base = 0;  ///< of both: the scene's, or the one that a system has written in
    SystemOutput a, b;
    /// b(x[p]), put back into the channels of a; empty without p.
    SystemOutput b_permuted;
};

inline constexpr Index kMostComparedChannels = 128;

/// Every system against every other at head_dim 8 and 64, base 10000 and offsets 0, 3, 2000.
/// A constant, computed when it is first needed: neither a scene nor an engine enters it.
const EquivalenceMatrix& system_matrix();
SystemComparison compare_systems(const Scene& scene);

/// Of two different systems, the one that rotates a single vector, but in a batch turns a whole
/// sequence alike, so that its scores carry no position (position_response()). Null if neither does
/// so.
const System* positionless(const SystemComparison& comparison);
/// The verdict on a and b as one sentence without its full stop.
std::string verdict_sentence(const SystemComparison& comparison);

}  // namespace ropescope::figures
