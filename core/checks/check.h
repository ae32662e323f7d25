// A check: one statement that the program proves by computing it now, and what came out.
// registry.cpp lists all of them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/checks/check_families.h"
#include "core/engine/engine.h"

namespace ropescope {

// Which cases of a sweep a run of checks measures. A case has a name made of settings, such as
// "by=cpu head_dim=128 base=1e+06 m=40"; a report names the worst one, and that name runs it again.

class Cases {
  public:
    /// All of them.
    Cases() = default;
    /// Those whose names hold every setting of `text`, "head_dim=128 base=1e6 m=40" in any order;
    /// numbers are compared as numbers. Throws InputError if `text` has a word that is not a
    /// setting.
    explicit Cases(std::string_view text);

    /// Called with the name of every case that is measured; may be empty.
    std::function<void(const std::string& name)> measured;

    bool all() const { return wanted_.empty(); }
    bool contain(std::string_view name) const;
    /// Whether names that begin with these settings can be among them: none of the settings is
    /// another than the wanted one. Spares the work for the others.
    bool may_contain(std::string_view settings) const;

  private:
    struct Setting {
        std::string key;  ///< with its "="
        std::string value;
        std::optional<double> number;
    };
    /// How many of the settings the name has; nothing if it has another value for one.
    std::optional<std::size_t> agreeing(std::string_view name) const;

    std::vector<Setting> wanted_;
};

/// The outcome of a check. `measured` is the largest error found (or another number that decides);
/// the check passes if measured <= bound.
struct CheckFinding {
    Status status = Status::passed;
    double measured = 0.0;
    double bound = 0.0;
    std::string bound_reason;     ///< where the bound comes from, in a few words with its formula
    std::string detail;           ///< what was swept and where the worst case lies
    std::string worst_case = {};  ///< its name; empty if the check has no cases
};

/// A finding that passed if measured <= bound and failed otherwise, also if either is NaN.
CheckFinding at_most(double measured, double bound, std::string bound_reason, std::string detail);

/// A finding that says why nothing could be measured here.
CheckFinding skipped(std::string reason);

/// A finding that is only a remark.
CheckFinding note(std::string text);

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
    std::function<CheckFinding(const CheckContext&)> run;
};

/// "rope" of "rope.shift_invariance".
std::string_view family_of(std::string_view check_id);

/// Every check, grouped by family in the order of the report.
const std::vector<Check>& all_checks();

}  // namespace ropescope
