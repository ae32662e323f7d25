// The checks of long-term decay. They take the function that computes its curves, so that tests can
// run them on wrong ones.
#pragma once

#include <functional>
#include <optional>

#include "core/analysis/decay.h"
#include "core/checks/check.h"

namespace ropescope {

using DecayAt = std::function<DecayPoint(const Spectrum&, std::int64_t distance)>;
using DecayRun =
    std::function<DecayCurves(const Spectrum&, std::int64_t first, std::int64_t count)>;

CheckFinding decay_starts_at_its_height(const DecayAt& at, const Cases& cases = {});
CheckFinding decay_matches_long_double(const DecayAt& at, const Cases& cases = {});
CheckFinding decay_run_matches_points(const DecayRun& run, const Cases& cases = {});
CheckFinding decay_bounds_scores(const DecayAt& at, const Cases& cases = {});
CheckFinding decay_is_not_monotone(const DecayRun& run);

using FirstNegative = std::function<std::optional<Index>(const Spectrum&, Index last)>;
CheckFinding decay_first_negative(const FirstNegative& first, const Cases& cases = {});
CheckFinding decay_bases_are_no_interval();

}  // namespace ropescope
