// The layouts view: how channels pair, every system beside every other, and the curves of two of
// them. Sources: walk.cpp, systems.cpp, figure.cpp.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "app/figures/view.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/base/index.h"
#include "core/engine/engine.h"
#include "core/rope/spectrum.h"
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
plot::Text verdict_sentence(const SystemComparison& comparison);

/// Up to here every channel of a head has a cell with its number.
inline constexpr Index kMostNumberedChannels = 16;

/// One query and one key, laid out both ways and rotated each way by the engine. Vectors are in
/// fp32, scores q_m . k_n are summed in double.
struct Walk {
    RopeSpec spec;            ///< the scene's, unscaled; its layout is the model's own
    std::vector<Index> p;     ///< half_split[c] = interleaved[p[c]]
    std::vector<Index> slot;  ///< where channel c of the interleaved vector goes; slot[p[c]] == c
    double walked = 0;        ///< 0: interleaved .. 1: half-split
    std::int64_t m = 0, n = 0;
    std::vector<float> q, k;        ///< interleaved, before the rotation, [head_dim]
    std::vector<float> rotated;     ///< R_m q, interleaved: the vector that walks
    double largest_difference = 0;  ///< of P R_m q and R'_m P q, over all channels
    double score = 0, half_split_score = 0;
    double score_without_p = 0;  ///< half-split rotation of vectors in interleaved order
    double rounding = 0;         ///< what the two scores may differ by, from fp32 alone

    bool same_score() const { return std::abs(score - half_split_score) <= rounding; }
};
Walk make_walk(const Scene& scene, Engine& engine);

/// How far a channel of the interleaved vector has gone, 0 .. 1: pair by pair, the first pair
/// first; channels that are not rotated with the last.
double walked(const Walk& walk, Index channel);
/// The slot where it is now, between its first and its last.
double slot_now(const Walk& walk, Index channel);

/// P in words, and what it leaves alone.
plot::Panel permutation_panel(const Scene& scene, const Walk& walk);
/// Scores against the distance: both layouts, and half-split without P.
plot::Panel walk_score_panel(const Scene& scene, const Walk& walk, Engine& engine);

plot::Text walk_report(const Walk& walk);

plot::Panel matrix_panel(const Scene& scene);
/// '=' identical, 'P' equal after a permutation, '≠' different, '×' not a rotation.
std::string verdict_mark(Equivalence verdict);
/// Row of the matrix at a height of its panel, column at a place: the systems' order, clamped.
Index system_of_row(double y);
Index system_of_column(double x);

plot::Panel output_panel(const Scene& scene, const SystemComparison& comparison);
plot::Panel difference_panel(const SystemComparison& comparison);
plot::Panel norm_panel(const Scene& scene, const SystemComparison& comparison);
plot::Panel shift_panel(const Scene& scene, const SystemComparison& comparison);

/// The two layouts, one above the other, and the vector between them. `large`: with its numbers.
plot::Panel walk_panel(const Scene& scene, const Walk& walk, bool large);

View layouts_view();

}  // namespace ropescope::figures
