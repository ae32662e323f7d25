// What the panels of the layouts view are made from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/figures/layouts/walk.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/systems/equivalence.h"

namespace ropescope::figures {

/// One system on the scene's vector, [head_dim]; empty with the reason when it does not run.
struct SystemOutput {
    std::vector<double> values;
    std::string error;
};

/// The two selected systems at the scene's head_dim (at most kMostComparedChannels) and base, from
/// the query's position on: the verdict there, and what they make of one vector.
struct SystemComparison {
    PairVerdict verdict;
    bool a_rotates = false, b_rotates = false;
    int head_dim = 0;
    std::vector<int> permutation;  ///< p with b(x[p]) == a(x)[p]; empty unless that is the verdict
    SystemOutput a, b;
    /// b(x[p]), put back into the channels of a; empty without p.
    SystemOutput b_permuted;
};

inline constexpr std::int64_t kMostComparedChannels = 128;

/// Every system against every other at the head_dims, base and offsets below; computed once, as
/// nothing in a scene changes it.
const EquivalenceMatrix& system_matrix();
SystemComparison compare_systems(const Scene& scene);

/// One of two different systems that rotates a vector by itself, but in a batch turns all of a
/// sequence alike, so that its scores carry no position (position_response()); null: neither.
const System* positionless(const SystemComparison& comparison);
/// '=' identical, 'P' equal after a permutation, '≠' different, '×' not a rotation.
std::string verdict_mark(Verdict verdict);
/// The verdict on a and b as one sentence without its full stop.
std::string verdict_sentence(const SystemComparison& comparison);
/// Row of the matrix at a height of its panel, column at a place: the systems' order, clamped.
std::size_t system_of_row(double y);
std::size_t system_of_column(double x);

plot::Panel matrix_panel(const Scene& scene);
plot::Panel output_panel(const Scene& scene, const SystemComparison& comparison);
plot::Panel difference_panel(const SystemComparison& comparison);
plot::Panel norm_panel(const Scene& scene, const SystemComparison& comparison);
plot::Panel shift_panel(const Scene& scene, const SystemComparison& comparison);

/// Everything that is drawn, a row a number: panel, series, x, y, verdict.
plot::DataTable layouts_data(const SystemComparison& comparison, const Walk& walk,
                             const std::vector<plot::Panel>& panels);
/// Of the walk alone, in the same columns.
plot::DataTable walk_data(const Walk& walk, const std::vector<plot::Panel>& panels);
std::string layouts_report(const Scene& scene, const SystemComparison& comparison);

}  // namespace ropescope::figures
