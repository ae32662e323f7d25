// Turns every claim of the five texts into a check, which passes if our verdict is the one that the
// numbers give now.
#include <fmt/format.h>

#include "core/checks/families/families.h"
#include "core/systems/source_text.h"

namespace ropescope {
namespace {

std::string verdict_text(const Claim& claim) {
    const std::string condition = claim.condition.empty() ? "" : " " + claim.condition;
    return fmt::format("{}{}", to_string(claim.truth), condition);
}

Check as_check(const Claim& claim) {
    return {.id = "claim." + claim.id,
            .title = fmt::format("{}: {}", verdict_text(claim), claim.claim),
            .source = cite(source_text_of(claim.id), claim.place),
            .statement = claim.correct + ".",
            .figure = claim.figure,
            .run = [&claim](const CheckContext&) {
                return claim.is_note() ? note(claim.correct) : judge(claim);
            }};
}

}  // namespace

CheckFinding judge(const Claim& claim) {
    const Evidence evidence = claim.evidence();
    std::string detail = fmt::format("verdict: {}; correct: {}; {}", verdict_text(claim),
                                     claim.correct, evidence.what);
    if (!evidence.detail.empty()) {
        detail += "; " + evidence.detail;
    }
    CheckFinding finding =
        at_most(evidence.error, evidence.bound, evidence.bound_reason, std::move(detail));
    if (claim.truth != Truth::holds && !evidence.refutation) {
        finding.status = Status::failed;
        finding.detail += "; no number rules out the claim as it stands";
    }
    if (evidence.refutation) {
        const Refutation& refutation = *evidence.refutation;
        finding.detail += fmt::format("; {}: {} = {:.4g} (refuted from {:.3g} on)",
                                      claim.truth == Truth::holds ? "its negation" : "as stated",
                                      refutation.what, refutation.measured, refutation.at_least);
        // Written so that NaN does not refute.
        if (!(refutation.measured >= refutation.at_least)) {
            finding.status = Status::failed;
        }
    }
    return finding;
}

std::vector<Check> claim_checks() {
    std::vector<Check> checks;
    for (const Claim& claim : all_claims()) {
        checks.push_back(as_check(claim));
    }
    return checks;
}

}  // namespace ropescope
