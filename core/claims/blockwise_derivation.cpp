// The claims of the block-wise derivation.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/claims/claim.h"
#include "core/rope/score.h"
#include "core/systems/probe.h"
#include "core/systems/system.h"

namespace ropescope {
namespace {

using namespace claims;

constexpr int kBlockHeadDim = 16;
constexpr std::int64_t kBlockM = 1000;
constexpr std::int64_t kBlockN = 4000;

RopeSpec spec() {
    return interleaved_spec(kBlockHeadDim, 10000.0);
}

Eigen::MatrixXd half_split_rotation(std::int64_t position) {
    RopeSpec half = spec();
    half.layout = Layout::half_split;
    return rotation(half, position);
}

double score(const Eigen::MatrixXd& r_m, const Eigen::MatrixXd& r_n, const Eigen::VectorXd& q,
             const Eigen::VectorXd& k) {
    return (r_m * q).dot(r_n * k);
}

/// The largest of 64 score differences, in units of |q| |k|: the half-split code against the matrix
/// of adjacent pairs, with and without the permutation of q and k.
double layouts_disagree(bool permute) {
    const auto order =
        layout_permutation(Layout::interleaved, Layout::half_split, kBlockHeadDim, kBlockHeadDim);
    double largest = 0.0;
    for (std::uint64_t i = 0; i < 64; ++i) {
        const Eigen::VectorXd q = vector(2 * i + 1, kBlockHeadDim);
        const Eigen::VectorXd k = vector(2 * i + 2, kBlockHeadDim);
        const double adjacent = score(rotation(spec(), 5), rotation(spec(), 2), q, k);
        const Eigen::VectorXd q_used = permute ? Eigen::VectorXd(q(order)) : q;
        const Eigen::VectorXd k_used = permute ? Eigen::VectorXd(k(order)) : k;
        const double half = score(half_split_rotation(5), half_split_rotation(2), q_used, k_used);
        largest = std::max(largest, std::abs(half - adjacent) / (q.norm() * k.norm()));
    }
    return largest;
}

Evidence half_split_code_under_adjacent_matrix() {
    return {.what = "score difference / (|q||k|) with q and k permuted (evens, then odds)",
            .error = layouts_disagree(true),
            // Rotated vectors carry 27 units each, and 16 products are added on either side.
            .bound = 2 * (kProductOfRotations + kBlockHeadDim * kUnit),
            .bound_reason = "two rotations and a sum of 16 products in double",
            .refutation = Refutation{"score difference / (|q||k|) on the same q, k at (5, 2)",
                                     layouts_disagree(false), 0.1},
            .detail = "64 vector pairs, head_dim 16"};
}

nd::Array mistral(const nd::Array& x) {
    SystemInput input;
    input.x = x;
    return std::get<nd::Array>(find_system("mistral").apply(input));
}

Evidence mistral_axes() {
    // As many heads as positions: the wrong axis order then has a fitting shape.
    constexpr std::int64_t kSame = 7;
    const nd::Array x = nd::make(NumberFormat::fp32, {kSame, kSame, kBlockHeadDim},
                                 probe_vectors(3, 1, kSame, kSame, kBlockHeadDim).values);
    const nd::Array by_head = nd::transpose(mistral(nd::transpose(x, {1, 0, 2})), {1, 0, 2});
    const nd::Array right = mistral(x);
    double wrong = 0.0;
    double meta = 0.0;
    SystemInput four_axes;
    four_axes.x = nd::unsqueeze(x, 0);
    const auto reference = std::get<nd::Array>(find_system("meta_llama").apply(four_axes));
    for (std::size_t i = 0; i < right.values.size(); ++i) {
        wrong = std::max(wrong, std::abs(right.values[i] - by_head.values[i]));
        meta = std::max(meta, std::abs(right.values[i] - reference.values[i]));
    }
    SystemInput uneven;
    uneven.x = probe_vectors(3, 1, 1, 3 * kSame, kBlockHeadDim);
    uneven.x.shape = {3, kSame, kBlockHeadDim};
    uneven.table_rows = kSame;
    const bool raises =
        std::holds_alternative<FrameworkError>(find_system("mistral").apply(uneven));
    return {
        .what = "[seq, heads, d] against Meta's [1, seq, heads, d]",
        .error = meta,
        .bound = 0.0,
        .bound_reason = "the same operations in the same order, bit for bit",
        .refutation =
            Refutation{"[heads, seq, d] with heads = seq: silently turned by head, difference",
                       wrong, 0.1},
        .detail = raises ? "with 3 heads and 7 rows it raises" : "with 3 heads and 7 rows it runs"};
}

Evidence relative_matrix() {
    const Eigen::MatrixXd r_m = rotation(spec(), kBlockM);
    const Eigen::MatrixXd r_n = rotation(spec(), kBlockN);
    return {.what = "max |R_m^T R_n - R_{n-m}|, m = 1000, n = 4000",
            .error = largest_difference(r_m.transpose() * r_n, rotation(spec(), kBlockN - kBlockM)),
            // The rounding of n theta - m theta is that of theta itself and cancels; see claim.h.
            .bound = kProductOfRotations,
            .bound_reason = "54 units: three rotations and a product",
            .detail = fmt::format(
                "R_m^T R_n - R_{{m-n}} would be {:.4g}",
                largest_difference(r_m.transpose() * r_n, rotation(spec(), kBlockM - kBlockN)))};
}

Evidence cosine_and_j() {
    double error = 0.0;
    Eigen::Matrix2d j;
    j << 0, -1, 1, 0;
    for (const double angle : {0.0, 0.3, 2.1, -40.0, 1000.0}) {
        const Eigen::Matrix2d sum =
            std::cos(angle) * Eigen::Matrix2d::Identity() + std::sin(angle) * j;
        error = std::max(error, largest_difference(sum, turn(angle)));
    }
    return {.what = "max |cos I + sin J - R|",
            .error = error,
            .bound = 0.0,
            .bound_reason = "each entry is one product by 0 or 1: exact"};
}

Evidence block_expansion() {
    const Spectrum spectrum = make_spectrum(spec());
    double error = 0.0;
    for (std::uint64_t i = 0; i < 64; ++i) {
        const Eigen::VectorXd q = vector(2 * i + 1, kBlockHeadDim);
        const Eigen::VectorXd k = vector(2 * i + 2, kBlockHeadDim);
        const auto size = static_cast<std::size_t>(kBlockHeadDim);
        const auto terms = pair_terms(spec(), {q.data(), size}, {k.data(), size});
        const double sum = score_logits(spec(), spectrum, terms, 0.0, kBlockN - kBlockM) *
                           std::sqrt(double{kBlockHeadDim});
        const double direct = score(rotation(spec(), kBlockM), rotation(spec(), kBlockN), q, k);
        error = std::max(error, std::abs(sum - direct) / (q.norm() * k.norm()));
    }
    return {.what = "|sum over blocks - q_m.k_n| / (|q||k|), 64 vector pairs",
            .error = error,
            .bound = 2 * kProductOfRotations + 4 * kBlockHeadDim * kUnit,
            .bound_reason = "rotations on both sides, and 16 products added four times"};
}

Evidence not_separable() {
    // If q^T R k were (q^T k) a(m, n), this ratio would be one number.
    double lowest = INFINITY;
    double highest = -INFINITY;
    const Eigen::MatrixXd r = rotation(spec(), 3 - 100);
    double separable = 0.0;
    for (std::uint64_t i = 0; i < 64; ++i) {
        const Eigen::VectorXd q = vector(2 * i + 1, kBlockHeadDim);
        const Eigen::VectorXd k = vector(2 * i + 2, kBlockHeadDim);
        const double ratio = q.dot(r * k) / q.dot(k);
        lowest = std::min(lowest, ratio);
        highest = std::max(highest, ratio);
        const double bias = find_system("multiplicative_bias").score_factor(3 - 100);
        separable =
            std::max(separable, std::abs(q.dot(k) * bias / q.dot(k) - bias) / std::abs(bias));
    }
    return {.what = "spread of the same ratio for the multiplicative bias a_ij",
            .error = separable,
            .bound = 2 * kUnit * 1.01,
            .bound_reason = "one product and one quotient",
            .refutation =
                Refutation{"spread of q^T R k / q^T k over 64 vector pairs", highest - lowest, 1.0},
            .detail = fmt::format("from {:.3g} to {:.3g}", lowest, highest)};
}

Evidence additive_is_not_relative() {
    // (q + p_m).(k + p_n) with the sinusoidal p: the cross terms know the absolute position.
    const RopeSpec s = spec();
    const Spectrum spectrum = make_spectrum(s);
    const auto p = [&](std::int64_t m) {
        Eigen::VectorXd row(kBlockHeadDim);
        for (int i = 0; i < s.pairs(); ++i) {
            const double angle =
                reduced_angle_rad(m, spectrum.inv_freq_rad[static_cast<std::size_t>(i)]);
            row[2 * i] = std::sin(angle);
            row[2 * i + 1] = std::cos(angle);
        }
        return row;
    };
    const Eigen::VectorXd q = vector(1, kBlockHeadDim);
    const Eigen::VectorXd k = vector(2, kBlockHeadDim);
    const double additive = (q + p(107)).dot(k + p(103)) - (q + p(7)).dot(k + p(3));
    const double rotary = score(rotation(s, 107), rotation(s, 103), q, k) -
                          score(rotation(s, 7), rotation(s, 3), q, k);
    const double scale = q.norm() * k.norm();
    return {.what = "rotary score at (107, 103) against (7, 3), / (|q||k|)",
            .error = std::abs(rotary) / scale,
            .bound = 2 * (kProductOfRotations + kBlockHeadDim * kUnit),
            .bound_reason = "two scores, each from two rotations and 16 products",
            .detail = fmt::format("the additive score moves by {:.3g}", additive / scale)};
}

}  // namespace

std::vector<Claim> blockwise_derivation_claims() {
    return {
        {.id = "003-01",
         .place = "the Hugging Face code below the matrix of adjacent pairs",
         .claim = "the rotate_half code computes the matrix form shown above it",
         .truth = Truth::holds_only_if,
         .condition = "q and k are permuted",
         .correct = "the half-split code equals the matrix after the channels are put evens first, "
                    "then odds",
         .figure = "layouts system_a=hf_roformer system_b=hf_llama_offset",
         .evidence = half_split_code_under_adjacent_matrix},
        {.id = "003-02",
         .place = "Mistral's apply_rotary_emb",
         .claim = "freqs_cis[:, None, :] fits q and k",
         .truth = Truth::holds_only_if,
         .condition = "the axes are [seq, heads, d]",
         .correct = "the position axis must come first, or second behind a batch",
         .figure = "layouts system_a=meta_llama system_b=mistral",
         .evidence = mistral_axes},
        {.id = "003-T1",
         .place = "relative rotation",
         .claim = "R(m)^T R(n) = R(n - m)",
         .truth = Truth::holds,
         .correct = "R(m)^T R(n) = R(n - m)",
         .figure = "rotation",
         .evidence = relative_matrix},
        {.id = "003-T2",
         .place = "relative rotation",
         .claim = "R(phi) = cos(phi) I + sin(phi) J",
         .truth = Truth::holds,
         .correct = "R(phi) = cos(phi) I + sin(phi) J",
         .figure = "rotation",
         .evidence = cosine_and_j},
        {.id = "003-T3",
         .place = "blockwise expansion",
         .claim = "a score is a sum of cos and sin parts over the pairs",
         .truth = Truth::holds,
         .correct = "q^T R k = sum of q.k cos + q^T J k sin over the pairs",
         .figure = "rotation",
         .evidence = block_expansion},
        {.id = "003-T4",
         .place = "non-separability",
         .claim = "a score is not q^T k times a factor of position",
         .truth = Truth::holds,
         .correct = "content and position do not factor in a rotary score; in a score with a "
                    "multiplicative bias they do",
         .figure = "layouts system_a=meta_llama system_b=multiplicative_bias",
         .evidence = not_separable},
        {.id = "003-T5",
         .place = "additive encoding W (x + p)",
         .claim = "rotary scores depend on n - m alone",
         .truth = Truth::holds,
         .correct = "rotary scores depend on n - m alone; additive ones do not",
         .figure = "layouts system_a=meta_llama system_b=additive_absolute",
         .evidence = additive_is_not_relative},
    };
}

}  // namespace ropescope
