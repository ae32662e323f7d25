// Collects many cases and keeps the one that comes nearest to its bound or exceeds it most.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "core/checks/check.h"

namespace ropescope {

/// Keeps the case with the largest error / bound, together with its own error and bound, so that a
/// bound which depends on the case (position, precision) stays sharp for the easy cases. All cases
/// hold if and only if the kept one does.
class WorstCase {
  public:
    /// Measures only `cases`, which must outlive this.
    explicit WorstCase(const Cases& cases) : wanted_(cases) {}

    /// `describe` returns the name of the case (check.h). If all cases are wanted, it is called
    /// only when the case becomes the worst.
    template <typename Describe>
    void add(double error, double bound, Describe&& describe) {
        if (!wanted(describe)) {
            return;
        }
        ++cases_;
        const double load = load_of(error, bound);
        if (load > load_ || (load == load_ && error > error_)) {
            load_ = load;
            error_ = error;
            bound_ = bound;
            where_ = std::forward<Describe>(describe)();
        }
    }

    /// at_most() of the worst case. Failed if there was no case, because then nothing was proved;
    /// skipped if cases were named and none has that name.
    CheckFinding finding(std::string bound_reason, const std::string& swept) const;

  private:
    template <typename Describe>
    bool wanted(const Describe& describe) const {
        if (wanted_.all() && !wanted_.measured) {
            return true;
        }
        const std::string name = describe();
        const bool contained = wanted_.contain(name);
        if (contained && wanted_.measured) {
            wanted_.measured(name);
        }
        return contained;
    }

    /// error / bound; a bound of 0 allows only 0, and NaN is worse than anything.
    static double load_of(double error, double bound) {
        if (std::isnan(error) || std::isnan(bound)) {
            return std::numeric_limits<double>::infinity();
        }
        if (bound > 0.0) {
            return std::min(error / bound, std::numeric_limits<double>::max());
        }
        return error <= bound ? 0.0 : std::numeric_limits<double>::max();
    }

    const Cases& wanted_;
    std::int64_t cases_ = 0;
    double load_ = -1.0;
    double error_ = 0.0;
    double bound_ = 0.0;
    std::string where_;
};

}  // namespace ropescope
