// Claims of seed document 000.
#include "core/claims/claim.h"

namespace ropescope {

std::vector<Claim> claims_of_document_000() {
    return {};
}

}  // namespace ropescope
