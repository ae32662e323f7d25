// Computes the state of the axes view.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>

#include "app/figures/axes/axes.h"
#include "app/figures/shared/shown_encoding.h"
#include "app/scene/axes_grid.h"
#include "core/base/characters.h"
#include "core/base/error.h"

namespace ropescope::figures {
namespace {

/// cos and sin, [pairs, steps], of the angles along one side, from the step of the fixed patch on.
struct Waves {
    std::vector<double> cos, sin;
};

/// `ahead_rad` is added to the angles of each pair; empty: nothing.
Waves waves(const Spectrum& spectrum, const PatchPositions::Steps& steps, Index from,
            const std::vector<double>& ahead_rad) {
    const Index count = std::ssize(steps.front());
    Waves waves;
    for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
        const auto omega_rad = spectrum.omega_rad(pair);
        for (Index i = 0; i < count; ++i) {
            double angle_rad = ahead_rad.empty() ? 0.0 : ahead_rad[pair];
            for (Index a = 0; a < spectrum.axes; ++a) {
                angle_rad += omega_rad[a] * (steps[a][i] - steps[a][from]);
            }
            waves.cos.push_back(std::cos(angle_rad));
            waves.sin.push_back(std::sin(angle_rad));
        }
    }
    return waves;
}

/// For q and k of the same content, a unit vector in each pair: the mean over the pairs of the
/// cosine of the angle by which the pair turns from `fixed` to each patch of `frame`, [rows,
/// columns]. The angle is a sum over frames, rows and columns, so that the map is a product of two
/// small matrices of cosines and sines.
std::vector<double> score_map(const Spectrum& spectrum, const PatchPositions& places,
                              const PatchIndex& fixed, Index frame) {
    const Index rows = std::ssize(places.rows.front());
    const Index columns = std::ssize(places.columns.front());
    const std::vector<double> ahead_rad =
        turns_rad(spectrum, places, {fixed.frame, 0, 0}, {frame, 0, 0});
    const Waves down = waves(spectrum, places.rows, fixed.row, ahead_rad);
    const Waves across = waves(spectrum, places.columns, fixed.column, {});
    std::vector<double> scores(rows * columns, 0.0);
    for (Index row = 0; row < rows; ++row) {
        double* const out = scores.data() + row * columns;
        for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
            const double c = down.cos[pair * rows + row], s = down.sin[pair * rows + row];
            const double* const cos = across.cos.data() + pair * columns;
            const double* const sin = across.sin.data() + pair * columns;
            for (Index column = 0; column < columns; ++column) {
                out[column] += c * cos[column] - s * sin[column];
            }
        }
    }
    for (double& score : scores) {
        score /= to_double(spectrum.pairs());
    }
    return scores;
}

}  // namespace

std::vector<double> turns_rad(const Spectrum& spectrum, const PatchPositions& places,
                              const PatchIndex& from, const PatchIndex& to) {
    std::vector<double> between;
    for (Index a = 0; a < spectrum.axes; ++a) {
        between.push_back(places.between(a, from, to));
    }
    std::vector<double> turns;
    for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
        turns.push_back(reduced_angle_sum_rad(between, spectrum.omega_rad(pair)));
    }
    return turns;
}

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
