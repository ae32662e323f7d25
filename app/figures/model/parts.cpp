// Words the parts of a model that turn in several axes as rows of name and text.
#include "app/figures/model/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/figures/pair_axes.h"

namespace ropescope::figures {
Rows part_rows(const std::vector<Part>& parts) {
    Rows rows;
    for (const Part& part : parts) {
        const RotaryScheme& scheme = part.scheme;
        if (scheme.axes.size() < 2) {
            continue;
        }
        rows.push_back(
            {part.kind + " part",
             fmt::format("{} axes, pairs {} (view axes)", scheme.axes.size(),
                         pairs_by_axis(scheme.axes, axes_of_pairs(scheme.heads.front())))});
        rows.push_back({"positions", describe_positions(scheme)});
    }
    return rows;
}

}  // namespace ropescope::figures
