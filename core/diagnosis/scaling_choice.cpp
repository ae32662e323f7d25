// Tells a method of scaling from the same spectrum without it, where rounding is as large as their
// difference: each angle leaves both possible, and all angles together do not.
#include <algorithm>
#include <cmath>

#include "core/diagnosis/model_search.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"
#include "core/rope/spectrum.h"

namespace ropescope::diagnosis {
namespace {

bool same_speeds(const SpectrumModel& a, const SpectrumModel& b) {
    return std::ranges::equal(a.omega, b.omega, [](double x, double y) {
        return std::abs(x - y) <= 0x1p-18 * std::abs(y);
    });
}

/// A factor on lengths that the method has and that was found.
bool shown_by_gain(const Explanation& side, const RopeSpec& spec) {
    const double factor = make_spectrum(spec).attention_factor;
    const double rounding = 2.0 * side.noise.table_rad + 2.0 * side.format.unit + 1e-4;
    return side.gain.uniform && std::abs(factor - 1.0) > 2.0 * rounding &&
           std::abs(side.gain.value - factor) <= rounding;
}

/// Where all angles lie between two spectra: at 0 they are those of the first, at 1 of the other.
struct Between {
    double place = 0.0;
    double information = 0.0;  ///< sum of (difference / bound of rounding)^2
    Index heads = 1;           ///< that each angle was fitted to

    /// A bound is made of four roundings, each uniform within a quarter of it: an angle has a
    /// standard deviation of 2 / sqrt(3) / 4 = 0.29 bounds. That of the table is common to all
    /// heads, the other three are not. `place` then has one of 0.29 / sqrt(information / share),
    /// and where that is a tenth, half the way is five of them.
    bool tells() const {
        const double share = 0.25 + 0.75 / to_double(heads);
        return information >= 9.0 * share;
    }
};

Between between(const Explanation& side, const SpectrumModel& first, const SpectrumModel& other) {
    const std::vector<double> a = signed_omega(first, side.sign, side.turns.pairs);
    const std::vector<double> b = signed_omega(other, side.sign, side.turns.pairs);
    Between between{.heads = side.turns.summed_heads};
    for (std::size_t token = 0; token < side.places.position.size(); ++token) {
        const double position = side.places.position[token];
        for (Index pair = 0; pair < side.turns.pairs; ++pair) {
            const std::size_t at = token * side.turns.pairs + pair;
            const double bound = side.turns.error_rad[at] + side.noise.table_rad +
                                 side.noise.relative * std::abs(a[pair] * position);
            // A channel that should change by less than a step of its format does not change at
            // all, so that angles below a unit look smaller than they are; the bound is four.
            const double least =
                std::min(std::abs(a[pair]), std::abs(b[pair])) * std::abs(position);
            if (!(bound < 1.0) || 2.0 * least < bound) {
                continue;
            }
            const double difference = wrapped((b[pair] - a[pair]) * position) / bound;
            const double off = wrapped(side.turns.angle_rad[at] - a[pair] * position) / bound;
            between.place += difference * off;
            between.information += difference * difference;
        }
    }
    between.place /= std::max(between.information, 1e-300);
    return between;
}

bool explains_all(const Explanation& side, const SpectrumModel& model) {
    const std::vector<double> omega = signed_omega(model, side.sign, side.turns.pairs);
    double worst = 0.0;
    for (Index row = 0; row < side.turns.rows; ++row) {
        for (Index token = 0; token < side.turns.length; ++token) {
            const double position = side.places.position[row * side.turns.length + token];
            if (!explains(side.turns, row, token, omega, position, side.noise, worst)) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace

void settle_scaling(Explanation& side, std::span<const RopeSpec> expected) {
    if (!is_explained(side) || std::holds_alternative<NoScaling>(side.model->scaling)) {
        return;
    }
    for (const RopeSpec& spec : expected) {
        if (spec.scaling != side.model->scaling) {
            continue;
        }
        SpectrumModel unscaled = default_spectrum(spec.rotary_dim, spec.base);
        if (same_speeds(*side.model, unscaled) || !explains_all(side, unscaled)) {
            continue;
        }
        const Between found = between(side, *side.model, unscaled);
        if (!found.tells() && !shown_by_gain(side, spec)) {
            side.too_little = {say::kScalingOpen,
                               {side.side, std::string(scaling_type(spec.scaling)),
                                std::string(numpy_name(side.format.dtype))}};
        } else if (found.tells() && found.place > 0.5) {
            side.model = std::move(unscaled);
            side.lacks_scaling = true;
        }
        return;
    }
}

}  // namespace ropescope::diagnosis
