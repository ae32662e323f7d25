// The values under the cursor in the panels of the layouts view.
#include "app/figures/layouts/readouts.h"

#include <fmt/format.h>

#include "app/figures/layouts/panels.h"
#include "app/figures/text.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"

namespace ropescope::figures {
namespace {

std::vector<plot::Readout> pair_readouts(const PairVerdict& verdict) {
    return {{"first", verdict.a->title},
            {"second", verdict.b->title},
            {"verdict", std::string(to_string(verdict.verdict))},
            {"largest difference", plot::few_digits_text(verdict.same_input.largest_output, 3)},
            {"reordered", verdict.verdict == Verdict::equal_after_permutation
                              ? plot::few_digits_text(verdict.permuted.largest_output, 3)
                              : "-"}};
}

std::vector<plot::Readout> channel_readouts(const SystemComparison& comparison, double x) {
    const Index channel = plot::pick_index(x, comparison.head_dim);
    std::vector<plot::Readout> readouts = {{"channel", fmt::format("{}", channel)}};
    const auto add = [&](const char* name, const SystemOutput& output) {
        if (!output.values.empty()) {
            readouts.push_back({name, signed_text(output.values[channel], 6)});
        }
    };
    add("first", comparison.a);
    add("second", comparison.b);
    add("second, reordered", comparison.b_permuted);
    return readouts;
}

/// The slot under the cursor: what stands there before the walk, and where that goes.
std::vector<plot::Readout> walk_readouts(const Walk& walk, double x) {
    const Index channel = plot::pick_index(x, walk.spec.head_dim);
    const bool rotated = channel < walk.spec.rotary_dim;
    return {{"channel", fmt::format("{}", channel)},
            {"pair, interleaved", rotated ? fmt::format("{}", channel / 2) : "not rotated"},
            {"goes to", fmt::format("{}", walk.slot[channel])},
            {"half split takes", fmt::format("{}", walk.p[channel])}};
}

}  // namespace

std::vector<plot::Readout> layouts_readouts(const LayoutsState& state, std::string_view panel,
                                            plot::Point at) {
    if (panel == "walk") {
        return walk_readouts(state.walk, at.x);
    }
    if (panel == "permutation" || panel == "score") {
        return state.pair;
    }
    if (!state.comparison) {
        return {};
    }
    const EquivalenceMatrix& matrix = system_matrix();
    if (panel == "matrix") {
        return pair_readouts(matrix.at(system_of_row(at.y), system_of_column(at.x)));
    }
    if (panel == "outputs" || panel == "difference") {
        return channel_readouts(*state.comparison, at.x);
    }
    if (panel == "norm" || panel == "shift") {
        const PairVerdict& verdict = state.comparison->verdict;
        return pair_readouts(matrix.at(verdict.a->id, verdict.b->id));
    }
    return {};
}

}  // namespace ropescope::figures
