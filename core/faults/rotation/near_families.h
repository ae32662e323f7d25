// The families of near faults (near_faults.h): each tries its own changes of a plan and returns the
// first that matches. Sources: near_faults.cpp, term_faults.cpp, rounding_faults.cpp,
// position_families.cpp, fitted_faults.cpp, width_faults.cpp.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "core/faults/rotation/near_faults.h"

namespace ropescope::faults {

struct NearSubject {
    const RotationPlan& right;
    const RopeSpec* spec = nullptr;  ///< of a model in one axis; null for several
    const PlanMatches& matches;
    std::span<const MeasuredAngle> measured = {};
};
using Near = std::optional<NamedFault>;

/// What is made of cos and sin: a lost term, another sign, one table in place of both.
Near other_terms(const NearSubject& subject);
/// A factor on the numbers that turn, or on all of them, which follows from measured lengths.
Near other_gain(const NearSubject& subject);
/// Cos and sin of another pair.
Near other_entries(const NearSubject& subject);
/// Numbers that were rounded on the way: tables, frequencies, angles, one of cos and sin.
Near other_roundings(const NearSubject& subject);
/// Positions by a rule without a number of its own: halves, in reverse, of another row or head.
Near other_places(const NearSubject& subject);
/// Exponents over another width, and other widths of the part that turns.
Near other_widths(const NearSubject& subject);
/// Parameters of the spectrum whose number follows from the measured angles.
Near other_parameters(const NearSubject& subject);

/// The plan with other frequencies before they are scaled: speed(i) in place of base^(-2i / d).
/// Every method scales them pair by pair. Nothing for a model of several axes.
std::optional<RotationPlan> with_unscaled(const NearSubject& subject,
                                          const std::function<double(Index pair)>& speed);
/// The plan with the frequencies of another spec of the same model, forwards or backwards as the
/// right one; nothing if the plan does not turn as a model of one axis.
std::optional<RotationPlan> with_spectrum_of(const RotationPlan& right, const RopeSpec& spec);

}  // namespace ropescope::faults
