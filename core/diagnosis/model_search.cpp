// Tries models of all kinds, in both directions and all widths that the data allow.
#include "core/diagnosis/model_search.h"

#include <algorithm>

namespace ropescope::diagnosis {
namespace {

/// The angles, so that the right sign is positive.
Speeds with_sign(Speeds speeds, int sign) {
    for (double& omega : speeds.omega) {
        omega *= sign;
    }
    return speeds;
}

/// The numbers of turning channels that the data allow: all of the layout, or only those that
/// change. The pairs of a half-split layout say their number themselves.
std::vector<Index> possible_widths(const Explanation& side) {
    std::vector<Index> widths = {2 * side.turns.pairs};
    if (side.pairing.layout == "interleaved" && side.pairing.touched_pairs > 0 &&
        side.pairing.touched_pairs < side.turns.pairs) {
        widths.push_back(2 * side.pairing.touched_pairs);
    }
    return widths;
}

/// Tries the models of one kind on all tokens; keeps the one that explains most.
void try_source(Explanation& side, ModelSource* source, const SpectrumQuestion& question,
                int sign) {
    Index tried = 0;
    for (SpectrumModel& model : models_of(source, question)) {
        constexpr Index kMostTried = 4;  // the others fit the speeds worse
        if (++tried > kMostTried || (side.model && side.places.unexplained == 0)) {
            return;
        }
        const std::vector<double> omega = signed_omega(model, sign, side.turns.pairs);
        Places places = recover_places(side.turns, omega, side.stated, side.noise);
        if (!side.model || places.unexplained < side.places.unexplained) {
            side.sign = sign;
            side.places = std::move(places);
            side.model = std::move(model);
        }
    }
}

}  // namespace

bool is_explained(const Explanation& side) {
    return side.model && side.places.unexplained == 0;
}

bool is_plain(const Explanation& side) {
    return is_explained(side) && side.model->right && constant_offset(side).has_value();
}

std::vector<double> signed_omega(const SpectrumModel& model, int sign, Index pairs) {
    std::vector<double> omega = model.omega;
    omega.resize(pairs, 0.0);
    for (double& each : omega) {
        each *= sign;
    }
    return omega;
}

void try_models(Explanation& side, std::span<const RopeSpec> expected) {
    Index reach = 0;
    for (const double position : side.stated) {
        reach = std::max(reach, static_cast<Index>(position) + 1);
    }
    for (ModelSource* const source : model_sources()) {
        std::vector<Index> widths = possible_widths(side);
        const bool usual =
            widths.back() * 2 == widths.front() || widths.back() * 4 == widths.front();
        if (source == &default_spectra && usual) {
            // Models turn a half or a quarter of the channels. In 16 bits the square or the fourth
            // power of their base fits all channels as well, but then some bits would change.
            std::ranges::reverse(widths);
        }
        for (const Index width : widths) {
            for (const int sign : {1, -1}) {
                if (side.model && side.places.unexplained == 0) {
                    return;
                }
                const Speeds speeds = with_sign(side.speeds, sign);
                try_source(side, source,
                           {speeds, side.head_dim, width, reach, expected, side.pairing.blocks},
                           sign);
            }
        }
    }
}

}  // namespace ropescope::diagnosis
