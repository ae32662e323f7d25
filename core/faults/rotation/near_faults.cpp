// Tries the bases of published models, offsets of a few positions and tables of round lengths.
#include "core/faults/rotation/near_faults.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

#include "core/faults/codes.h"
#include "core/faults/rotation/spectra.h"
#include "core/rope/spectrum.h"

namespace ropescope::faults {
namespace {

using Matches = std::function<bool(const RotationPlan&)>;

RotationPlan with_moved(RotationPlan plan, const std::function<double(double)>& moved) {
    std::ranges::transform(plan.positions, plan.positions.begin(), moved);
    return plan;
}

std::optional<NearFault> other_base(const RotationPlan& right, const RopeSpec& spec,
                                    const Matches& matches) {
    for (const double base : usual_bases()) {
        RopeSpec other = spec;
        other.base = base;
        if (base == spec.base) {
            continue;
        }
        for (const bool scaled : {true, false}) {
            if (!scaled) {
                other.scaling = NoScaling{};
            }
            const Spectrum spectrum = make_spectrum(other);
            RotationPlan plan = right;
            plan.omega_rad = spectrum.inv_freq_rad;
            if (right.omega_rad.front() < 0.0) {  // a model that turns the other way
                std::ranges::transform(plan.omega_rad, plan.omega_rad.begin(), std::negate());
            }
            plan.gain = spectrum.attention_factor;
            if (matches(plan)) {
                return NearFault{code("spectrum.default"),
                                 fmt::format("the base was {:.10g} in place of {:.10g}{}", base,
                                             spec.base, scaled ? "" : ", and nothing was scaled")};
            }
            if (std::holds_alternative<NoScaling>(other.scaling)) {
                break;
            }
        }
    }
    return std::nullopt;
}

std::optional<NearFault> other_offset(const RotationPlan& right, const RopeSpec& /*spec*/,
                                      const Matches& matches) {
    constexpr int kMost = 64;
    for (int distance = 1; distance <= kMost; ++distance) {
        for (const int offset : {distance, -distance}) {
            if (matches(with_moved(right, [=](double position) { return position + offset; }))) {
                return NearFault{code("positions.offset"),
                                 fmt::format("every position was {:+d} from its own", offset)};
            }
        }
    }
    return std::nullopt;
}

std::optional<NearFault> other_scale(const RotationPlan& right, const RopeSpec& /*spec*/,
                                     const Matches& matches) {
    for (const double factor : {2.0, 3.0, 4.0, 8.0, 16.0, 32.0}) {
        for (const double scale : {factor, 1.0 / factor}) {
            if (matches(with_moved(right, [=](double position) { return position * scale; }))) {
                return NearFault{code("positions.scaled"),
                                 fmt::format("the positions were multiplied by {:.6g}", scale)};
            }
        }
    }
    return std::nullopt;
}

std::optional<NearFault> short_table(const RotationPlan& right, const RopeSpec& /*spec*/,
                                     const Matches& matches) {
    for (double rows = 128.0; rows <= 0x1p20; rows *= 2.0) {
        if (matches(with_moved(right,
                               [=](double position) { return std::min(position, rows - 1.0); }))) {
            return NearFault{code("positions.clamped"),
                             fmt::format("a table of {:.0f} rows gave its last row for all later "
                                         "tokens",
                                         rows)};
        }
        if (matches(
                with_moved(right, [=](double position) { return std::fmod(position, rows); }))) {
            return NearFault{code("positions.restart"),
                             fmt::format("positions began again at {:.0f}", rows)};
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<NearFault> find_near_fault(const RotationPlan& right, const RopeSpec& spec,
                                         const std::function<bool(const RotationPlan&)>& matches) {
    for (const auto& family : {other_base, other_offset, other_scale, short_table}) {
        if (auto found = family(right, spec, matches)) {
            return found;
        }
    }
    return std::nullopt;
}

}  // namespace ropescope::faults
