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

PlannedAngle planned_angle(const RotationPlan& plan, Index pair, Index b, Index h, Index l) {
    std::vector<double> position, omega;
    PlannedAngle angle;
    double rounded = 0;
    for (Index a = 0; a < plan.axes; ++a) {
        position.push_back(round_to(plan.position, plan.position_of(a, b, h, l)));
        omega.push_back(round_to(plan.inv_freq, plan.omega_rad[plan.omega_at(h, pair) + a]));
        const double product = position.back() * omega.back();
        angle.magnitude_rad += std::abs(product);
        rounded = round_to(plan.angle, rounded + round_to(plan.angle, product));
    }
    if (plan.angle != NumberFormat::exact) {
        position = {rounded};
        omega = {1.0};
    }
    angle.reduced_rad = reduced_angle_sum_rad(position, omega);
    return angle;
}

namespace {

struct CosSin {
    double cos = 1, sin = 0;
};

CosSin table_entry(const RotationPlan& plan, Index pair, Index b, Index h, Index l) {
    const long double angle = planned_angle(plan, pair, b, h, l).reduced_rad;
    const CosSin entry{round_to(plan.table, plan.gain * static_cast<double>(std::cos(angle))),
                       round_to(plan.table, plan.gain * static_cast<double>(std::sin(angle)))};
    return plan.exchanged ? CosSin{entry.sin, entry.cos} : entry;
}

Index entry_of(const std::vector<Index>& entries, Index pair) {
    return entries.empty() ? pair : entries[static_cast<std::size_t>(pair)];
}

/// Turns a pair at a token in every `step`-th head from `first_head` on, which turn alike.
void turn(const RotationPlan& plan, std::span<const double> x, std::vector<double>& result,
          Index pair, Index b, Index l, Index first_head, Index step) {
    const CosSin of_first = table_entry(plan, entry_of(plan.first_entry, pair), b, first_head, l);
    const CosSin of_second =
        plan.second_entry.empty()
            ? of_first
            : table_entry(plan, entry_of(plan.second_entry, pair), b, first_head, l);
    for (Index head = first_head; head < plan.shape.heads; head += step) {
        if (plan.rests(b, head)) {
            continue;
        }
        const Index row = plan.row(b, head, l);
        const double first = x[row + plan.pairs[pair].first];
        const double second = x[row + plan.pairs[pair].second];
        const double crossed = second * of_first.sin;
        result[row + plan.written[pair].first] =
            plan.minus_lost ? first * of_first.cos + crossed : first * of_first.cos - crossed;
        result[row + plan.written[pair].second] = first * of_second.sin + second * of_second.cos;
    }
}

}  // namespace

std::vector<double> rotated(const RotationPlan& plan, std::span<const double> x) {
    const HeadShape& shape = plan.shape;
    const Index own_heads = plan.heads_differ() ? shape.heads : 1;
    std::vector<double> result(x.begin(), x.end());
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
