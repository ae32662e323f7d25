// What the documents' code does wrong, each failure held to the exact form it takes.
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/checks/families/system_checks.h"
#include "core/checks/worst_case.h"
#include "core/formats/tensor.h"
#include "core/rope/routes.h"
#include "core/systems/probe.h"
#include "core/systems/properties.h"
#include "core/systems/source_text.h"

namespace ropescope {
namespace {

SystemInput input_of(nd::Shape shape) {
    SystemInput input;
    const std::int64_t count = nd::count(shape);
    input.x = nd::view(probe_vectors(61, 1, 1, 1, count), std::move(shape));
    return input;
}

/// Counts calls that do not end as told.
class Calls {
  public:
    void expect_error(const System& system, const SystemInput& input, nd::Fault fault) {
        const SystemResult outcome = system.apply(input);
        const auto* error = std::get_if<FrameworkError>(&outcome);
        note(error != nullptr && error->fault == fault, system, input);
        if (error != nullptr) {
            last_error_ = error->exception + ": " + error->text;
        }
    }
    void expect_shape(const System& system, const SystemInput& input, const nd::Shape& shape) {
        const SystemResult outcome = system.apply(input);
        const auto* y = std::get_if<nd::Array>(&outcome);
        note(y != nullptr && y->shape == shape, system, input);
    }
    CheckFinding finding() const {
        return at_most(wrong_, 0.0, "calls that end otherwise",
                       fmt::format("{} calls{}; {}", calls_, where_, last_error_));
    }

  private:
    void note(bool as_told, const System& system, const SystemInput& input) {
        ++calls_;
        if (!as_told) {
            ++wrong_;
            where_ = fmt::format(", {} on shape {}", system.id, shape_text(input.x.shape));
        }
    }

    int calls_ = 0;
    int wrong_ = 0;
    std::string where_;
    std::string last_error_;
};

PositionIds ids_of(nd::Shape shape) {
    const auto count = static_cast<std::size_t>(nd::count(shape));
    return {std::vector<std::int64_t>(count, 1), std::move(shape)};
}

CheckFinding notebook_shapes(const System& system) {
    Calls calls;
    for (const std::int64_t seq : {1, 10, 15}) {
        SystemInput input = input_of({2, seq, 4, 8});
        input.table_rows = 16;
        calls.expect_error(system, input, nd::Fault::view);
        input.positions = ids_of({seq});
        calls.expect_shape(system, input, input.x.shape);
        input.positions = ids_of({2, seq});
        calls.expect_error(system, input, nd::Fault::view);
    }
    SystemInput whole_block = input_of({2, 16, 4, 8});
    whole_block.table_rows = 16;
    calls.expect_shape(system, whole_block, whole_block.x.shape);
    return calls.finding();
}

CheckFinding keras_shapes(const System& system) {
    Calls calls;
    for (const std::int64_t seq : {2, 5, 64}) {
        calls.expect_shape(system, input_of({1, seq, 8}), {seq, seq, 8});
        calls.expect_error(system, input_of({seq + 1, seq, 8}), nd::Fault::broadcast);
        calls.expect_error(system, input_of({1, seq, 7}), nd::Fault::broadcast);
    }
    return calls.finding();
}

// Bound: the system's rounding at positions below seq.
CheckFinding keras_turns_by_batch_index(const System& system, const Cases& cases) {
    constexpr std::int64_t kSeq = 6;
    WorstCase worst(cases);
    for (const std::int64_t d : {2, 8, 64, 128}) {
        const nd::Array x = probe_vectors(62, kSeq, 1, kSeq, d);
        const SystemResult outcome = run_bhld(system, x, {});
        const auto* y = std::get_if<nd::Array>(&outcome);
        const RopeSpec spec{d, d, 1e4, Layout::half_split};
        for (std::int64_t i = 0; i < kSeq * kSeq; ++i) {
            const auto head = vector_at(x, i);
            const std::vector<double> turned =
                rotate_by_elements(spec, {head.data(), static_cast<std::size_t>(d)}, i / kSeq);
            const Eigen::Map<const Eigen::VectorXd> expected(turned.data(), d);
            worst.add(
                y == nullptr ? std::nan("") : (vector_at(*y, i) - expected).norm() / head.norm(),
                rounding_bound(system, d, 1e4, kSeq, Arithmetic::as_written).total(),
                [&] { return fmt::format("head_dim={} batch={}", d, i / kSeq); });
        }
    }
    return worst.finding("rounding at positions below 6", "head_dim 2..128, batch = seq = 6");
}

// Bound: the two scores are formed from the same rotated numbers up to the order of rounding.
CheckFinding keras_scores_carry_no_position(const System& system, const Cases& cases) {
    WorstCase worst(cases);
    for (const std::int64_t d : {2, 8, 64, 128}) {
        worst.add(position_response(system, d, 1e4), 8.0 * 0x1p-24,
                  [d] { return fmt::format("head_dim={}", d); });
    }
    return worst.finding("8 * 2^-24: the same products",
                         "one q and one k repeated, batch = seq = 8");
}

CheckFinding one_row_broadcasts(const System& system, const Cases& cases) {
    constexpr std::int64_t kLength = 4;
    WorstCase worst(cases);
    for (const std::int64_t d : {4, 64}) {
        SystemInput input = input_of({1, 1, kLength, d});
        input.table_rows = kLength;
        input.offset = kLength - 1;
        const SystemResult outcome = system.apply(input);
        const auto* y = std::get_if<nd::Array>(&outcome);
        const RopeSpec spec{d, d, 1e4, Layout::half_split};
        for (std::int64_t l = 0; l < kLength; ++l) {
            const auto head = vector_at(input.x, l);
            const std::vector<double> turned =
                rotate_by_elements(spec, {head.data(), static_cast<std::size_t>(d)}, input.offset);
            const Eigen::Map<const Eigen::VectorXd> expected(turned.data(), d);
            worst.add(
                y == nullptr ? std::nan("") : (vector_at(*y, l) - expected).norm() / head.norm(),
                rounding_bound(system, d, 1e4, kLength, Arithmetic::as_written).total(),
                [&] { return fmt::format("head_dim={} row={}", d, l); });
        }
    }
    return worst.finding("rounding at position 3",
                         "offset 3 with tables for 4 positions: all rows turned by position 3");
}

CheckFinding mistral_axes(const System& system) {
    Calls calls;
    SystemInput input = input_of({3, 7, 16});
    input.table_rows = 7;
    calls.expect_error(system, input, nd::Fault::broadcast);
    for (const nd::Shape& shape : {nd::Shape{7, 3, 16}, nd::Shape{2, 7, 3, 16}}) {
        SystemInput right = input_of(shape);
        right.table_rows = 7;
        calls.expect_shape(system, right, shape);
    }
    return calls.finding();
}

// Bound: the table's own rounding; the reference is formed in double from exp and log.
CheckFinding sinusoidal_table(const System& system, bool even_odd, const Cases& cases) {
    WorstCase worst(cases);
    for (const std::int64_t d : {2, 32, 128}) {
        for (const std::int64_t position : {0, 1, 63, 1000, 100000}) {
            const Operator map = operator_at(system, d, 1e4, position, Arithmetic::as_written);
            for (std::int64_t pair = 0; pair < d / 2; ++pair) {
                const double theta = std::exp(-2.0 * static_cast<double>(pair) /
                                              static_cast<double>(d) * std::log(1e4));
                const double angle = static_cast<double>(position) * theta;
                const Eigen::Index sine = even_odd ? 2 * pair : pair;
                const Eigen::Index cosine = even_odd ? 2 * pair + 1 : pair + d / 2;
                worst.add(
                    std::hypot(map.image_of_zero[sine] - std::sin(angle),
                               map.image_of_zero[cosine] - std::cos(angle)),
                    rounding_bound(system, d, 1e4, position, Arithmetic::as_written).total(),
                    [&] { return fmt::format("head_dim={} pair={} m={}", d, pair, position); });
            }
        }
    }
    return worst.finding("m u max theta (e ln base + 3) + table, u of the angles' dtype",
                         "width 2..128, positions 0..100000");
}

CheckFinding interleaved_table(const System& system, const Cases& cases) {
    return sinusoidal_table(system, true, cases);
}
CheckFinding half_split_table(const System& system, const Cases& cases) {
    return sinusoidal_table(system, false, cases);
}

CheckFinding no_rotation(const System& system) {
    return system_does_not_rotate(system, std::array<std::int64_t, 3>{2, 8, 64});
}
CheckFinding no_rotation_beyond_two(const System& system) {
    return system_does_not_rotate(system, std::array<std::int64_t, 5>{4, 6, 8, 64, 128});
}

}  // namespace

std::vector<Check> system_failure_checks(const std::vector<System>& systems) {
    const std::string keras_call = cite(kKerasLayer, "RotaryEmbeddingLayer.call");
    const auto on = [&systems](const char* id, auto finding) {
        const System& system = find_system(id, systems);
        return [&system, finding](const CheckContext& context) {
            if constexpr (std::is_invocable_v<decltype(finding), const System&, const Cases&>) {
                return finding(system, context.cases);  // a sweep
            } else {
                return finding(system);
            }
        };
    };
    return {
        {.id = "systems.strided_llama_as_written",
         .title = "strided LLaMA is not a rotation",
         .source = cite(kLlamaWalkthrough, "rotate_half"),
         .statement =
             "Strided halves under a concatenated table change norms for every head_dim above 2.",
         .figure = "layouts system_a=meta_llama system_b=strided_llama_as_written",
         .run = on("strided_llama_as_written", no_rotation_beyond_two)},
        {.id = "systems.additive_absolute",
         .title = "W(x + p) is not a rotation",
         .source = cite(kRoformerNotebook, "and the block-wise derivation"),
         .statement = "An added position vector moves the zero vector.",
         .figure = "layouts system_a=meta_llama system_b=additive_absolute",
         .run = on("additive_absolute", no_rotation)},
        {.id = "systems.multiplicative_bias",
         .title = "a_ij is not a rotation",
         .source = cite(kBlockwiseDerivation, "multiplicative bias"),
         .statement = "A scalar on the score leaves queries and keys unturned.",
         .figure = "layouts system_a=meta_llama system_b=multiplicative_bias",
         .run = on("multiplicative_bias", no_rotation)},
        {.id = "systems.d2l_sinusoidal",
         .title = "the sinusoidal table of d2l",
         .source = cite(kLlamaWalkthrough, "PositionalEncoding"),
         .statement = "Even channels hold sin(m theta), odd channels cos(m theta).",
         .figure = "layouts system_a=d2l_sinusoidal system_b=roformer_sinusoidal",
         .run = on("d2l_sinusoidal", interleaved_table)},
        {.id = "systems.roformer_sinusoidal",
         .title = "RoFormer's sinusoidal table",
         .source = cite(kLlamaComparison, "RoFormerSinusoidalPositionalEmbedding"),
         .statement = "The first half holds sin(m theta), the second cos(m theta).",
         .figure = "layouts system_a=roformer_sinusoidal system_b=d2l_sinusoidal",
         .run = on("roformer_sinusoidal", half_split_table)},
        {.id = "systems.notebook_shapes",
         .title = "the RoFormer notebook's table must fit",
         .source = cite(kRoformerNotebook, "apply_rotary_emb"),
         .statement = "Without input_pos only seq_len = block_size runs, and positions of every "
                      "sample never "
                      "do.",
         .figure = "layouts system_a=meta_llama system_b=notebook_bf16",
         .run = on("notebook_bf16", notebook_shapes)},
        {.id = "systems.keras_shapes",
         .title = "the Keras layer's shapes",
         .source = keras_call,
         .statement =
             "As written, batch 1 grows to [seq, seq, dim], other batches and odd widths fail.",
         .figure = "layouts system_a=keras_intended system_b=keras_as_written",
         .run = on("keras_as_written", keras_shapes)},
        {.id = "systems.keras_batch_index",
         .title = "the Keras layer turns by batch",
         .source = keras_call,
         .statement =
             "As written, batch = seq runs and turns every vector by its index in the batch.",
         .figure = "layouts system_a=keras_intended system_b=keras_as_written",
         .run = on("keras_as_written", keras_turns_by_batch_index)},
        {.id = "systems.keras_no_position",
         .title = "its scores carry no position",
         .source = keras_call,
         .statement = "As written, scores within a sequence do not depend on positions.",
         .figure = "layouts system_a=keras_intended system_b=keras_as_written",
         .run = on("keras_as_written", keras_scores_carry_no_position)},
        {.id = "systems.hf_llama_one_row",
         .title = "one table row for all",
         .source = cite(kLlamaComparison, "apply_rotary_pos_emb"),
         .statement =
             "With tables for q_len positions, offset q_len - 1 turns every row by the same angle.",
         .figure = "layouts system_a=hf_llama_position_ids system_b=hf_llama_offset",
         .run = on("hf_llama_offset", one_row_broadcasts)},
        {.id = "systems.mistral_axes",
         .title = "Mistral wants [seq, heads, d]",
         .source = cite(kBlockwiseDerivation, "apply_rotary_emb"),
         .statement = "[heads, seq, d] fails; a batch axis in front is fine.",
         .figure = "layouts system_a=meta_llama system_b=mistral",
         .run = on("mistral", mistral_axes)},
    };
}

}  // namespace ropescope
