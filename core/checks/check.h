// A check: one statement that the program proves by computing it now, and what came out.
// registry.cpp lists all of them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/checks/cases.h"
#include "core/checks/check_families.h"
#include "core/engine/engine.h"

namespace ropescope {

/// The outcome of a check. `measured` is the largest error found (or another number that decides);
/// the check passes if measured <= bound.
struct Finding {
    Status status = Status::passed;
    double measured = 0.0;
    double bound = 0.0;
    std::string bound_reason;     ///< where the bound comes from, in a few words with its formula
    std::string detail;           ///< what was swept and where the worst case lies
    std::string worst_case = {};  ///< its name (cases.h); empty if the check has no cases
};

/// A finding that passed if measured <= bound and failed otherwise, also if either is NaN.
Finding at_most(double measured, double bound, std::string bound_reason, std::string detail);

/// A finding that says why nothing could be measured here.
Finding skipped(std::string reason);

/// A finding that is only a remark.
Finding note(std::string text);

struct CheckContext {
    std::vector<Engine*> engines;  ///< those that the checks of engines run on, CPU first
    Cases cases = {};              ///< of every sweep, those to measure
};

struct Check {
    std::string id;         ///< "rope.shift_invariance": family, dot, name
    std::string title;      ///< a few words
    std::string source;     ///< paper, equation, text or function
    std::string statement;  ///< what is claimed, one sentence
    /// The view that shows it, with settings of its scene: "layouts system_b=mistral". Empty if no
    /// view does.
    std::string figure;
    std::function<Finding(const CheckContext&)> run;
};

/// "rope" of "rope.shift_invariance".
std::string_view family_of(std::string_view check_id);

/// Every check, grouped by family in the order of the report.
const std::vector<Check>& all_checks();

}  // namespace ropescope
