// What the five texts and public documents state (core/systems/source_text.h), each statement
// judged by numbers that are computed when they are asked for. The claims of a text are in the file
// named after it: roformer_notebook.cpp, llama_comparison.cpp, keras_layer.cpp,
// blockwise_derivation.cpp, llama_walkthrough.cpp, public_documents.cpp. claims_page.cpp writes
// them all as a document.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/rope/rope_spec.h"

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

namespace ropescope::claims {

// The small algebra that the claims share: dense rotations in double, fixed vectors, counts as
// evidence.

inline constexpr double kUnit = 0x1p-53;  ///< unit roundoff of double

/// R(angle) = [[cos, -sin], [sin, cos]].
Eigen::Matrix2d turn(double angle_rad);

/// Interleaved pairs, as the documents write the matrix.
RopeSpec interleaved_spec(Index head_dim, double base);

/// R_{Theta,m}, [head_dim, head_dim].
Eigen::MatrixXd rotation(const RopeSpec& spec, std::int64_t position);

/// Fixed noise of variance 1, the same everywhere.
Eigen::VectorXd vector(std::uint64_t seed, Index size);
Eigen::MatrixXd matrix(std::uint64_t seed, Index rows, Index columns);

/// Largest absolute entry of a - b.
double largest_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// Evidence that is a count: the correct number must come out exactly.
Evidence exact_count(std::string what, std::int64_t counted, std::int64_t expected);

/// Entries of a product of two d x d rotations of positions below 2^20: each factor's entries carry
/// the error of a reduced angle and of cos or sin, under 12 units together
/// (core/checks/reference/error_model.h), and every row has two products and a sum. 2 * 12 + 3
/// units, doubled for the other side of an equation.
inline constexpr double kProductOfRotations = 54 * kUnit;

}  // namespace ropescope::claims
