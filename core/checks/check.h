// One statement that the program proves by computing it now.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/engine.h"

namespace ropescope {

/// note: a remark that no number decides; it counts as no check.
enum class Status { passed, failed, skipped, note };
std::string_view to_string(Status status);

/// `measured` is the largest error (or the number that decides) found, and holds when measured <=
/// bound.
struct Finding {
    Status status = Status::passed;
    double measured = 0.0;
    double bound = 0.0;
    std::string bound_reason;  ///< where the bound comes from, in a few words with its formula
    std::string detail;        ///< what was swept and where the worst case lies
};

/// passed when measured <= bound, failed otherwise (and when measured is NaN).
Finding at_most(double measured, double bound, std::string bound_reason, std::string detail);

/// What could not be measured here, and why.
Finding skipped(std::string reason);

/// A remark.
Finding note(std::string text);

struct CheckContext {
    std::vector<Engine*>
        engines;  ///< the engines that engine-dependent checks are run on, CPU first
};

struct Check {
    std::string id;         ///< "rope.shift_invariance": family, dot, name
    std::string title;      ///< a few words
    std::string source;     ///< paper, equation, seed document, function
    std::string statement;  ///< what is claimed, one sentence
    /// The view that shows it, and settings of its scene: "layouts system_b=mistral"; "" when none
    /// does.
    std::string figure;
    std::function<Finding(const CheckContext&)> run;
};

/// "rope" of "rope.shift_invariance".
std::string_view family_of(std::string_view check_id);

/// Every check, grouped by family in the order of the report.
const std::vector<Check>& all_checks();

}  // namespace ropescope
