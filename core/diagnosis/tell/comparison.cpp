// Chooses sides by what is known of them.
#include "core/diagnosis/tell/comparison.h"

#include <algorithm>
#include <cmath>

namespace ropescope::diagnosis {
namespace {

/// Whether mixed pairs turn alike, or all the other way if `sign` is -1, and the other pairs at the
/// same speed by whichever axis.
bool same_rows(const AxisMap& q, const AxisMap& k, double sign) {
    for (Index p = 0; p < std::min(std::ssize(q.axis), std::ssize(k.axis)); ++p) {
        const double error = q.error[p] + k.error[p];
        const auto alike = [&](double a, double b) {
            return std::abs(a - b) <= error + 0x1p-18 * std::abs(a);
        };
        const auto mirrored = [&](double a, double b) { return alike(a, sign * b); };
        const bool mixed = q.axis[p] == kMixedAxes && k.axis[p] == kMixedAxes;
        if (mixed ? !std::ranges::equal(q.mixed[p], k.mixed[p], mirrored)
                  : !alike(std::abs(q.omega[p]), std::abs(k.omega[p]))) {
            return false;
        }
    }
    return true;
}

}  // namespace

Sides paired(const std::vector<Explanation>& sides) {
    Sides found;
    for (const Explanation& side : sides) {
        if (side.pairing.kind == PairingKind::found) {
            found.push_back(&side);
        }
    }
    return found;
}

Sides explained(const std::vector<Explanation>& sides) {
    Sides found;
    for (const Explanation& side : sides) {
        if (side.model) {
            found.push_back(&side);
        }
    }
    return found;
}

Side sides_of(const Sides& sides) {
    return sides.size() == 2 ? Side::both : sides.front()->side;
}

bool same_layout(const Explanation& a, const Explanation& b) {
    return a.pairing.pairs == b.pairing.pairs && a.pairing.rotated == b.pairing.rotated;
}

bool same_spectrum(const Explanation& q, const Explanation& k) {
    if (q.model->rounded != k.model->rounded) {
        return false;  // rounding was recognised number by number, finer than speeds are measured
    }
    if (q.axis_map && k.axis_map) {
        return same_rows(*q.axis_map, *k.axis_map, 1.0);
    }
    const auto omega = [](const Explanation& side, Index i) {
        return i < std::ssize(side.model->omega) ? side.model->omega[i] : 0.0;
    };
    for (Index i = 0; i < std::max(std::ssize(q.model->omega), std::ssize(k.model->omega)); ++i) {
        const auto error = [&](const Explanation& side) {
            return side.speeds.known() && i < std::ssize(side.speeds.error) ? side.speeds.error[i]
                                                                            : 0.0;
        };
        const double a = omega(q, i), b = omega(k, i);
        if (std::abs(a - b) > error(q) + error(k) + 0x1p-18 * std::abs(a)) {
            return false;
        }
    }
    return true;
}

bool mixed_backwards(const Explanation& q, const Explanation& k) {
    return q.axis_map && k.axis_map && q.axis_map->has_mixed() &&
           same_rows(*q.axis_map, *k.axis_map, -1.0);
}

}  // namespace ropescope::diagnosis
