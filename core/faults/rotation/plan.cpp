// Carries a plan out, pair by pair.
#include "core/faults/rotation/plan.h"

#include <cmath>

#include "core/rope/spectrum.h"

namespace ropescope::faults {

RotationPlan plan_of(const RotaryScheme& scheme, HeadShape shape, std::vector<double> positions) {
    RotationPlan plan{.shape = shape,
                      .pairs = scheme.pairs,
                      .written = scheme.pairs,
                      .axes = std::ssize(scheme.axes),
                      .positions = std::move(positions),
                      .gain = scheme.heads.front().attention_factor};
    for (const Spectrum& head : scheme.heads) {
        plan.omega_rad.insert(plan.omega_rad.end(), head.inv_freq_rad.begin(),
                              head.inv_freq_rad.end());
    }
    return plan;
}

namespace {

/// The angle with the roundings of the plan, or without them.
PlannedAngle angle_of(const RotationPlan& plan, Index pair, Index b, Index h, Index l, bool rounds,
                      double nudge) {
    const Rounding none;
    const Rounding &of_position = rounds ? plan.position : none,
                   &of_omega = rounds ? plan.inv_freq : none,
                   &of_angle = rounds ? plan.angle : none;
    std::vector<double> position, omega;
    PlannedAngle angle;
    double rounded = 0;
    for (Index a = 0; a < plan.axes; ++a) {
        position.push_back(of_position(plan.position_of(a, b, h, l)));
        const double exact = plan.omega_rad[plan.omega_at(h, pair) + a];
        omega.push_back(of_omega(nudge == 0.0 ? exact : exact * (1.0 + nudge)));
        const double product = position.back() * omega.back();
        angle.magnitude_rad += std::abs(product);
        rounded = of_angle(rounded + of_angle(product));
    }
    if (!of_angle.none()) {
        position = {rounded};
        omega = {1.0};
    }
    angle.reduced_rad = reduced_angle_sum_rad(position, omega);
    return angle;
}

struct CosSin {
    double cos = 1, sin = 0;
};

CosSin table_entry(const RotationPlan& plan, Index pair, Index b, Index h, Index l, bool rounds,
                   const Nudge& nudge) {
    const long double angle = angle_of(plan, pair, b, h, l, rounds, nudge.omega).reduced_rad;
    const Rounding rounding = rounds ? plan.table : Rounding();
    return {rounding(plan.gain * static_cast<double>(std::cos(angle)) + nudge.cosine),
            rounding(plan.gain * static_cast<double>(std::sin(angle)) + nudge.sine)};
}

Index entry_of(const std::vector<Index>& entries, Index pair) {
    return entries.empty() ? pair : entries[static_cast<std::size_t>(pair)];
}

/// Turns a pair at a token in every `step`-th head from `first_head` on, which turn alike.
void turn(const RotationPlan& plan, std::span<const double> x, std::vector<double>& result,
          Index pair, Index b, Index l, Index first_head, Index step) {
    const PairMap map = planned_map(plan, pair, b, first_head, l, {});
    for (Index head = first_head; head < plan.shape.heads; head += step) {
        if (plan.rests(b, head)) {
            continue;
        }
        const Index row = plan.row(b, head, l);
        const double first = x[row + plan.pairs[pair].first];
        const double second = x[row + plan.pairs[pair].second];
        const auto sum = [&](std::size_t at) {
            return plan.after(plan.factor * (map[at] * plan.taken(first, at) +
                                             map[at + 1] * plan.taken(second, at + 1)));
        };
        result[row + plan.written[pair].first] = sum(0);
        result[row + plan.written[pair].second] = sum(2);
    }
}

}  // namespace

double Rounding::operator()(double value) const {
    if (steps != 0.0) {
        return std::nearbyint(value * steps) / steps;
    }
    if (bits != 0) {
        int exponent = 0;
        const double fraction = std::frexp(value, &exponent);
        return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
    }
    return round_to(format, value);
}

PlannedAngle planned_angle(const RotationPlan& plan, Index pair, Index b, Index h, Index l) {
    return angle_of(plan, pair, b, h, l, true, 0.0);
}

PairMap planned_map(const RotationPlan& plan, Index pair, Index b, Index h, Index l,
                    const Nudge& nudge) {
    const auto matrix = [&](bool rounds) {
        const auto entry = [&](const std::vector<Index>& entries) {
            return table_entry(plan, entry_of(entries, pair), b, h, l, rounds, nudge);
        };
        CosSin of_first = entry(plan.first_entry);
        if (!plan.sine_entry.empty()) {
            of_first.sin = entry(plan.sine_entry).sin;
        }
        const CosSin of_second = plan.second_entry.empty() ? of_first : entry(plan.second_entry);
        if (!plan.map) {
            return PairMap{of_first.cos, -of_first.sin, of_second.sin, of_second.cos};
        }
        const PairMap upper = plan.map(of_first.cos, of_first.sin);
        const PairMap lower =
            plan.second_entry.empty() ? upper : plan.map(of_second.cos, of_second.sin);
        return PairMap{upper[0], upper[1], lower[2], lower[3]};
    };
    PairMap map = matrix(true);
    if (plan.rounded != RotationPlan::kAllProducts && plan.rounds()) {
        const PairMap exact = matrix(false);
        for (std::size_t i = 0; i < map.size(); ++i) {
            map[i] = (plan.rounded >> i & 1U) != 0 ? map[i] : exact[i];
        }
    }
    return map;
}

std::vector<double> rotated(const RotationPlan& plan, std::span<const double> x) {
    const HeadShape& shape = plan.shape;
    const Index own_heads = plan.heads_differ() ? shape.heads : 1;
    std::vector<double> result(x.begin(), x.end());
    for (double& number : result) {
        number = plan.rounds_still ? plan.after(plan.factor * plan.before(number))
                                   : plan.factor * number;
    }
    for (Index i = 0; i < std::ssize(plan.pairs); ++i) {
        for (Index b = 0; b < shape.batch; ++b) {
            for (Index l = 0; l < shape.length; ++l) {
                for (Index h = 0; h < own_heads; ++h) {
                    turn(plan, x, result, i, b, l, h, own_heads);
                }
            }
        }
    }
    return result;
}

}  // namespace ropescope::faults
