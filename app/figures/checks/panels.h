// What the panels of the checks view are made from.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/checks/check_run.h"

namespace ropescope::figures {

/// A check with what the run has found; no finding while it has not been run.
struct CheckRow {
    const Check* check = nullptr;
    const Finding* finding = nullptr;
};

/// A line of the list: a check, or the name of the family that begins or goes on.
struct CheckLine {
    const CheckRow* row = nullptr;
    std::string heading = {};
};

struct CheckList {
    std::vector<CheckRow> all;
    std::vector<const CheckRow*> shown;         ///< that the scene's filters leave, points into all
    const CheckRow* selected = nullptr;         ///< null when nothing is shown
    std::vector<std::vector<CheckLine>> pages;  ///< point into all
    std::size_t page = 0;                       ///< the one with the selected check
    std::string nothing = {};                   ///< why none is shown, with near matches

    int count(Status status) const;
    bool finished() const;
};

/// Throws InputError naming near matches when the selected check does not exist.
CheckList list_checks(const Scene& scene, const CheckRun& run);

/// As in the report: "ok", "FAIL", "skip", "note"; "..." before the check was run.
std::string status_word(const CheckRow& row);
plot::Role status_role(const CheckRow& row);

plot::Panel families_panel(const CheckList& list);
plot::Panel list_panel(const CheckList& list, const Scene& scene);
plot::Panel detail_panel(const CheckList& list);
/// Clicks and keys on these three panels.
std::vector<plot::Link> check_links(const CheckList& list, const Scene& scene);

plot::DataTable checks_data(const CheckList& list);
std::string checks_report(const CheckList& list);

}  // namespace ropescope::figures
