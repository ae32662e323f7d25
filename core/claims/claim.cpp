// The list of all claims.
#include "core/claims/claim.h"

#include <fmt/format.h>
#include <iterator>

#include "core/systems/source_text.h"

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

// Writes every claim, its verdict and its proof as Markdown tables.

namespace {

constexpr std::string_view kIntroduction = R"(# What the five texts state
[The five texts](sources.md) behind this project make these claims. `ropescope check --filter 'claim.*'`
computes every one of them, and `ropescope check --claims` prints this page. A claim is called *false* or
*true only if* when a number far above rounding rules it out; the correct statement holds within the bound
that the check prints. Remarks about wording or missing lines are listed as notes: no number decides them,
and they do not count as checks. The last table is about public documents on RoPE in several axes; `check
--explain` names the place of each statement.
)";

/// A cell of a table; a bar inside would end it.
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
    std::string_view text;
    for (const Claim& claim : all_claims()) {
        const SourceText& source = source_text_of(claim.id);
        if (source.id != text) {
            text = source.id;
            page += fmt::format(
                "\n## {}\n| id | claim | verdict | correct | proof |\n|---|---|---|---|---|\n",
                source.title);
        }
        page += fmt::format("| {} | {} | {} | {} | {} |\n", claim.id, cell(claim.claim),
                            cell(verdict(claim)), cell(claim.correct), cell(proof(claim)));
    }
    return page;
}

}  // namespace ropescope
