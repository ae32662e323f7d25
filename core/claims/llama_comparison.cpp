// The claims of the text that compares three LLaMA and RoFormer implementations.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/claims/claim.h"
#include "core/rope/routes.h"
#include "core/systems/equivalence.h"

namespace ropescope {
namespace {

using namespace claims;

constexpr int kComparisonHeadDim = 128;
constexpr std::int64_t kPosition = 5;

Eigen::MatrixXd map_of(const char* id, std::int64_t position = kPosition) {
    return operator_at(find_system(id), kComparisonHeadDim, 10000.0, position).matrix;
}

// Entries of two operators in double: each cos or sin is within 12 units (see claim.h).
constexpr double kSameMap = 24 * kUnit;

Evidence three_implementations() {
    const auto order = layout_permutation(Layout::interleaved, Layout::half_split,
                                          kComparisonHeadDim, kComparisonHeadDim);
    const Eigen::MatrixXd meta = map_of("meta_llama");
    const Eigen::MatrixXd half = map_of("hf_llama_offset");
    const Eigen::MatrixXd permuted = meta(order, order);
    const Eigen::VectorXd q = claims::vector(1, kComparisonHeadDim);
    const Eigen::VectorXd k = claims::vector(2, kComparisonHeadDim);
    const auto score = [&](const char* id) { return (map_of(id) * q).dot(map_of(id, 1) * k); };
    return {.what = "Meta against HF RoFormer, and against HF LLaMA with channels evens, then odds",
            .error = std::max(largest_difference(meta, map_of("hf_roformer")),
                              largest_difference(permuted, half)),
            .bound = kSameMap,
            .bound_reason = "entries of two operators in double",
            .refutation = Refutation{
                "scores of the two layouts on the same q, k differ, / (|q||k|)",
                std::abs(score("meta_llama") - score("hf_llama_offset")) / (q.norm() * k.norm()),
                0.01}};
}

/// The images of one vector: by Meta's code, by the first term alone, and by the document's second
/// term.
struct Terms {
    Eigen::VectorXd x = claims::vector(1, kComparisonHeadDim);
    Eigen::VectorXd cos, sin;

    /// Half-split: the angles of the two halves are the same.
    Terms() : cos(kComparisonHeadDim), sin(kComparisonHeadDim) {
        const Spectrum spectrum = make_spectrum(interleaved_spec(kComparisonHeadDim, 10000.0));
        for (int c = 0; c < kComparisonHeadDim; ++c) {
            const auto pair = static_cast<std::size_t>(c % (kComparisonHeadDim / 2));
            const double angle = reduced_angle_rad(kPosition, spectrum.inv_freq_rad[pair]);
            cos[c] = std::cos(angle);
            sin[c] = std::sin(angle);
        }
    }
    Eigen::VectorXd first() const { return x.cwiseProduct(cos); }
    Eigen::VectorXd rotated() const {
        Eigen::VectorXd r(kComparisonHeadDim);
        r << -x.tail(kComparisonHeadDim / 2), x.head(kComparisonHeadDim / 2);
        return r;
    }
    /// (x_1 .. x_{d/2}, -x_{d/2+1} .. -x_d), as printed.
    Eigen::VectorXd printed() const {
        Eigen::VectorXd r(kComparisonHeadDim);
        r << x.head(kComparisonHeadDim / 2), -x.tail(kComparisonHeadDim / 2);
        return r;
    }
};

Evidence first_term_only() {
    const Terms t;
    const Eigen::VectorXd truth = map_of("hf_llama_offset") * t.x;
    const Eigen::VectorXd both = t.first() + t.rotated().cwiseProduct(t.sin);
    const Eigen::VectorXd meta = map_of("meta_llama") * t.x;
    Eigen::VectorXd meta_first(kComparisonHeadDim);
    for (int c = 0; c < kComparisonHeadDim; ++c) {
        meta_first[c] = t.x[c] * t.cos[c / 2];
    }
    return {.what = "max |x cos + rot(x) sin - the code's output|",
            .error = largest_difference(both, truth) / t.x.cwiseAbs().maxCoeff(),
            .bound = 2 * kProductOfRotations,
            .bound_reason = "a rotation by two routes",
            .refutation = Refutation{"max |x cos - the complex product|",
                                     largest_difference(meta_first, meta), 0.1}};
}

Evidence second_term() {
    const Terms t;
    const Eigen::VectorXd truth = map_of("hf_llama_offset") * t.x;
    const Eigen::VectorXd right = t.first() + t.rotated().cwiseProduct(t.sin);
    const Eigen::VectorXd with_cos = t.first() + t.printed().cwiseProduct(t.cos);
    const Eigen::VectorXd with_sin = t.first() + t.printed().cwiseProduct(t.sin);
    return {.what = "with (-x_{d/2+1} .., x_1 ..) times sin",
            .error = largest_difference(right, truth) / t.x.cwiseAbs().maxCoeff(),
            .bound = 2 * kProductOfRotations,
            .bound_reason = "a rotation by two routes",
            .refutation = Refutation{
                "the printed term, with cos or with sin, is off by at least",
                std::min(largest_difference(with_cos, truth), largest_difference(with_sin, truth)),
                0.1}};
}

/// The offset form asked for `rows` rows of the table, q of 6 positions.
nd::Array with_rows(std::int64_t rows) {
    SystemInput input;
    input.x = probe_vectors(1, 1, 1, 6, kComparisonHeadDim);
    input.offset = 5;
    input.table_rows = rows;
    return std::get<nd::Array>(find_system("hf_llama_offset").apply(input));
}

Evidence table_rows() {
    RopeSpec spec = interleaved_spec(kComparisonHeadDim, 10000.0);
    spec.layout = Layout::half_split;
    const nd::Array x = probe_vectors(1, 1, 1, 6, kComparisonHeadDim);
    const nd::Array enough = with_rows(11);
    const nd::Array one_row = with_rows(6);
    double error = 0.0;
    double wrong = 0.0;
    for (std::size_t l = 0; l < 6; ++l) {
        const auto truth = rotate_by_complex(
            spec, std::span(x.values).subspan(l * kComparisonHeadDim, kComparisonHeadDim),
            5 + static_cast<std::int64_t>(l));
        for (std::size_t c = 0; c < kComparisonHeadDim; ++c) {
            error = std::max(error, std::abs(enough.values[l * kComparisonHeadDim + c] - truth[c]));
            wrong =
                std::max(wrong, std::abs(one_row.values[l * kComparisonHeadDim + c] - truth[c]));
        }
    }
    return {
        .what = "table asked for offset + length rows, fp32",
        .error = error,
        // Pairs shorter than 5: fp32 angles at position 10, table and products (rotation_test.h).
        .bound = 5 * (10 * 12 + 4) * 0x1p-24,
        .bound_reason = "fp32 angles at position 10 (12 units a position), table and products",
        .refutation = Refutation{
            "asked for length rows, offset = length - 1: one row for all, error", wrong, 0.1}};
}

Evidence separate_pairs() {
    const Eigen::MatrixXd meta = map_of("meta_llama");
    std::int64_t pairs = 0;
    Eigen::MatrixXd overlapping = Eigen::MatrixXd::Identity(kComparisonHeadDim, kComparisonHeadDim);
    const Spectrum spectrum = make_spectrum(interleaved_spec(kComparisonHeadDim, 10000.0));
    for (Index i = 0; i + 1 < kComparisonHeadDim; ++i) {
        pairs += meta(i + 1, i) != 0.0 ? 1 : 0;
        const Eigen::Matrix2d one =
            turn(reduced_angle_rad(kPosition, spectrum.inv_freq_rad[i / 2]));
        overlapping.middleRows<2>(i) = (one * overlapping.middleRows<2>(i)).eval();
    }
    Evidence evidence = exact_count("neighbours of 128 channels that Meta's code mixes", pairs,
                                    kComparisonHeadDim / 2);
    evidence.refutation =
        Refutation{"turning all 127 neighbours in place differs from Meta's map by",
                   largest_difference(overlapping, meta), 0.1};
    return evidence;
}

Evidence agrees_with_paper() {
    const Eigen::MatrixXd r = rotation(interleaved_spec(kComparisonHeadDim, 10000.0), kPosition);
    return {.what = "max |HF RoFormer - R of the paper|",
            .error = largest_difference(map_of("hf_roformer"), r),
            .bound = kSameMap,
            .bound_reason = "entries of two operators in double"};
}

}  // namespace

std::vector<Claim> llama_comparison_claims() {
    return {
        {.id = "001-01",
         .place = "the comparison",
         .claim = "the three implementations all differ",
         .truth = Truth::fails,
         .correct =
             "Meta and HF RoFormer are one map; HF LLaMA is it with the channels evens, then odds",
         .figure = "layouts system_a=hf_roformer system_b=hf_llama_offset",
         .evidence = three_implementations},
        {.id = "001-02",
         .place = "Meta's code",
         .claim = "it keeps only the first term, x cos",
         .truth = Truth::fails,
         .correct = "a complex product is both terms",
         .figure = "rotation",
         .evidence = first_term_only},
        {.id = "001-03",
         .place = "Hugging Face's code",
         .claim = "its second term is (x_1 .., -x_{d/2} ..) times cos",
         .truth = Truth::fails,
         .correct = "the second term is (-x_{d/2+1} .., x_1 ..) times sin",
         .figure = "layouts system_a=hf_roformer system_b=hf_llama_offset",
         .evidence = second_term},
        {.id = "001-04",
         .place = "apply_rotary_pos_emb with an offset",
         .claim = "tables of the query's length suffice",
         .truth = Truth::holds_only_if,
         .condition = "offset = 0",
         .correct = "ask for offset + length rows: one row broadcasts silently",
         .figure = "layouts system_a=hf_llama_position_ids system_b=hf_llama_offset",
         .evidence = table_rows},
        {.id = "001-05",
         .place = "the RoFormer snippet",
         .claim = "the snippet runs",
         .truth = Truth::fails,
         .correct = "imports are missing, and rotate_half prints three tensors a call"},
        {.id = "001-06",
         .place = "the quoted sentence",
         .claim = "relative position enters implicitly",
         .truth = Truth::fails,
         .correct = "the sentence quoted says explicit"},
        {.id = "001-07",
         .place = "the paper",
         .claim = "the paper was never published",
         .truth = Truth::fails,
         .correct = "Neurocomputing 568 (2024) 127063"},
        {.id = "001-08",
         .place = "Meta's code",
         .claim = "freqs are frequencies",
         .truth = Truth::fails,
         .correct = "freqs holds what the function takes as freqs_cis: the phases e^{i m theta}"},
        {.id = "001-09",
         .place = "the function f",
         .claim = "each pair (x_i, x_{i+1}) is rotated",
         .truth = Truth::holds_only_if,
         .condition = "i is even (counted from 0)",
         .correct = "the pairs are (x_{2i}, x_{2i+1}): d/2 of them, and none overlap",
         .figure = "rotation",
         .evidence = separate_pairs},
        {.id = "001-T1",
         .place = "HF RoFormer",
         .claim = "its code is the paper's formula",
         .truth = Truth::holds,
         .correct = "HF RoFormer computes R of the paper",
         .figure = "rotation",
         .evidence = agrees_with_paper},
    };
}

}  // namespace ropescope
