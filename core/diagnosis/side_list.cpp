// Chooses sides by what is known of them.
#include "core/diagnosis/side_list.h"

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

Side sides_of(const Sides& sides) {
    return sides.size() == 2 ? Side::both : sides.front()->side;
}

}  // namespace ropescope::diagnosis
