// Computes angles and scores of patches, and finds the axis of each pair.
#include "app/figures/axes/state.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>

#include "app/figures/axes/score_map.h"
#include "app/figures/shown_encoding.h"
#include "app/scene/axes_grid.h"
#include "core/base/error.h"
#include "core/base/printable.h"

namespace ropescope::figures {
namespace {

using plot::Role;

AxesScheme scheme_on_grid(const Scene& scene, const AxesState& state, const std::string& parameter,
                          const std::string& name) {
    const Model model = open_model(name, Allowed::regular_file);
    AxesScheme made{.name = name, .title = model.title, .part = axes_part(model, scene.axes_part)};
    made.head = std::min<Index>(scene.axes_head, std::ssize(made.scheme().heads) - 1);
    try {
        made.places = state.tokens == AxesTokens::text ? text_positions(made.scheme(), state.grid)
                                                       : patch_positions(made.scheme(), state.grid);
    } catch (const InputError& refused) {
        // It names the grid or the tokens, which are the scene's axes_grid and axes_tokens.
        throw InputError(
            fmt::format("{}={}: axes_{}", parameter, printable(name, 60), refused.what()));
    }
    made.axis_of_pair = axes_of_pairs(made.spectrum());
    made.turn_rad = turns_rad(made.spectrum(), made.places, state.fixed, state.chosen);
    made.scores = score_map(made.spectrum(), made.places, state.fixed, state.chosen.frame);
    return made;
}

}  // namespace

double AxesScheme::speed_rad(Index pair) const {
    double squares = 0;
    for (const double omega_rad : spectrum().omega_rad(pair)) {
        squares += omega_rad * omega_rad;
    }
    return std::sqrt(squares);
}

double AxesScheme::wavelength(Index pair) const {
    return 2 * std::numbers::pi / speed_rad(pair);
}

Index AxesScheme::turning() const {
    return std::ranges::count_if(turn_rad, [](double turn) { return turn != 0; });
}

std::string AxesScheme::axis_words(Index pair) const {
    std::vector<std::string> names;
    const auto omega_rad = spectrum().omega_rad(pair);
    for (Index a = 0; a < axes(); ++a) {
        if (omega_rad[a] != 0) {
            names.push_back(scheme().axes[a]);
        }
    }
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, " and "));
}

std::string AxesScheme::counts_words(bool only_turning) const {
    std::vector<Index> counted;
    for (Index pair = 0; pair < pairs(); ++pair) {
        if (!only_turning || turns(pair)) {
            counted.push_back(axis_of_pair[pair]);
        }
    }
    return pairs_by_axis(scheme().axes, counted);
}

AxesState make_axes_state(const Scene& scene) {
    require_patches_inside(scene);
    AxesState state{
        .grid = patch_grid(scene),
        .fixed = {0, scene.axes_fixed_row, scene.axes_fixed_column},
        .chosen = {scene.axes_frame, scene.axes_row, scene.axes_column},
        .wavelengths = scene.spectrum_quantity == SpectrumQuantity::wavelength,
        .tokens = scene.axes_tokens,
    };
    state.one = scheme_on_grid(scene, state, "axes_model", scene.axes_model);
    if (scene.axes_other != "none") {
        state.other = scheme_on_grid(scene, state, "axes_other", scene.axes_other);
        for (std::size_t i = 0; i < state.one.scores.size(); ++i) {
            state.difference.push_back(state.other->scores[i] - state.one.scores[i]);
            state.largest_difference =
                std::max(state.largest_difference, std::abs(state.difference.back()));
        }
    }
    return state;
}

plot::Role role_of_axis(const RotaryScheme& scheme, Index axis) {
    if (axis == kSeveralAxes) {
        return Role::text;
    }
    if (axis == kNoAxis) {
        return Role::faint;
    }
    return role_of_side(side_of_axis(scheme, axis));
}

}  // namespace ropescope::figures
