// The claims of the article with the Keras layer.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/claims/claim.h"
#include "core/rope/spectrum.h"
#include "core/systems/properties.h"

namespace ropescope {
namespace {

using namespace claims;

constexpr int kKerasHeadDim = 8;
constexpr std::int64_t kSeq = 5;

SystemResult keras(const char* id, std::int64_t batch, std::int64_t dim = kKerasHeadDim) {
    SystemInput input;
    input.x = probe_vectors(1, batch, 1, kSeq, dim);
    input.x.shape = {batch, kSeq, dim};
    return find_system(id).apply(input);
}

Evidence table_axis() {
    const auto written = std::get<nd::Array>(keras("keras_as_written", kSeq));
    const auto intended = std::get<nd::Array>(keras("keras_intended", kSeq));
    double off = 0.0;
    for (std::size_t i = 0; i < written.values.size(); ++i) {
        off = std::max(off, std::abs(written.values[i] - intended.values[i]));
    }
    const auto grown = std::get<nd::Array>(keras("keras_as_written", 1)).shape;
    const bool raises = std::holds_alternative<FrameworkError>(keras("keras_as_written", 2));
    const Eigen::MatrixXd layer =
        operator_at(find_system("keras_intended"), kKerasHeadDim, 10000.0, 3).matrix;
    const Eigen::MatrixXd llama =
        operator_at(find_system("hf_llama_position_ids"), kKerasHeadDim, 10000.0, 3).matrix;
    return {
        .what = "embeddings[None, :, :] against HF LLaMA's rotate_half",
        .error = largest_difference(layer, llama),
        .bound = 24 * kUnit,
        .bound_reason = "entries of two operators in double",
        .refutation =
            Refutation{"batch = seq = 5: as written every sample turns by its batch index, off by",
                       off, 0.1},
        .detail = fmt::format("batch 1 grows to [{}, {}, {}]; batch 2 {}", grown[0], grown[1],
                              grown[2], raises ? "raises" : "runs")};
}

Evidence before_projection() {
    const RopeSpec spec = interleaved_spec(kKerasHeadDim, 10000.0);
    const Eigen::MatrixXd w_q = matrix(1, kKerasHeadDim, kKerasHeadDim);
    const Eigen::MatrixXd w_k = matrix(2, kKerasHeadDim, kKerasHeadDim);
    const Eigen::VectorXd x = claims::vector(3, kKerasHeadDim);
    const Eigen::VectorXd y = claims::vector(4, kKerasHeadDim);
    const double scale = (w_q * x).norm() * (w_k * y).norm();
    const auto before = [&](std::int64_t m, std::int64_t n) {
        return (w_q * (rotation(spec, m) * x)).dot(w_k * (rotation(spec, n) * y)) / scale;
    };
    const auto after = [&](std::int64_t m, std::int64_t n) {
        return (rotation(spec, m) * (w_q * x)).dot(rotation(spec, n) * (w_k * y)) / scale;
    };
    return {.what = "rotated after the projection: |score(107, 103) - score(7, 3)| / (|q||k|)",
            .error = std::abs(after(107, 103) - after(7, 3)),
            .bound = 2 * (kProductOfRotations + kKerasHeadDim * kUnit),
            .bound_reason = "two scores, each from two rotations and 8 products",
            .refutation =
                Refutation{"rotated before it", std::abs(before(107, 103) - before(7, 3)), 0.01}};
}

Evidence exponents_below_one() {
    double largest = 0.0;
    for (int dim = 2; dim <= 257; ++dim) {
        const int last = (dim - 1) / 2 * 2;  // of range(0, dim, 2)
        largest = std::max(largest, static_cast<double>(last) / dim);
    }
    const bool raises = std::holds_alternative<FrameworkError>(keras("keras_intended", 1, 7));
    return {
        .what = "the largest exponent less (d-1)/d, d = 2 .. 257",
        .error = std::abs(largest - 256.0 / 257.0),
        .bound = 0.0,
        .bound_reason = "the same quotient",
        .refutation = Refutation{"distance of the largest exponent from 1", 1.0 - largest, 1e-3},
        .detail = fmt::format("d = 7: largest {:.4f}; the layer {}", 6.0 / 7.0,
                              raises ? "raises" : "runs")};
}

Evidence frequency_by_channel() {
    // What one position further turns a pair by, early and late in the sequence.
    const System& system = find_system("keras_intended");
    const auto speed = [&](std::int64_t position, int pair) {
        const Eigen::MatrixXd now = operator_at(system, kKerasHeadDim, 10000.0, position).matrix;
        const Eigen::MatrixXd next =
            operator_at(system, kKerasHeadDim, 10000.0, position + 1).matrix;
        const Eigen::MatrixXd step = next * now.transpose();
        return std::atan2(step(pair + kKerasHeadDim / 2, pair), step(pair, pair));
    };
    double error = 0.0;
    for (int pair = 0; pair < kKerasHeadDim / 2; ++pair) {
        error = std::max(error, std::abs(speed(0, pair) - speed(2000, pair)));
    }
    return {.what = "a pair's speed at position 2000 less that at 0",
            .error = error,
            // Angles are products with positions up to 2001: two of them rounded to half a unit of
            // 2^11.
            .bound = 2 * 0x1p-42 + kProductOfRotations,
            .bound_reason = "two angles near 2000, each rounded to 2^-43, and a product",
            .refutation = Refutation{"speed of the first pair over that of the last",
                                     speed(0, 0) / speed(0, kKerasHeadDim / 2 - 1), 100.0}};
}

Evidence one_angle_a_pair() {
    const Eigen::MatrixXd r =
        operator_at(find_system("keras_intended"), kKerasHeadDim, 10000.0, 1).matrix;
    std::int64_t angles = 0;
    for (int c = 0; c < kKerasHeadDim; ++c) {
        bool seen = false;
        for (int earlier = 0; earlier < c; ++earlier) {
            seen = seen || std::abs(r(c, c) - r(earlier, earlier)) < 1e-9;
        }
        angles += seen ? 0 : 1;
    }
    Evidence evidence = exact_count("different angles among 8 channels", angles, kKerasHeadDim / 2);
    evidence.refutation =
        Refutation{"channels that share an angle with another",
                   static_cast<double>(kKerasHeadDim - angles), kKerasHeadDim / 2.0};
    return evidence;
}

Evidence rotated_content() {
    const RopeSpec spec = interleaved_spec(kKerasHeadDim, 10000.0);
    const Eigen::MatrixXd r = rotation(spec, 7);
    const Eigen::VectorXd q = claims::vector(3, kKerasHeadDim),
                          other = claims::vector(4, kKerasHeadDim);
    return {.what = "|R_7 q + R_7 p - R_7 (q + p)|: one rotation for all vectors of a position",
            .error = largest_difference(r * q + r * other, r * (q + other)),
            // Entries below 4 in sums of two products, on both sides.
            .bound = 4 * 8 * kUnit,
            .bound_reason = "two products and two sums of entries below 4, on either side",
            .refutation = Refutation{"images of two vectors at the same position differ by",
                                     largest_difference(r * q, r * other), 0.1}};
}

Evidence four_frequencies() {
    const Spectrum spectrum = make_spectrum(interleaved_spec(kKerasHeadDim, 10000.0));
    double error = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
        error =
            std::max(error, std::abs(spectrum.inv_freq_rad[i] * std::pow(10.0, double(i)) - 1.0));
    }
    return {.what = "inv_freq of d = 8 is 1, 0.1, 0.01, 0.001, relative",
            .error = error,
            .bound = 6 * kUnit,
            .bound_reason = "two powers and a product"};
}

}  // namespace

std::vector<Claim> keras_layer_claims() {
    return {
        {.id = "002-01",
         .place = "RotaryEmbeddingLayer.call",
         .claim = "embeddings[:, None, :] lines up with the sequence",
         .truth = Truth::fails,
         .correct = "embeddings[None, :, :] does; as written positions lie on the batch axis",
         .figure = "layouts system_a=keras_intended system_b=keras_as_written",
         .evidence = table_axis},
        {.id = "002-02",
         .place = "the use in a model",
         .claim = "the layer goes on the embeddings",
         .truth = Truth::fails,
         .correct = "it goes on q and k after the projection",
         .figure = "rotation",
         .evidence = before_projection},
        {.id = "002-03",
         .place = "the exponents",
         .claim = "for an odd width they reach 1",
         .truth = Truth::fails,
         .correct = "they stay below 1: at most (d-1)/d; and an odd width breaks the layer",
         .figure = "spectrum",
         .evidence = exponents_below_one},
        {.id = "002-04",
         .place = "the frequencies",
         .claim = "later positions have lower frequencies",
         .truth = Truth::fails,
         .correct = "the frequency belongs to the channel, not to the position",
         .figure = "spectrum",
         .evidence = frequency_by_channel},
        {.id = "002-05",
         .place = "the frequencies",
         .claim = "inv_freq comes from positions, freqs are frequencies",
         .truth = Truth::fails,
         .correct = "inv_freq comes from channel indices; freqs holds angles"},
        {.id = "002-06",
         .place = "the table",
         .claim = "there is an angle for every channel",
         .truth = Truth::fails,
         .correct = "there is one for every pair",
         .figure = "table table_quantity=angle",
         .evidence = one_angle_a_pair},
        {.id = "002-07",
         .place = "the imports",
         .claim = "the code runs as shown",
         .truth = Truth::fails,
         .correct = "tf is never imported, np is never used, indentation is lost"},
        {.id = "002-08",
         .place = "earlier encodings",
         .claim = "BERT's position vectors are fixed",
         .truth = Truth::fails,
         .correct = "they are learned"},
        {.id = "002-09",
         .place = "the explanation",
         .claim = "positions are points that are rotated",
         .truth = Truth::fails,
         .correct = "queries and keys are rotated; the position gives the angle",
         .figure = "rotation",
         .evidence = rotated_content},
        {.id = "002-T1",
         .place = "the worked example",
         .claim = "d = 8 has the frequencies 1, 0.1, 0.01, 0.001",
         .truth = Truth::holds,
         .correct = "10000^(-2i/8)",
         .figure = "spectrum spectrum_quantity=inv_freq head_dim=8 rotary_dim=8",
         .evidence = four_frequencies},
    };
}

}  // namespace ropescope
