// What clicks and keys do in the checks view, and the values under the cursor.
#pragma once

#include <string_view>
#include <vector>

#include "app/figures/checks/places.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// Up and down through the list, page by page; neither goes round. Enter opens the figure of the
/// selected check.
std::vector<plot::Link> check_keys(const CheckList& list);

/// Of the check at that point, or else of the selected one.
std::vector<plot::Readout> check_readouts(const CheckList& list, const CheckRow* at);

/// A click on a check selects it; on the selected one it opens the figure that shows it. Where
/// nothing is listed, a click on the list lets go of the filters.
Scene after_check_click(const CheckList& list, const CheckRow* at, const Scene& scene,
                        std::string_view panel);

}  // namespace ropescope::figures
