// Chooses sides by what is known of them.
#include "core/diagnosis/side_list.h"

#include <algorithm>

namespace ropescope::diagnosis {

Sides paired(const std::vector<Explanation>& sides) {
    Sides found;
    for (const Explanation& side : sides) {
        if (side.pairing.kind == PairingKind::found) {
            found.push_back(&side);
        }
    }
    return found;
}

Sides explained(const std::vector<Explanation>& sides) {
    Sides found;
    for (const Explanation& side : sides) {
        if (side.model) {
            found.push_back(&side);
        }
    }
    return found;
}

std::string names(const Sides& sides) {
    return sides.size() == 2 ? "q and k" : sides.front()->side;
}

bool says_the_same(std::string_view of_q, std::string_view of_k) {
    return std::ranges::equal(of_q, of_k,
                              [](char a, char b) { return a == b || (a == 'q' && b == 'k'); });
}

}  // namespace ropescope::diagnosis
