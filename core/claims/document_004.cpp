// Claims of seed document 004.
#include "core/claims/claim.h"

namespace ropescope {

std::vector<Claim> claims_of_document_004() {
    return {};
}

}  // namespace ropescope
