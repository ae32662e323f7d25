// Carries a plan out, pair by pair.
#include "core/vectors/rotation_plan.h"

#include <cmath>

#include "core/base/float16.h"
#include "core/rope/spectrum.h"

namespace ropescope::vectors {
namespace {

double rounded_to(double value, Rounded format) {
    switch (format) {
        case Rounded::exact:
            return value;
        case Rounded::f16:
            return f32_from_f16(f16_from_f64(value));
        case Rounded::bf16:
            return f32_from_bf16(bf16_from_f64(value));
    }
    return value;
}

}  // namespace

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
    for (Index a = 0; a < plan.axes; ++a) {
        position.push_back(rounded_to(plan.position_at(a, b, l), plan.position));
        omega.push_back(rounded_to(plan.omega_rad[plan.omega_at(h, pair) + a], plan.inv_freq));
        angle.magnitude_rad += std::abs(position.back() * omega.back());
    }
    angle.reduced_rad = reduced_angle_sum_rad(position, omega);
    return angle;
}

std::vector<double> rotated(const RotationPlan& plan, std::span<const double> x) {
    const HeadShape& shape = plan.shape;
    const Index own_heads = plan.heads_differ() ? shape.heads : 1;
    std::vector<double> result(x.begin(), x.end());
    for (Index i = 0; i < std::ssize(plan.pairs); ++i) {
        for (Index b = 0; b < shape.batch; ++b) {
            for (Index l = 0; l < shape.length; ++l) {
                for (Index h = 0; h < own_heads; ++h) {
                    const long double angle = planned_angle(plan, i, b, h, l).reduced_rad;
                    const double cos =
                        rounded_to(plan.gain * static_cast<double>(std::cos(angle)), plan.table);
                    const double sin =
                        rounded_to(plan.gain * static_cast<double>(std::sin(angle)), plan.table);
                    for (Index head = h; head < shape.heads; head += own_heads) {
                        const Index row = plan.row(b, head, l);
                        const double first = x[row + plan.pairs[i].first];
                        const double second = x[row + plan.pairs[i].second];
                        result[row + plan.written[i].first] = first * cos - second * sin;
                        result[row + plan.written[i].second] = first * sin + second * cos;
                    }
                }
            }
        }
    }
    return result;
}

}  // namespace ropescope::vectors
