// Tokens at one position leave whole turns open: their speeds cannot be measured, but a spectrum
// that is known from elsewhere says whether they stand there.
#include <algorithm>

#include "core/diagnosis/model_search.h"

namespace ropescope::diagnosis {
namespace {

/// Whether the model puts every token at its stated position, or else all somewhere.
enum class Fit { none, elsewhere, in_place };

Fit try_model(Explanation& side, const SpectrumModel& model, int sign) {
    const std::vector<double> omega = signed_omega(model, sign, side.turns.pairs);
    Places places = recover_places(side.turns, omega, side.stated, side.noise);
    if (places.unexplained > 0) {
        return Fit::none;
    }
    side.model = model;
    side.sign = sign;
    side.places = std::move(places);
    return constant_offset(side) == 0.0 ? Fit::in_place : Fit::elsewhere;
}

/// The first model that has every token at its stated position.
bool find_in_place(Explanation& side, std::span<const SpectrumModel> models) {
    for (const SpectrumModel& model : models) {
        for (const int sign : {1, -1}) {
            Explanation tried = side;
            if (try_model(tried, model, sign) == Fit::in_place) {
                side = std::move(tried);
                return true;
            }
        }
    }
    return false;
}

bool find_elsewhere(Explanation& side, std::span<const SpectrumModel> models) {
    return std::ranges::any_of(models, [&](const SpectrumModel& model) {
        Explanation tried = side;
        const bool found = try_model(tried, model, 1) != Fit::none;
        if (found) {
            side = std::move(tried);
        }
        return found;
    });
}

}  // namespace

bool explain_one_position(Explanation& side, std::span<const SpectrumModel> models) {
    const bool measured = side.pairing.kind == PairingKind::found && !side.stated.empty();
    if (side.model || side.speeds.known() || !measured || models.empty()) {
        return false;
    }
    std::vector<SpectrumModel> usual;
    for (const double base : usual_bases()) {
        usual.push_back(default_spectrum(2 * side.turns.pairs, base));
    }
    return find_in_place(side, models) || find_elsewhere(side, models) ||
           find_in_place(side, usual);
}

}  // namespace ropescope::diagnosis
