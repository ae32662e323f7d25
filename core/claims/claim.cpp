// The list of all claims.
#include "core/claims/claim.h"

#include <cmath>
#include <fmt/format.h>
#include <iterator>

#include "core/rope/routes.h"
#include "core/systems/probe.h"
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

namespace ropescope::claims {

// Dense rotations, fixed vectors and counts for the claims.

Eigen::Matrix2d turn(double angle_rad) {
    Eigen::Matrix2d r;
    r << std::cos(angle_rad), -std::sin(angle_rad), std::sin(angle_rad), std::cos(angle_rad);
    return r;
}

RopeSpec interleaved_spec(Index head_dim, double base) {
    return {
        .head_dim = head_dim, .rotary_dim = head_dim, .base = base, .layout = Layout::interleaved};
}

Eigen::MatrixXd rotation(const RopeSpec& spec, std::int64_t position) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const std::vector<double> values = rotation_matrix(spec, position);
    return Eigen::Map<const RowMajor>(values.data(), spec.head_dim, spec.head_dim);
}

Eigen::VectorXd vector(std::uint64_t seed, Index size) {
    const std::vector<double> values = systems::fixed_noise(seed, size);
    return Eigen::Map<const Eigen::VectorXd>(values.data(), size);
}

Eigen::MatrixXd matrix(std::uint64_t seed, Index rows, Index columns) {
    return vector(seed, rows * columns).reshaped(rows, columns);
}

double largest_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    return (a - b).cwiseAbs().maxCoeff();
}

Evidence exact_count(std::string what, std::int64_t counted, std::int64_t expected) {
    Evidence evidence;
    evidence.what = std::move(what);
    evidence.error = static_cast<double>(std::abs(counted - expected));
    evidence.bound_reason = "a count, exact";
    return evidence;
}

}  // namespace ropescope::claims
