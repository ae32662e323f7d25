// Draws what the model would put in the place of a [MASK], as bars of probability.
#include <algorithm>
#include <fmt/format.h>

#include "app/figures/attention/panels.h"
#include "app/figures/text.h"
#include "core/base/printable.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;

/// A bar from 0 to `length` around `row`.
plot::Area bar(double length, double row, Role role) {
    constexpr double kHalf = 0.36;
    return {.low = {{0, row - kHalf}, {length, row - kHalf}},
            .high = {{0, row + kHalf}, {length, row + kHalf}},
            .role = role,
            .opacity = 0.55};
}

std::string place_title(const AttentionState& state, const Scene& scene, Side side,
                        const PlacePredictions& place) {
    const bool hidden = place.position == scene.attention_masked && !state.tokens.hidden.empty();
    return fmt::format(
        "{}[MASK] at {}{}", side == Side::other ? state.other->name + ": " : std::string{},
        whole_text(place.position), hidden ? fmt::format(" hides “{}”", state.tokens.hidden) : "");
}

}  // namespace

std::string piece_text(const AttentionState& state, Index id) {
    return state.vocabulary && id < state.vocabulary->size() ? printable(state.vocabulary->text(id))
                                                             : fmt::format("id {}", id);
}

const PlacePredictions* chosen_place(const AttentionPass& pass, const Scene& scene) {
    if (pass.predictions.empty()) {
        return nullptr;
    }
    const auto chosen =
        std::ranges::find(pass.predictions, scene.attention_masked, &PlacePredictions::position);
    return chosen != pass.predictions.end() ? &*chosen : pass.predictions.data();
}

std::optional<plot::Panel> predictions_panel(const AttentionState& state, const Scene& scene,
                                             Side side) {
    const PlacePredictions* place = chosen_place(pass_of(state, side), scene);
    if (place == nullptr) {
        return std::nullopt;
    }
    constexpr double kWords = 0.34, kNumbers = 0.16;  // room beside the bars
    plot::Panel panel{
        .id = side == Side::own ? "predictions" : "predictions.other",
        .title = place_title(state, scene, side, *place),
        .corners = {.top_right = "five best"},
        .x = {.min = -kWords, .max = 1 + kNumbers, .visible = false},
        .y = {.min = to_double(std::ssize(place->best)) - 0.4, .max = -0.6, .visible = false}};
    for (Index row = 0; row < std::ssize(place->best); ++row) {
        const Prediction& named = place->best[row];
        const std::string word = piece_text(state, named.id);
        const double y = to_double(row);
        panel.marks.emplace_back(
            bar(named.probability, y, side == Side::own ? Role::first : Role::second));
        panel.marks.emplace_back(
            plot::Label{.at = {-0.015, y},
                        .text = fmt::format("“{}”", word),
                        .role = word == state.tokens.hidden ? Role::accent : Role::text,
                        .anchor_x = 1,
                        .anchor_y = 0.5,
                        .width = kWords - 0.02,
                        .height = 1.1,
                        .smallest = 0.6});
        panel.marks.emplace_back(plot::Label{.at = {named.probability + 0.015, y},
                                             .text = fixed_text(100 * named.probability, 1) + " %",
                                             .role = Role::dim,
                                             .anchor_y = 0.5,
                                             .height = 1.1,
                                             .smallest = 0.6});
    }
    return panel;
}

}  // namespace ropescope::figures
