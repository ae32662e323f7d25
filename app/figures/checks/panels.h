// The panels of the checks view: "families", "list" and "detail".
#pragma once

#include <string>

#include "app/figures/checks/places.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// As in the report: "ok", "FAIL", "skip", "note"; "..." before the check was run.
std::string status_word(const CheckRow& row);
plot::Role status_role(const CheckRow& row);

plot::Panel families_panel(const CheckList& list, const FamilyPlaces& places);
plot::Panel list_panel(const CheckList& list);
plot::Panel detail_panel(const CheckList& list);

}  // namespace ropescope::figures
