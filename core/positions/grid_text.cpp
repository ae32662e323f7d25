// Reads grids of patches from text.
#include "core/positions/grid_text.h"

#include "core/base/parse_list.h"

namespace ropescope {

std::optional<PatchGrid> parse_grid(std::string_view text) {
    std::vector<Index> sides;
    for (const std::string_view piece : split_list(text, 'x')) {
        const std::optional<Index> side = parse_number<Index>(piece);
        if (!side || *side < 1) {
            return std::nullopt;
        }
        sides.push_back(*side);
    }
    if (sides.size() == 2) {
        return PatchGrid{1, sides[0], sides[1]};
    }
    return sides.size() == 3 ? std::optional(PatchGrid{sides[0], sides[1], sides[2]})
                             : std::nullopt;
}

}  // namespace ropescope
