// Computes the state of the spectrum view.
#include <iterator>
#include <numbers>

#include "app/figures/shared/describe.h"
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

}  // namespace ropescope::figures
