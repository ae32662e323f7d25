// Computes the state of the stretch view.
#include <algorithm>
#include <numbers>

#include "app/figures/stretch/stretch.h"

namespace ropescope::figures {
namespace {

/// Two speeds or angles that differ by less count as equal: a few roundings lie far below.
constexpr double kSame = 1e-9;

/// The name of a method in the list of all scaling methods.
std::string type_of(demo::StretchMethod method) {
    return method == demo::StretchMethod::none ? "default" : std::string(to_string(method));
}

void count_pairs(StretchRow& row, const StretchState& state, const Spectrum& trained) {
    for (Index pair = 0; pair < row.spectrum.pairs(); ++pair) {
        const double before = trained.inv_freq_rad[pair], after = row.spectrum.inv_freq_rad[pair];
        row.slower += after < before * (1 - kSame) ? 1 : 0;
        const double shown = to_double(demo::kTrainedLength) * before;
        const double reached = to_double(state.length) * after;
        row.unseen += shown < 2 * std::numbers::pi && reached > shown * (1 + kSame) ? 1 : 0;
    }
}

}  // namespace

const StretchRow& StretchState::best() const {
    return *std::ranges::max_element(rows.begin() + 1, rows.end(), {},
                                     [](const StretchRow& row) { return row.count.right; });
}

double StretchState::share(const StretchRow& row, Index at) const {
    return demo::demo_scores().held_out.of(row.method, at).share();
}

double StretchState::trained_turns(Index pair) const {
    // The unscaled encoding is that of the training at every length.
    return unscaled().turns(pair, demo::kTrainedLength);
}

StretchState make_stretch_state(const Scene& scene) {
    StretchState state{.length = std::stoll(scene.stretch_length),
                       .lengths = demo::stretched_lengths(),
                       .rows = {}};
    state.factor = to_double(state.length) / to_double(demo::kTrainedLength);
    const Spectrum trained =
        make_spectrum(demo::stretched_spec(demo::StretchMethod::none, demo::kTrainedLength));
    for (std::size_t i = 0; i < kEnumNames<demo::StretchMethod>.size(); ++i) {
        const auto method = static_cast<demo::StretchMethod>(i);
        const RopeSpec spec = demo::stretched_spec(method, state.length);
        StretchRow row{.method = method,
                       .type = type_of(method),
                       .spec = spec,
                       .spectrum = make_spectrum(spec),
                       .count = demo::demo_scores().held_out.of(method, state.length)};
        count_pairs(row, state, trained);
        state.rows.push_back(std::move(row));
    }
    return state;
}

}  // namespace ropescope::figures
