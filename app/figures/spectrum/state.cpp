// Computes the state of the spectrum view.
#include <fmt/format.h>
#include <iterator>
#include <numbers>

#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/figures/spectrum/spectrum.h"
#include "app/scene/scene_scaling.h"
#include "core/scaling/method.h"

namespace ropescope::figures {
namespace {

using plot::Role;

constexpr double kTurn = 2 * std::numbers::pi;

/// The methods that need no more than a factor and a trained length, but for the scene's own.
void add_methods(std::vector<SpectrumOverlay>& lines, const Scene& scene, RopeSpec spec) {
    constexpr Role kRoles[] = {Role::second, Role::third, Role::second, Role::text};
    constexpr plot::Dash kDashes[] = {plot::Dash::long_dash, plot::Dash::dash_dot, plot::Dash::none,
                                      plot::Dash::dotted};
    const std::string_view own = scaling_type(spec.scaling);
    Index place = 0;
    for (const Scaling& method : scaling_methods()) {
        const MethodFacts& about = facts(method);
        if (!about.extends || about.depends_on_seq_len) {
            continue;
        }
        const Role role = kRoles[place % std::ssize(kRoles)];
        const plot::Dash dash = kDashes[place++ % std::ssize(kDashes)];
        if (about.type != own) {
            spec.scaling = scene_scaling(scene, about.type);
            lines.push_back(
                {std::string(about.type), make_spectrum(spec).inv_freq_rad, role, dash});
        }
    }
}

std::vector<SpectrumOverlay> overlays(const Scene& scene, const SpectrumState& state) {
    if (scene.spectrum_overlay == Overlays::none || state.along) {
        return {};
    }
    std::vector<SpectrumOverlay> lines;
    if (state.scaled()) {
        lines.push_back({"unscaled", state.plain.inv_freq_rad});
    }
    if (scene.spectrum_overlay == Overlays::methods) {
        add_methods(lines, scene, state.spec);
    }
    return lines;
}

}  // namespace

bool SpectrumState::scaled() const {
    return !std::holds_alternative<NoScaling>(spec.scaling);
}

double SpectrumState::slowdown(Index pair) const {
    const double before = plain.inv_freq_rad[pair], after = spectrum.inv_freq_rad[pair];
    return before == after ? 1.0 : before / after;  // a pair that does not turn is not slowed
}

double SpectrumState::turns(Index pair) const {
    return to_double(context) / spectrum.wavelength_positions(pair);
}

bool SpectrumState::unfinished(Index pair) const {
    return counts(pair) && spectrum.wavelength_positions(pair) > to_double(context);
}

double SpectrumState::value(Index pair) const {
    return wavelengths ? spectrum.wavelength_positions(pair) : inv_freq(pair);
}

double SpectrumState::value_of(double inv_freq_rad) const {
    return wavelengths ? kTurn / inv_freq_rad : inv_freq_rad;
}

double SpectrumState::turn_in(double positions) const {
    return wavelengths ? positions : kTurn / positions;
}

SpectrumState make_spectrum_state(const Scene& scene) {
    const ShownEncoding shown = shown_encoding(scene);
    const RopeSpec spec = at_context(shown.spec, scene.context_length);
    SpectrumState state{
        .spec = spec,
        .spectrum = shown.along ? shown.spectrum : make_spectrum(spec),
        .plain = shown.along ? shown.spectrum : make_spectrum(unscaled_rope_spec(scene)),
        .along = shown.along,
        .wavelengths = scene.spectrum_quantity == SpectrumQuantity::wavelength,
        .context = scene.context_length,
        .trained = original_positions(spec.scaling).value_or(0),
        .selected = shown.scene.selected_pair,
        .overlays = {}};
    for (Index pair = 0; pair < spec.pairs(); ++pair) {
        state.unfinished_count += state.unfinished(pair) ? 1 : 0;
    }
    state.overlays = overlays(scene, state);
    return state;
}

// Writes the spectrum view's table for CSV and its text report.

plot::DataTable spectrum_data(const SpectrumState& state) {
    std::vector<Index> pairs, first, second;
    std::vector<double> inv_freq, wavelength, turned, unscaled, slowdown;
    for (Index pair = 0; pair < state.spec.pairs(); ++pair) {
        const ChannelPair channels = channels_of(state.spec, state.along, pair);
        pairs.push_back(pair);
        first.push_back(channels.first);
        second.push_back(channels.second);
        inv_freq.push_back(state.inv_freq(pair));
        wavelength.push_back(state.spectrum.wavelength_positions(pair));
        turned.push_back(state.turns(pair));
        unscaled.push_back(state.plain.inv_freq_rad[pair]);
        slowdown.push_back(state.slowdown(pair));
    }
    plot::DataTable table{{{"pair", pairs},
                           {"first_channel", first},
                           {"second_channel", second},
                           {"inv_freq_rad", inv_freq},
                           {"wavelength_positions", wavelength},
                           {"turns_in_context", turned},
                           {"unscaled_inv_freq_rad", unscaled},
                           {"slowdown", slowdown}}};
    for (const SpectrumOverlay& overlay : state.overlays) {
        table.columns.push_back({overlay.name + "_overlay_inv_freq_rad", overlay.inv_freq_rad});
    }
    return table;
}

plot::Text spectrum_report(const SpectrumState& state) {
    const std::vector<Index> shown = evenly_chosen(state.spec.pairs(), 64);
    std::vector<std::vector<std::string>> rows;
    for (const Index chosen : shown) {
        const Index pair = chosen;
        const ChannelPair channels = channels_of(state.spec, state.along, pair);
        rows.push_back({fmt::format("{}", pair),
                        fmt::format("{}, {}", channels.first, channels.second),
                        fmt::format("{:.6g}", state.inv_freq(pair)),
                        state.inv_freq(pair) == 0.0
                            ? "stands still"
                            : fmt::format("{:.6g}", state.spectrum.wavelength_positions(pair)),
                        fmt::format("{:.4g}", state.turns(pair)),
                        state.scaled() ? fmt::format("{:.4g}", state.slowdown(pair)) : "",
                        state.unfinished(pair) ? "never a full turn" : "",
                        pair == state.selected ? "selected" : ""});
    }
    plot::Text text = text_table(
        {"pair", "channels", "θ rad/position", "λ positions",
         fmt::format("turns in {}", state.context), state.scaled() ? "slowdown" : "", "", ""},
        rows);
    if (std::ssize(shown) < state.spec.pairs()) {
        text += plot::say("{} of {} pairs, evenly chosen; the CSV has all\n", shown.size(),
                          state.spec.pairs());
    }
    return text;
}

}  // namespace ropescope::figures
