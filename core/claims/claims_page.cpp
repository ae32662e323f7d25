#include "core/claims/claims_page.h"

#include <fmt/format.h>

#include "core/claims/claim.h"

namespace ropescope {
namespace {

constexpr std::string_view kIntroduction = R"(# What the seed documents state
Every claim is computed by `ropescope check --filter 'claim.*'`; this page is what
`ropescope check --claims` prints. A claim is *false* or *true only if* by a number far above rounding, and
the correct statement holds within the bound that the check prints. Remarks about wording or missing lines,
which no number decides, are listed as notes and are not counted as checks.
)";

/// A bar would end the cell.
std::string cell(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        escaped += c == '|' ? std::string("\\|") : std::string(1, c);
    }
    return escaped;
}

std::string verdict(const Claim& claim) {
    return fmt::format("{}{}{}", to_string(claim.truth), claim.condition.empty() ? "" : " ",
                       claim.condition);
}

std::string proof(const Claim& claim) {
    if (claim.is_note()) {
        return "note";
    }
    const Evidence evidence = claim.evidence();
    const std::string holds = evidence.error <= evidence.bound ? "holds" : "DOES NOT HOLD";
    std::string text = fmt::format("{}: {}", evidence.what, holds);
    if (evidence.refutation) {
        text += fmt::format("; {}: **{:.2g}**", evidence.refutation->what,
                            evidence.refutation->measured);
    }
    return text;
}

}  // namespace

std::string claims_page() {
    std::string page(kIntroduction);
    std::string document;
    for (const Claim& claim : all_claims()) {
        if (claim.document.substr(0, 3) != document) {
            document = claim.document.substr(0, 3);
            page += fmt::format(
                "\n## Document {}\n| id | claim | verdict | correct | proof "
                "|\n|---|---|---|---|---|\n",
                document);
        }
        page += fmt::format("| {} | {} | {} | {} | {} |\n", claim.id, cell(claim.claim),
                            cell(verdict(claim)), cell(claim.correct), cell(proof(claim)));
    }
    return page;
}

}  // namespace ropescope
