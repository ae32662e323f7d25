// What the checks view shows of its list: the panels "families", "list" and "detail", what clicks,
// keys and the cursor find there, and the numbers. Sources: panels.cpp, clicks.cpp, report.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figures/checks/list.h"
#include "app/figures/checks/places.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// As in the report: "ok", "FAIL", "skip", "note"; "..." before the check was run.
std::string status_word(const CheckRow& row);
plot::Role status_role(const CheckRow& row);

plot::Panel families_panel(const CheckList& list, const FamilyPlaces& places);
plot::Panel list_panel(const CheckList& list);
plot::Panel detail_panel(const CheckList& list);

/// Keys that move up and down through the list, also page by page, and stop at its ends. Enter
/// opens the figure of the selected check.
std::vector<plot::Link> check_keys(const CheckList& list);

/// The values of the check at that point, or else of the selected one.
std::vector<plot::Readout> check_readouts(const CheckList& list, const CheckRow* at);

/// A click on a check selects it; on the selected one it opens the figure that shows it. If nothing
/// is listed, a click on the list clears the filters.
Scene after_check_click(const CheckList& list, const CheckRow* at, const Scene& scene);
/// The scene in which every check is listed.
Scene listing_all(const Scene& scene);

plot::DataTable checks_data(const CheckList& list);
std::string checks_report(const CheckList& list);

}  // namespace ropescope::figures
