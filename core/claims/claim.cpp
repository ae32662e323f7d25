#include "core/claims/claim.h"

#include <iterator>

namespace ropescope {

std::string_view to_string(Truth truth) {
    switch (truth) {
        case Truth::holds:
            return "true";
        case Truth::fails:
            return "false";
        case Truth::holds_only_if:
            return "true only if";
    }
    return "false";
}

const std::vector<Claim>& all_claims() {
    static const std::vector<Claim> claims = [] {
        std::vector<Claim> all;
        for (const auto& document :
             {claims_of_document_000, claims_of_document_001, claims_of_document_002,
              claims_of_document_003, claims_of_document_004}) {
            std::vector<Claim> members = document();
            all.insert(all.end(), std::make_move_iterator(members.begin()),
                       std::make_move_iterator(members.end()));
        }
        return all;
    }();
    return claims;
}

}  // namespace ropescope
