// What the seed documents state, judged: each claim is recomputed by the engine when it is asked.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope {

enum class Truth { holds, fails, holds_only_if };
/// "true", "false", "true only if"
std::string_view to_string(Truth truth);

/// The number that shows a claim, taken as it stands, to be wrong.
struct Refutation {
    std::string what;  ///< "max |R_m^T R_n - R_{m-n}|, m = 7, n = 3"
    double measured = 0.0;
    double at_least = 0.0;  ///< far above any rounding error; below it the claim is not refuted
};

/// What a run found out about a claim.
struct Evidence {
    /// How far the correct statement is from holding, and what rounding allows.
    std::string what;
    double error = 0.0;
    double bound = 0.0;
    std::string bound_reason;
    /// Required of Truth::fails and holds_only_if; of a true claim it refutes the opposite.
    std::optional<Refutation> refutation = std::nullopt;
    std::string detail = {};  ///< further numbers, one line
};

struct Claim {
    std::string id;        ///< "004-03": the document, and its number there; "004-T1": a true one
    std::string document;  ///< "004, the relative rotation"
    std::string claim;     ///< in a few words of our own
    Truth truth = Truth::holds;
    std::string condition;  ///< of holds_only_if: "d = 2"
    std::string correct;    ///< the correct statement
    std::string figure;     ///< the view that shows it, "" when none does
    /// Empty for a note: a remark about the text itself (wording, imports) that no number decides.
    std::function<Evidence()> evidence;

    bool is_note() const { return !evidence; }
};

/// In document order, the mistakes of a document first, then its central true statements.
const std::vector<Claim>& all_claims();

std::vector<Claim> claims_of_document_000();
std::vector<Claim> claims_of_document_001();
std::vector<Claim> claims_of_document_002();
std::vector<Claim> claims_of_document_003();
std::vector<Claim> claims_of_document_004();

}  // namespace ropescope
