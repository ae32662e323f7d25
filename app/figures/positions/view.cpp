// Makes the positions view's picture: title, panels, values under the cursor.
#include <algorithm>
#include <fmt/format.h>

#include "app/figures/positions/panels.h"
#include "app/figures/text.h"
#include "app/figures/views.h"
#include "app/plot/pick.h"
#include "app/scene/axes_grid.h"
#include "app/scene/settings.h"
#include "core/positions/grid_lines.h"

namespace ropescope::figures {
namespace {

std::string title(const PositionsState& state) {
    if (state.unseen != nullptr) {
        return fmt::format("This layout does not show {}", state.unseen->code);
    }
    if (!state.below) {
        return fmt::format("{} {} position {}", counted(state.tokens(), "token"),
                           agreeing(state.tokens(), "reaches", "reach"),
                           whole_text(state.largest()));
    }
    if (state.differing.empty()) {
        return "Above and below all tokens have the same ids";
    }
    const Index differing = std::ssize(state.differing);
    return fmt::format("{} of {} {} another id below, from token {} on", whole_text(differing),
                       counted(state.tokens(), "token"), agreeing(differing, "has", "have"),
                       whole_text(state.differing.front()));
}

std::string subtitle(const PositionsState& state) {
    std::string text = fmt::format("Positions of time, height and width in {}, as {} numbers them.",
                                   to_string(state.plan.rule.family), state.right.name);
    if (state.unseen != nullptr) {
        return text + fmt::format(" To show the fault takes {}.", state.unseen->shown_by);
    }
    if (!state.below) {
        return text;
    }
    return text + (state.how.empty() ? fmt::format(" Below: as {} numbers them.", state.below->name)
                                     : " Below: " + state.how);
}

plot::Figure draw(const PositionsState& state) {
    plot::Figure figure;
    figure.view = "positions";
    figure.title = title(state);
    figure.subtitle = subtitle(state);
    figure.legend = positions_legend(state);
    figure.row_weights = {0.16, 1.0};
    if (state.below) {
        figure.row_weights.push_back(1.0);
    }
    figure.column_weights = {1.0};
    figure.data = positions_data(state);
    figure.report =
        fmt::format("{}\n{}\n\n{}", figure.title, figure.subtitle, positions_report(state));
    return figure;
}

std::vector<plot::Readout> token_readouts(const PositionsState& state, plot::Point at) {
    const Index token = plot::pick_index(at.x, state.length());
    const TokenOrigin& origin = state.right.positions.origin(0, token);
    std::vector<plot::Readout> readouts = {{"token", whole_text(token)},
                                           {"segment", kind_words(state, origin)},
                                           {"its token", whole_text(origin.index)}};
    if (state.is_padding(token)) {
        return readouts;
    }
    for (Index axis = 0; axis < 3; ++axis) {
        const std::string& name = state.right.positions.axes[axis];
        const auto value = [&](const LayoutPositions& positions) {
            return whole_text(round_to_index(positions.at(axis, 0, token)));
        };
        readouts.push_back({name, value(state.right.positions)});
        if (state.below) {
            readouts.push_back({name + " below", value(state.below->positions)});
        }
    }
    return readouts;
}

/// A patch opens in the view axes, where its score with the others is seen.
Scene open_patch(const PositionsState& state, const Scene& scene, plot::Point at) {
    const TokenOrigin& origin =
        state.right.positions.origin(0, plot::pick_index(at.x, state.length()));
    if (!origin.in_segment() || origin.kind == TokenKind::text) {
        return scene;
    }
    const PatchGrid grid =
        merged_grid(state.plan.rule, state.plan.layout.rows[origin.row][origin.segment]);
    if (std::max({grid.frames, grid.rows, grid.columns}) > kLongestSide) {
        return scene;
    }
    const GridPatch patch = patches_in_order(grid, 1)[origin.index];
    return apply_settings(
        scene, {"view=axes", "axes_tokens=patches",
                fmt::format("axes_grid={}x{}x{}", grid.frames, grid.rows, grid.columns),
                fmt::format("axes_frame={}", patch.frame), fmt::format("axes_row={}", patch.row),
                fmt::format("axes_column={}", patch.column)});
}

Picture make(const Scene& scene, Engine&, const Work&) {
    const auto state = std::make_shared<const PositionsState>(make_positions_state(scene));
    const Answers of_tokens{state, token_readouts, open_patch};
    Picture picture{.figure = draw(*state)};
    picture.add(strip_panel(*state), of_tokens);
    picture.add(right_panel(*state), of_tokens);
    if (state->below) {
        picture.add(below_panel(*state), of_tokens);
    }
    return picture;
}

}  // namespace

View positions_view() {
    return {
        .id = "positions",
        .key = 'P',
        .name = "Positions",
        .group = "Images and videos",
        .question = "Where does the model think a token is?",
        .parameters = {"positions_layout", "positions_family", "positions_tokens_per_second",
                       "positions_version", "positions_compare"},
        .make = make,
        .what_you_see =
            "The tokens of a sequence as a strip, and under it the position of each token in time, "
            "height and width. Text has the same position on all three axes. In a block of patches "
            "time stays within a frame, height counts its rows and width its columns. Dashed lines "
            "mark where a segment does not go on behind the largest position. Rings below mark "
            "positions that differ from those above.",
        .what_to_try =
            "Write a layout of your own. Make the video longer than its sides: text behind it goes "
            "back in time with transformers 5, and not with 4. Compare with a fault to see what "
            "wrong ids look like, and with ids.text_positions to see what an image costs. Click a "
            "patch to see it in the view axes.",
        .formulas = {"(t, h, w) = (c + frame, c + row, c + column)"},
        .formula_source = "transformers, get_rope_index; c is where text would go on",
    };
}

}  // namespace ropescope::figures
