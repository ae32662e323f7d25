// The claims of the RoFormer notebook.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <limits>

#include "core/claims/claim.h"
#include "core/rope/routes.h"
#include "core/rope/spectrum.h"
#include "core/systems/properties.h"
#include "core/systems/rotation_test.h"

namespace ropescope {
namespace {

using namespace claims;

// The configuration written in the notebook.
constexpr int kHidden = 768;
constexpr int kHeads = 4;
constexpr int kNotebookHeadDim = kHidden / kHeads;
constexpr int kIntermediate = 3072;
constexpr int kLayers = 4;
constexpr int kVocabulary = 32000;
constexpr double kBase = 1e6;

/// What the code's operator turns channel 2 * pair by, from position 0 to 1.
double turned_angle(int pair) {
    const Eigen::MatrixXd r =
        operator_at(find_system("notebook_fp32"), kNotebookHeadDim, kBase, 1).matrix;
    return std::atan2(r(2 * pair + 1, 2 * pair), r(2 * pair, 2 * pair));
}

Evidence text_and_code_base() {
    const double in_code = turned_angle(1);
    return {
        .what = "|second angle of the code's rotation - (1e6)^(-2/192)|",
        .error = std::abs(in_code - std::pow(kBase, -2.0 / kNotebookHeadDim)),
        // pow, cos, sin and atan2 in double, each within two units of a value below 1.
        .bound = 8 * kUnit,
        .bound_reason = "four library functions in double",
        .refutation = Refutation{"the text's base 10000 gives an angle off by",
                                 std::abs(in_code - std::pow(1e4, -2.0 / kNotebookHeadDim)), 0.01},
        .detail = fmt::format("text {:.6f}, code {:.6f}", std::pow(1e4, -2.0 / kNotebookHeadDim),
                              in_code)};
}

Evidence frequency_and_angle() {
    // Radians that one position further turns the first pair by: 1, wherever it is.
    const auto step = [](std::int64_t m) {
        const auto r = [](std::int64_t position) -> Eigen::Matrix2d {
            return operator_at(find_system("notebook_fp32"), kNotebookHeadDim, kBase, position)
                .matrix.topLeftCorner<2, 2>();
        };
        const Eigen::Matrix2d turned = r(m + 1) * r(m).transpose();
        return std::atan2(turned(1, 0), turned(0, 0));
    };
    double error = 0.0;
    for (const std::int64_t m : {0, 1, 40, 1000}) {
        error = std::max(error, std::abs(step(m) - 1.0));
    }
    return {.what = "|angle from m to m + 1 - theta|, first pair, m = 0, 1, 40, 1000",
            .error = error,
            .bound = kProductOfRotations + 8 * kUnit,
            .bound_reason = "a product of two rotations and an arc tangent",
            .refutation = Refutation{"m theta differs from theta at m = 40 by",
                                     std::abs(40 * turned_angle(0) - turned_angle(0)), 1.0}};
}

/// Small positions: there fp32 angles cannot be blamed for what the table does.
double worst_violation(const char* id) {
    double worst = 0.0;
    for (std::int64_t shift = 1; shift <= 8; ++shift) {
        worst = std::max(worst,
                         relative_violation(find_system(id), kNotebookHeadDim, kBase, 2, 1, shift));
    }
    return worst;
}

Evidence bf16_table() {
    const System& fp32 = find_system("notebook_fp32");
    return {
        .what = "|score(m+s, n+s) - score(m, n)| / (|q||k|) without the cast, m = 2, n = 1, s <= 8",
        .error = worst_violation("notebook_fp32"),
        // Two scores, each with two rotated vectors.
        .bound =
            4 * rounding_bound(fp32, kNotebookHeadDim, kBase, 10, Arithmetic::as_written).total(),
        .bound_reason = "four vectors with fp32 angles and an fp32 table",
        .refutation =
            Refutation{"the same with the bf16 table", worst_violation("notebook_bf16"), 1e-4}};
}

Evidence query_without_position() {
    const std::complex<double> turned = std::polar(1.0, 1.0);
    const std::vector<double> q = {1.0, 0.0};
    const RopeSpec spec = interleaved_spec(2, kBase);
    const auto rotated = rotate_by_matrix(spec, q, 1);
    return {.what = "|f_q(x, 1) - (W_q x) e^{i theta}| for theta = 1",
            .error = std::abs(std::complex(rotated[0], rotated[1]) - turned),
            .bound = kProductOfRotations,
            .bound_reason = "one rotation by two routes",
            .refutation = Refutation{"|e^{i theta} - 1|: what W_q x alone leaves out",
                                     std::abs(turned - 1.0), 0.1}};
}

/// Whether the notebook's function runs on [batch, seq, heads, d] with a table of `rows`.
bool runs(std::int64_t batch, std::int64_t seq, std::int64_t rows, PositionIds ids) {
    SystemInput input;
    input.x = probe_vectors(1, batch, seq, 4, 8);
    input.x.shape = {batch, seq, 4, 8};
    input.table_rows = rows;
    input.positions = std::move(ids);
    return std::holds_alternative<nd::Array>(find_system("notebook_bf16").apply(input));
}

Evidence sequence_lengths() {
    std::int64_t running = 0;
    for (std::int64_t seq = 1; seq <= 16; ++seq) {
        running += runs(2, seq, 16, {}) ? 1 : 0;
    }
    PositionIds ids;
    ids.shape = {2, 10};
    for (std::int64_t i = 0; i < 20; ++i) {
        ids.values.push_back(i % 10);
    }
    Evidence evidence =
        exact_count("lengths 1 .. 16 that run without input_pos at block_size 16", running, 1);
    evidence.refutation = Refutation{"lengths that raise", static_cast<double>(16 - running), 15.0};
    evidence.detail =
        runs(2, 10, 16, ids) ? "positions of every sample run" : "positions of every sample raise";
    return evidence;
}

Evidence padded_row() {
    // softmax of 16 scores to which the smallest float was added: fp32 swallows the scores.
    constexpr int kKeys = 16;
    const Eigen::VectorXf scores = claims::vector(1, kKeys).cast<float>();
    const Eigen::VectorXf masked = scores.array() + std::numeric_limits<float>::lowest();
    const Eigen::VectorXf weights = (masked.array() - masked.maxCoeff()).exp();
    const Eigen::VectorXf probabilities = weights / weights.sum();
    return {.what = "|probability - 1/16| of a fully padded row",
            .error = (probabilities.array() - 1.0F / kKeys).abs().maxCoeff(),
            .bound = 0.0,
            .bound_reason = "16 equal numbers, exact",
            .refutation = Refutation{"weight on each padded key, where -inf would give NaN",
                                     probabilities.minCoeff(), 1.0 / kKeys},
            .detail =
                fmt::format("the smallest float is {:.4g}", std::numeric_limits<float>::lowest())};
}

/// Weights and biases of a linear layer.
constexpr std::int64_t linear(std::int64_t in, std::int64_t out) {
    return in * out + out;
}
constexpr std::int64_t layer_parameters(int layer_norms) {
    return 4 * linear(kHidden, kHidden) + linear(kHidden, kIntermediate) +
           linear(kIntermediate, kHidden) + layer_norms * 2 * kHidden;
}

Evidence block_of_the_paper() {
    Evidence evidence = exact_count("parameters of one layer with three layer norms",
                                    layer_parameters(3), 7'089'408);
    evidence.refutation =
        Refutation{"more than a layer of the RoFormer paper has",
                   static_cast<double>(layer_parameters(3) - layer_parameters(2)), 2.0 * kHidden};
    return evidence;
}

Evidence double_input() {
    SystemInput input;
    input.x = probe_vectors(1, 1, 4, 4, 8);
    input.x.shape = {1, 4, 4, 8};
    for (double& value : input.x.values) {
        value += 1e-9;  // beyond fp32's reach
    }
    input.x.dtype = NumberFormat::fp64;
    const auto& system = find_system("notebook_fp32");
    const auto as_written = std::get<nd::Array>(system.apply(input));
    input.arithmetic = Arithmetic::real_numbers;
    const auto in_double = std::get<nd::Array>(system.apply(input));
    double lost = 0.0;
    double error = 0.0;
    for (std::size_t row = 0; row < 16; ++row) {
        const std::int64_t position = static_cast<std::int64_t>(row) / 4;
        const auto truth =
            rotate_by_complex(interleaved_spec(8, input.base),
                              std::span(input.x.values).subspan(row * 8, 8), position);
        for (std::size_t c = 0; c < 8; ++c) {
            error = std::max(error, std::abs(in_double.values[row * 8 + c] - truth[c]));
            lost = std::max(lost, std::abs(as_written.values[row * 8 + c] - truth[c]));
        }
    }
    return {.what = "|the formula in double - the rotation|, head_dim 8",
            .error = error,
            .bound = 5 * 2 * kProductOfRotations,
            .bound_reason = "pairs no longer than 5, by two routes",
            .refutation =
                Refutation{"|the code's output for a double input - the rotation|", lost, 1e-9}};
}

Evidence interleaved_formula() {
    const RopeSpec spec = interleaved_spec(kNotebookHeadDim, kBase);
    const Eigen::VectorXd x = claims::vector(1, kNotebookHeadDim);
    const std::span<const double> view{x.data(), static_cast<std::size_t>(x.size())};
    double error = 0.0;
    for (const std::int64_t m : {0, 1, 40, 1023}) {
        const auto elements = rotate_by_elements(spec, view, m);
        const Eigen::VectorXd matrix = rotation(spec, m) * x;
        error = std::max(error, largest_difference(matrix, Eigen::Map<const Eigen::VectorXd>(
                                                               elements.data(), kNotebookHeadDim)));
    }
    return {.what = "max |x cos + rot(x) sin - R x|, head_dim 192, base 1e6",
            .error = error / x.cwiseAbs().maxCoeff(),
            .bound = 2 * kProductOfRotations,
            .bound_reason = "two routes to the same rotation"};
}

Evidence complex_product() {
    double error = 0.0;
    for (const double angle : {0.0, 0.5, 2.0, -3.0, 40.0}) {
        const std::complex<double> z = std::complex(0.6, -1.2) * std::polar(1.0, angle);
        const Eigen::Vector2d r = turn(angle) * Eigen::Vector2d(0.6, -1.2);
        error = std::max(error, std::abs(z - std::complex(r.x(), r.y())));
    }
    return {.what = "|z e^{i phi} - R(phi) z|, |z| < 1.5",
            .error = error,
            .bound = 1.5 * 12 * kUnit,
            .bound_reason = "cos and sin, two products and a sum on either side"};
}

Evidence parameter_count() {
    const std::int64_t total =
        2 * std::int64_t{kVocabulary} * kHidden + kLayers * layer_parameters(3);
    return exact_count("parameters of the real configuration", total, 77'509'632);
}

}  // namespace

std::vector<Claim> roformer_notebook_claims() {
    return {
        {.id = "000-01",
         .place = "the set of angles",
         .claim = "the base is 10000",
         .truth = Truth::fails,
         .correct = "the code runs with rope_base = 1e6",
         .figure = "spectrum base=1000000",
         .evidence = text_and_code_base},
        {.id = "000-02",
         .place = "precompute_freqs_cis",
         .claim = "the table may be kept in bf16",
         .truth = Truth::fails,
         .correct = "a bf16 table breaks the relative property; keep it in fp32",
         .figure = "layouts system_a=notebook_fp32 system_b=notebook_bf16",
         .evidence = bf16_table},
        {.id = "000-03",
         .place = "the first formula",
         .claim = "q_m = f_q(x_m, m) = W_q x_m",
         .truth = Truth::fails,
         .correct = "the formula leaves out m: f_q(x_m, m) = (W_q x_m) e^{i m theta}, as the text "
                    "says later",
         .figure = "rotation",
         .evidence = query_without_position},
        {.id = "000-04",
         .place = "apply_rotary_emb",
         .claim = "any sequence up to block_size runs",
         .truth = Truth::holds_only_if,
         .condition = "seq_len = block_size or input_pos is one list",
         .correct = "the view ties the table's rows to the sequence",
         .figure = "layouts system_a=meta_llama system_b=notebook_bf16",
         .evidence = sequence_lengths},
        {.id = "000-05",
         .place = "get_extended_attention_mask",
         .claim = "a tokenizer's mask can be passed",
         .truth = Truth::fails,
         .correct = "an int or bool mask has no smallest float and raises; make it float"},
        {.id = "000-06",
         .place = "get_extended_attention_mask",
         .claim = "the mask adds minus infinity",
         .truth = Truth::fails,
         .correct = "it adds the smallest float: a fully padded row attends to all keys alike",
         .figure = "attention",
         .evidence = padded_row},
        {.id = "000-07",
         .place = "ModelArgs",
         .claim = "head_dim is 64, heads are 8",
         .truth = Truth::fails,
         .correct = "those fields are never read: 4 heads of 192"},
        {.id = "000-08",
         .place = "RoFormer.__init__",
         .claim = "the table moves with the model",
         .truth = Truth::fails,
         .correct = "it is a plain attribute, no buffer"},
        {.id = "000-09",
         .place = "EncoderLayer and FeedForward",
         .claim = "the block is the paper's",
         .truth = Truth::fails,
         .correct = "a second residual and a third layer norm sit inside the feed-forward",
         .figure = "attention",
         .evidence = block_of_the_paper},
        {.id = "000-10",
         .place = "apply_rotary_emb",
         .claim = "the input's dtype is kept",
         .truth = Truth::fails,
         .correct = "x.float() rounds a double input to fp32 inside",
         .figure = "layouts system_a=notebook_fp32 system_b=meta_llama",
         .evidence = double_input},
        {.id = "000-11",
         .place = "earlier encodings",
         .claim = "relative encodings act before the attention",
         .truth = Truth::fails,
         .correct = "W (x + p) describes absolute ones; relative ones act inside the attention"},
        {.id = "000-12",
         .place = "complex numbers",
         .claim = "m theta is the frequency of position m",
         .truth = Truth::fails,
         .correct = "theta is the frequency, the same at every position; m theta is the angle",
         .figure = "rotation",
         .evidence = frequency_and_angle},
        {.id = "000-T1",
         .place = "the element-wise form",
         .claim = "x cos + rot(x) sin is R x",
         .truth = Truth::holds,
         .correct = "the element-wise form equals the rotation matrix",
         .figure = "rotation",
         .evidence = interleaved_formula},
        {.id = "000-T2",
         .place = "complex numbers",
         .claim = "a rotation is a complex product",
         .truth = Truth::holds,
         .correct = "z e^{i phi} is R(phi) z",
         .figure = "rotation",
         .evidence = complex_product},
        {.id = "000-T3",
         .place = "the summary table",
         .claim = "the model has 77,509,632 parameters",
         .truth = Truth::holds,
         .correct = "two embeddings of 24,576,000 and four layers of 7,089,408",
         .figure = "attention",
         .evidence = parameter_count},
    };
}

}  // namespace ropescope
