// What the five texts and public documents state (core/systems/source_text.h), each statement
// judged by numbers that are computed when they are asked for. The claims of a text are in the file
// named after it: roformer_notebook.cpp, llama_comparison.cpp, keras_layer.cpp,
// blockwise_derivation.cpp, llama_walkthrough.cpp, public_documents.cpp. claims_page.cpp writes
// them all as a document.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"

namespace ropescope {

enum class Truth { holds, fails, holds_only_if };
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<Truth> = {"true", "false",
                                                                      "true only if"};

/// A number that cannot be explained by rounding and so rules out a statement.
struct Refutation {
    std::string what;  ///< "max |R_m^T R_n - R_{m-n}|, m = 7, n = 3"
    double measured = 0.0;
    double at_least = 0.0;  ///< far above any rounding error; a smaller number refutes nothing
};

/// The numbers behind a verdict.
struct Evidence {
    std::string what;          ///< which error is measured
    double error = 0.0;        ///< by how much the correct statement misses
    double bound = 0.0;        ///< what rounding allows
    std::string bound_reason;  ///< where the bound comes from
    /// For a false claim (required): the number that rules it out. For a true claim: the number
    /// that rules out its negation.
    std::optional<Refutation> refutation = std::nullopt;
    std::string detail = {};  ///< further numbers, one line
};

struct Claim {
    std::string id;     ///< "004-03": the id of the text and a number in it; "004-T1": a true claim
    std::string place;  ///< where the text says it: "the relative rotation"
    std::string claim;  ///< what it says, in a few words of our own
    Truth truth = Truth::holds;
    std::string condition = {};  ///< for holds_only_if: "d = 2"
    std::string correct;         ///< the correct statement
    std::string figure = {};     ///< the view that shows it, with settings; empty if none does
    /// Computes the numbers. Empty for a note: a remark on wording or imports that no number
    /// decides.
    std::function<Evidence()> evidence = {};

    bool is_note() const { return !evidence; }
};

/// Text by text; the mistakes of a text first, then its central true statements.
const std::vector<Claim>& all_claims();

std::vector<Claim> roformer_notebook_claims();
std::vector<Claim> llama_comparison_claims();
std::vector<Claim> keras_layer_claims();
std::vector<Claim> blockwise_derivation_claims();
std::vector<Claim> llama_walkthrough_claims();
std::vector<Claim> public_document_claims();

/// Markdown with one table for each text. Computes every claim. Numbers are rounded to two digits,
/// so that the page is the same on every machine.
std::string claims_page();

}  // namespace ropescope
