// Claims of seed document 002.
#include "core/claims/claim.h"

namespace ropescope {

std::vector<Claim> claims_of_document_002() {
    return {};
}

}  // namespace ropescope
