// What the checks view lists: the checks that its filters leave, on pages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "core/base/index.h"
#include "core/checks/check.h"
#include "core/checks/check_run.h"

namespace ropescope::figures {

/// A check with its finding, which is empty until the check has been run.
struct CheckRow {
    const Check* check = nullptr;
    std::optional<Finding> finding = {};

    bool is(Status status) const { return finding && finding->status == status; }
    /// Whether a number decides it, and is known.
    bool is_measured() const { return is(Status::passed) || is(Status::failed); }
};

/// A line of the list: a check, or the name of the family that begins or goes on.
struct CheckLine {
    const CheckRow* row = nullptr;
    std::string heading = {};
};

struct CheckList {
    std::vector<CheckRow> all;
    std::vector<const CheckRow*> shown;         ///< the rows that the filters leave, point into all
    const CheckRow* selected = nullptr;         ///< null if nothing is shown
    std::vector<std::vector<CheckLine>> pages;  ///< point into all
    Index page = 0;                             ///< the one with the selected check
    Index lines = 0;                            ///< room on a page
    std::string nothing = {};                   ///< why none is shown, with near matches

    int count(Status status) const;
    bool finished() const;
    bool shows(const CheckRow& row) const;
};

/// Lists the checks that the run was asked for, or all of the library if it was asked for none.
/// Throws InputError naming near matches if the selected check is not among them.
CheckList list_checks(const Scene& scene, const CheckRun& run);

/// The settings that open the figure of a check, the view first: "view=layouts",
/// "system_b=mistral". Empty if no view shows the check.
std::vector<std::string> settings_of(const Check& check);

}  // namespace ropescope::figures
