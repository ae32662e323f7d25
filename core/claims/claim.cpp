// The list of all claims.
#include "core/claims/claim.h"

#include <iterator>

namespace ropescope {

const std::vector<Claim>& all_claims() {
    static const std::vector<Claim> claims = [] {
        std::vector<Claim> all;
        for (const auto& claims_of_text :
             {roformer_notebook_claims, llama_comparison_claims, keras_layer_claims,
              blockwise_derivation_claims, llama_walkthrough_claims, public_document_claims}) {
            std::vector<Claim> members = claims_of_text();
            all.insert(all.end(), std::make_move_iterator(members.begin()),
                       std::make_move_iterator(members.end()));
        }
        return all;
    }();
    return claims;
}

}  // namespace ropescope
