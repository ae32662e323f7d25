// Claims of seed document 001.
#include "core/claims/claim.h"

namespace ropescope {

std::vector<Claim> claims_of_document_001() {
    return {};
}

}  // namespace ropescope
