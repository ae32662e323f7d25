// Holds an answer to wrong ones that are given or made again.
#include "core/vectors/naming.h"

#include <algorithm>
#include <cmath>

#include "core/faults/rotation/catalogue.h"
#include "core/faults/rotation/near_faults.h"
#include "core/vectors/rotation_case.h"

namespace ropescope::vectors {

bool Naming::consider(const std::string& code, const std::string& text,
                      std::span<const double> wrong, std::span<const double> width) {
    bool same = true, told = false;
    double farthest = 0.0;
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        if (!std::isfinite(wrong[i])) {
            continue;
        }
        const double tolerance = asked_.tolerance[i];
        const double from_right = std::abs(wrong[i] - asked_.wanted[i]);
        same = same && std::abs(asked_.values[i] - wrong[i]) <= width[i];
        // Beyond this no number can be right and that wrong one at once.
        told = told || from_right > width[i] + tolerance;
        farthest = std::max(farthest, tolerance > 0.0 ? from_right / tolerance : from_right);
    }
    if (!told) {
        return false;
    }
    nearest_ = std::min(nearest_, farthest);
    if (same) {
        found_.push_back({code, text});
    }
    return same;
}

bool Naming::consider_listed(const std::string& code, const std::string& text,
                             std::span<const double> wrong, double tolerances) {
    std::vector<double> width;
    for (const double tolerance : asked_.tolerance) {
        width.push_back(width_of_wrong(tolerance, tolerances, unit_of(asked_.dtype)));
    }
    return consider(code, text, wrong, width);
}

bool Naming::consider_plan(const std::string& code, const std::string& text,
                           const faults::RotationPlan& plan, const RemadeCase& made) {
    Exactness exactness = exactness_of(asked_.dtype, plan);
    exactness.rounding += made.norm_share;
    return consider(code, text, rotated(plan, made.x), tolerances(plan, made.x, exactness));
}

void Naming::consider_catalogue(const RemadeCase& made) {
    for (const faults::RotationFault& fault : faults::rotation_faults()) {
        const std::optional<faults::RotationPlan> plan =
            plan_with(fault, {made.right, made.spec ? &*made.spec : nullptr});
        if (plan) {
            consider_plan(std::string(fault.code), std::string(fault.text), *plan, made);
        }
    }
}

void Naming::consider_near(const RemadeCase& made) {
    const auto matches = [&](const faults::RotationPlan& plan) {
        return consider_plan({}, {}, plan, made);
    };
    const std::optional<faults::NamedFault> near =
        find_near_fault(made.right, made.spec ? &*made.spec : nullptr, matches);
    if (near) {
        found_.back() = {near->code, near->text};
    }
}

}  // namespace ropescope::vectors
