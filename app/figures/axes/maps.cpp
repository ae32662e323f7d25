// Draws the maps of the axes view: scores over the grid of patches, and their difference.
#include <algorithm>
#include <fmt/format.h>

#include "app/figures/axes/panels.h"
#include "app/figures/text.h"
#include "app/plot/number_text.h"

namespace ropescope::figures {
namespace {

using plot::Role;

/// The patch's letter in a disc, legible on any colour.
void add_patch(plot::Panel& panel, const PatchIndex& patch, const char* letter, Role role) {
    const plot::Point at{to_double(patch.column), to_double(patch.row)};
    panel.marks.emplace_back(
        plot::Points{.points = {at}, .role = role, .radius_px = 9, .ring = true});
    panel.marks.emplace_back(
        plot::Label{.at = at, .text = letter, .anchor_x = 0.5, .anchor_y = 0.5});
}

/// What the colours of a map reach from and to.
struct Colours {
    double min = 0, max = 1;
    plot::ColorMap map = plot::ColorMap::viridis;
};

/// From the lowest to the highest score, of both maps if there are two: many schemes leave all
/// patches near 1.
Colours score_colours(const AxesState& state) {
    auto [lowest, highest] = std::ranges::minmax(state.one.scores);
    if (state.other) {
        const auto other = std::ranges::minmax(state.other->scores);
        lowest = std::min(lowest, other.min);
        highest = std::max(highest, other.max);
    }
    constexpr double kLeast = 1e-9;  // one score everywhere: rounding is not to be seen
    return {std::min(lowest, highest - kLeast), highest};
}

plot::Panel map_panel(const AxesState& state, const std::string& id,
                      const std::vector<double>& values, const Colours& colours) {
    plot::HeatMap heat{.columns = state.grid.columns,
                       .rows = state.grid.rows,
                       .values = std::vector<float>(values.begin(), values.end()),
                       .x0 = -0.5,
                       .y0 = -0.5,
                       .min = colours.min,
                       .max = colours.max,
                       .map = colours.map};
    plot::Panel panel{.id = id,
                      .x = {.label = "column",
                            .min = -0.5,
                            .max = to_double(state.grid.columns) - 0.5,
                            .integers = true},
                      .y = {.label = "row",
                            .min = to_double(state.grid.rows) - 0.5,
                            .max = -0.5,
                            .integers = true},
                      .color_bar = true,
                      .row = 2,
                      .column_span = 2};
    panel.marks.emplace_back(std::move(heat));
    if (state.chosen.frame == state.fixed.frame) {
        add_patch(panel, state.fixed, "q", Role::dim);
    }
    add_patch(panel, state.chosen, "k", Role::text);
    return panel;
}

std::string frame_words(const AxesState& state) {
    return state.grid.frames == 1
               ? ""
               : fmt::format(", frame {} of {}", state.chosen.frame, state.grid.frames);
}

}  // namespace

plot::Panel axes_map_panel(const AxesState& state, const AxesScheme& scheme) {
    const bool other = &scheme != &state.one;
    plot::Panel panel =
        map_panel(state, other ? "map_other" : "map", scheme.scores, score_colours(state));
    panel.title = (state.other ? other ? "score, second model" : "score, first model"
                               : "score of q with each " + state.noun()) +
                  frame_words(state);
    panel.corners.top_right = signed_text(scheme.scores[state.chosen_cell()], 5);
    panel.column = other ? 2 : 0;
    if (!state.other) {  // at the right, as high as all the others
        panel.row = 0;
        panel.row_span = 3;
        panel.column = 3;
        panel.column_span = 3;
    }
    return panel;
}

plot::Panel axes_difference_panel(const AxesState& state) {
    constexpr double kLeast = 1e-9;  // rounding is not to be seen
    const double limit = std::max(state.largest_difference, kLeast);
    plot::Panel panel = map_panel(state, "difference", state.difference,
                                  {-limit, limit, plot::ColorMap::diverging});
    panel.title = "second minus first";
    panel.corners.top_right = signed_text(state.difference[state.chosen_cell()], 5);
    panel.column = 4;
    return panel;
}

std::vector<plot::Readout> axes_patch_readouts(const AxesState& state, const PatchIndex& patch) {
    std::vector<plot::Readout> readouts;
    if (state.grid.frames > 1) {
        readouts.push_back({"frame", whole_text(patch.frame)});
    }
    readouts.push_back({"row", whole_text(patch.row)});
    readouts.push_back({"column", whole_text(patch.column)});
    for (Index a = 0; a < state.one.axes(); ++a) {
        readouts.push_back({state.one.scheme().axes[a] + " from q",
                            plot::number_text(state.one.places.between(a, state.fixed, patch))});
    }
    const Index cell = state.cell(patch.row, patch.column);
    readouts.push_back({"score", signed_text(state.one.scores[cell], 5)});
    if (state.other) {
        readouts.push_back({"score, second model", signed_text(state.other->scores[cell], 5)});
        readouts.push_back({"difference", signed_text(state.difference[cell], 5)});
    }
    return readouts;
}

}  // namespace ropescope::figures
