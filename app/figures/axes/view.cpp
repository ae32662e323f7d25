// Makes the axes view's picture: title, panels, values under the cursor, clicks and drags.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/axes/panels.h"
#include "app/figures/describe.h"
#include "app/figures/text.h"
#include "app/figures/views.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"

namespace ropescope::figures {
namespace {

/// Sums of the same numbers in another order differ by less: pairs times 2^-53.
constexpr double kRounding = 1e-12;

std::string title_of_one(const AxesState& state) {
    const AxesScheme& scheme = state.one;
    const std::string noun = state.noun();
    if (state.chosen == state.fixed) {
        return fmt::format("The chosen {} is the fixed one: no pair turns, and the score is 1",
                           noun);
    }
    const Index turning = scheme.turning();
    if (turning == 0) {
        return fmt::format("No pair turns from the fixed {} to the chosen one", noun);
    }
    return fmt::format("{} of {} {} from the fixed {} to the chosen one: {}", turning,
                       counted(scheme.pairs(), "pair"), agreeing(turning, "turns", "turn"), noun,
                       scheme.counts_words(true));
}

std::string title(const AxesState& state) {
    if (!state.other) {
        return title_of_one(state);
    }
    return state.largest_difference < kRounding
               ? fmt::format("Both give every {} the same score", state.noun())
               : fmt::format("The two give the same {} scores that differ by up to {}",
                             state.noun(),
                             plot::number_text(two_digits_up(state.largest_difference)));
}

std::string scheme_words(const AxesScheme& scheme) {
    std::string text = fmt::format("{}: {}, {}", scheme.title, counted(scheme.pairs(), "pair"),
                                   scheme.counts_words(false));
    if (const auto heads = std::ssize(scheme.scheme().heads); heads > 1) {
        text += fmt::format(" in head {} of {}", scheme.head, heads);
    }
    return text + ".";
}

std::string subtitle(const AxesState& state) {
    std::string text = scheme_words(state.one);
    if (state.other) {
        return text + " " + scheme_words(*state.other);
    }
    const std::string frame =
        state.grid.frames > 1 ? fmt::format("frame {}, ", state.chosen.frame) : "";
    text += fmt::format(" From q in row {}, column {} to k in {}row {}, column {} the score is {}.",
                        state.fixed.row, state.fixed.column, frame, state.chosen.row,
                        state.chosen.column, signed_text(state.one.scores[state.chosen_cell()], 5));
    return text + score_gain_text(state.one.spectrum());
}

/// Arrow keys move the chosen patch, page keys and the wheel the frame.
std::vector<plot::Link> keys(const AxesState& state) {
    using Key = plot::Link::Key;
    std::vector<plot::Link> links;
    const auto add = [&](Key key, const char* parameter, Index to, Index count) {
        if (to >= 0 && to < count) {
            links.push_back({.key = key, .settings = {fmt::format("{}={}", parameter, to)}});
        }
    };
    const PatchIndex& at = state.chosen;
    add(Key::up, "axes_row", at.row - 1, state.grid.rows);
    add(Key::down, "axes_row", at.row + 1, state.grid.rows);
    add(Key::left, "axes_column", at.column - 1, state.grid.columns);
    add(Key::right, "axes_column", at.column + 1, state.grid.columns);
    for (const Key key : {Key::page_up, Key::wheel_up}) {
        add(key, "axes_frame", at.frame - 1, state.grid.frames);
    }
    for (const Key key : {Key::page_down, Key::wheel_down}) {
        add(key, "axes_frame", at.frame + 1, state.grid.frames);
    }
    return links;
}

/// A draft has no report.
plot::Figure draw(const AxesState& state, bool draft) {
    plot::Figure figure;
    figure.view = "axes";
    figure.title = title(state);
    figure.subtitle = subtitle(state);
    figure.legend = axes_legend(state);
    figure.panels = {axes_spectrum_panel(state, state.one), axes_strip_panel(state, state.one)};
    if (state.other) {
        figure.panels.push_back(axes_map_panel(state, state.one));
        figure.panels.push_back(axes_spectrum_panel(state, *state.other));
        figure.panels.push_back(axes_strip_panel(state, *state.other));
        figure.panels.push_back(axes_map_panel(state, *state.other));
        figure.panels.push_back(axes_difference_panel(state));
    } else {
        figure.panels.push_back(axes_turns_panel(state.one));
        figure.panels.push_back(axes_map_panel(state, state.one));
    }
    figure.row_weights = {1.0, 0.4 + 0.12 * to_double(state.one.axes()), state.other ? 1.6 : 1.0};
    figure.column_weights = {1, 1, 1, 1, 1, 1};
    figure.links = keys(state);
    if (!draft) {
        figure.data = axes_data(state);
        figure.report =
            fmt::format("{}\n{}\n\n{}", figure.title, figure.subtitle, axes_report(state));
    }
    return figure;
}

bool is_map(std::string_view panel) {
    return panel == "map" || panel == "map_other" || panel == "difference";
}

PatchIndex patch_at(const AxesState& state, plot::Point at) {
    return {state.chosen.frame, plot::pick_index(at.y, state.grid.rows),
            plot::pick_index(at.x, state.grid.columns)};
}

std::vector<plot::Readout> readouts(const AxesState& state, std::string_view panel,
                                    plot::Point at) {
    if (is_map(panel)) {
        return axes_patch_readouts(state, patch_at(state, at));
    }
    const AxesScheme& scheme = state.other && panel.ends_with("_other") ? *state.other : state.one;
    return axes_pair_readouts(scheme, plot::pick_index(at.x, scheme.pairs()));
}

/// A patch becomes the chosen one.
Scene clicked(const AxesState& state, Scene scene, std::string_view panel, plot::Point at) {
    if (is_map(panel)) {
        const PatchIndex patch = patch_at(state, at);
        scene.axes_row = patch.row;
        scene.axes_column = patch.column;
    }
    return scene;
}

Picture make(const Scene& scene, Engine&, const Work& work) {
    const auto state = std::make_shared<const AxesState>(make_axes_state(scene));
    Picture picture = answering(draw(*state, work.may_draft), state, readouts, clicked);
    picture.draft = work.may_draft;
    picture.dragged = {"map", "map_other", "difference"};
    return picture;
}

}  // namespace

View axes_view() {
    return {
        .id = "axes",
        .name = "Axes",
        .group = "Images and videos",
        .question = "Which pairs turn by rows, which by columns?",
        .parameters = {"axes_model", "axes_other", "axes_part", "axes_head", "spectrum_quantity",
                       "axes_tokens", "axes_grid", "axes_frame", "axes_row", "axes_column",
                       "axes_fixed_row", "axes_fixed_column"},
        .make = make,
        .what_you_see =
            "The speed of each pair, in the colour of the axis that turns it; a lane for each "
            "axis; "
            "the angle by which each pair turns from the fixed patch q to the chosen patch k; and "
            "the score of q with every patch, for q and k of the same content. Pairs that do not "
            "turn are pale.",
        .what_to_try =
            "Drag k along the row of q: only the pairs of the columns turn. Choose "
            "ropevit-mixed-start to see diagonals, dinov3-vit-small with another grid to see that "
            "its map is stretched, and a second model in axes_other to see the difference. With "
            "text on the grid all axes count alike.",
        .formulas = {"angle_{i} = Σ_{a} ω_{i,a} (p_{a}(k) − p_{a}(q))",
                     "score = (1 / pairs) Σ_{i} cos angle_{i}"},
        .formula_source =
            "RoFormer, section 3.2, for each axis; sources of the schemes in the "
            "text export",
    };
}

}  // namespace ropescope::figures
