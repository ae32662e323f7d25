// Claims of seed document 003, the summary of RoPE with its block-wise expansion.
#include "core/claims/claim.h"

namespace ropescope {

std::vector<Claim> claims_of_document_003() {
    return {};
}

}  // namespace ropescope
