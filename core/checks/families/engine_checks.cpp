// Each operation of an engine that the encoder is built from, against double.
#include <fmt/format.h>
#include <span>

#include "core/checks/families/families.h"
#include "core/checks/families/small_encoders.h"
#include "core/checks/reference/device_matrix.h"

namespace ropescope {
namespace {

Finding engine_products(const CheckContext& context) {
    struct Size {
        Index rows, in, out;
        double weight = 1.0;  ///< largest weight
    };
    WorstCase worst(context.cases);
    for (Engine* engine : context.engines) {
        const auto ops = engine->tensor_ops();
        // More than 256 rows and 384 outputs are computed in blocks and parts; with large weights
        // the activations reach their ends.
        for (const Size size : {Size{1, 1, 1}, Size{3, 7, 130}, Size{65, 192, 33}, Size{530, 16, 5},
                                Size{5, 12, 900}, Size{9, 72, 40, 16.0}}) {
            for (const Activation activation :
                 {Activation::none, Activation::gelu, Activation::gelu_tanh, Activation::relu}) {
                const DeviceMatrix x = random_matrix(*ops, size.rows, size.in, 11);
                const DeviceMatrix w = random_weight(*ops, size.out, size.in, 12, size.weight);
                const DeviceMatrix b = random_matrix(*ops, 1, size.out, 13);
                const DeviceTensor out = ops->make(size.rows, size.out);
                for (const bool with_bias : {true, false}) {
                    ops->gemm(x.device, {w.device, with_bias ? b.device : DeviceTensor{}},
                              activation, out);
                    compare(
                        worst, *ops, out,
                        linear_f64(x.exact, w.values(),
                                   with_bias ? b.values() : std::span<const double>{}, activation),
                        fmt::format("by={} rows={} in={} out={} activation={}", engine->name(),
                                    size.rows, size.in, size.out, to_string(activation)));
                }
            }
        }
    }
    return worst.finding(deviations_of("in + 2"),
                         "1 to 530 rows, 1 to 192 inputs, 1 to 900 outputs, weights to 1 and 16");
}

Finding norms(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (Engine* engine : context.engines) {
        const auto ops = engine->tensor_ops();
        for (const std::int64_t width : {2, 17, 64, 768}) {
            for (const auto& [eps, size] : {std::pair{1e-12, 1.0}, std::pair{1e-12, 0x1p-20},
                                            std::pair{1e-5, 1.0}, std::pair{1e-5, 0x1p-8}}) {
                const DeviceMatrix x = random_matrix(*ops, 37, width, 21, size);
                const DeviceMatrix w = random_matrix(*ops, 1, width, 22);
                const DeviceMatrix b = random_matrix(*ops, 1, width, 23);
                const DeviceTensor out = ops->make(37, width);
                ops->layer_norm(x.device, {w.device, b.device, eps}, out);
                compare(
                    worst, *ops, out, layer_norm_f64(x.exact, w.values(), b.values(), eps),
                    fmt::format("by={} width={} eps={} size={}", engine->name(), width, eps, size));
            }
        }
    }
    return worst.finding(
        deviations_of("6"),
        "width 2 to 768, eps 1e-12 and 1e-5 beside variances of its size and of 1");
}

/// The rows of `table` named by `ids`, and twice their sum with themselves, which fp32 holds.
Finding gather_and_add(const CheckContext& context) {
    WorstCase worst(context.cases);
    std::vector<Index> ids = {6, 0, 3, 3, 1};
    for (Index i = 0; i < 40; ++i) {
        ids.push_back(i * i % 7);
    }
    const Index rows = std::ssize(ids);
    for (Engine* engine : context.engines) {
        const auto ops = engine->tensor_ops();
        const DeviceMatrix table = random_matrix(*ops, 7, 33, 31);
        Estimates twice = zero_estimates({rows, 33});
        for (std::size_t i = 0; i < twice.value.size(); ++i) {
            const auto row = static_cast<std::size_t>(ids[i / 33]);
            twice.value[i] = 2.0 * table.values()[row * 33 + i % 33];
        }
        const DeviceTensor out = ops->make(rows, 33);
        ops->gather(table.device, ids, out);
        ops->add(out, out, out);
        compare(worst, *ops, out, twice, "by=" + engine->name());
    }
    return worst.finding("exact", "45 rows of 7, in any order and repeated");
}

}  // namespace

std::vector<Check> engine_checks() {
    return {
        {.id = "engine.gemm",
         .title = "x W^T + b and activation",
         .source = "torch.nn.Linear; Hendrycks and Gimpel, GELU",
         .statement = "Every engine's matrix product with bias and activation is that of float64.",
         .figure = "attention",
         .run = engine_products},
        {.id = "engine.layer_norm",
         .title = "layer norm",
         .source = "Ba, Kiros and Hinton, arXiv:1607.06450",
         .statement = "Every engine's layer norm is that of float64, with tiny and usual eps.",
         .figure = "attention",
         .run = norms},
        {.id = "engine.gather_add",
         .title = "rows of a table, sums",
         .source = "torch.nn.Embedding",
         .statement = "Every engine gathers the right rows and adds them exactly.",
         .figure = "attention",
         .run = gather_and_add},
        {.id = "engine.curves",
         .title = "sums over the pairs by distance",
         .source = "RoFormer, section 3.4.3 and eq. 16",
         .statement = "Every engine's sums of a cos, b sin and |z_j| are those of the definition.",
         .figure = "decay",
         .run = engine_curves},
    };
}

// The engines against each other: the small encoders, and the curves.

namespace {

/// Every engine against the first, for what `compare_parts` compares of two traces. What the bounds
/// are relative to is the forward in double.
template <typename CompareParts>
Finding engines_agree(const CheckContext& context, CompareParts compare_parts, const char* swept) {
    if (context.engines.size() < 2) {
        return skipped("one engine only; `check --engine all` compares them");
    }
    WorstCase worst(context.cases);
    for (const Architecture architecture : kBothArchitectures) {
        const SmallEncoder& s = small_encoder(architecture);
        const ReferenceTrace reference = reference_forward(s.config, s.weights, s.input);
        const auto trace_of = [&](Engine& engine) {
            return Encoder(engine, s.config, s.weights)
                .forward(s.input, {{}, TraceRequest::everything(), {}});
        };
        const Trace expected = trace_of(*context.engines.front());
        for (Engine* engine : std::span(context.engines).subspan(1)) {
            compare_parts(worst, trace_of(*engine), expected, reference,
                          fmt::format("by={} against={} model={}", engine->name(),
                                      context.engines.front()->name(), to_string(architecture)));
        }
    }
    return worst.finding(std::string("twice ") + kEncoderBoundReason, swept);
}

Finding logits_agree(const CheckContext& context) {
    const auto logits = [](WorstCase& worst, const Trace& found, const Trace& expected,
                           const ReferenceTrace& reference, const std::string& name) {
        compare_runs(worst, found.logits, expected.logits, reference.logits,
                     name + " tensor=logits");
    };
    return engines_agree(context, logits, "both architectures, 2 layers, a padded batch");
}

Finding maps_agree(const CheckContext& context) {
    const auto maps = [](WorstCase& worst, const Trace& found, const Trace& expected,
                         const ReferenceTrace& reference, const std::string& name) {
        for (std::size_t i = 0; i < reference.layers.size(); ++i) {
            compare_runs(worst, found.layers[i].scores, expected.layers[i].scores,
                         reference.layers[i].scores, fmt::format("{} tensor=scores.{}", name, i));
            compare_runs(worst, found.layers[i].probs, expected.layers[i].probs,
                         reference.layers[i].probs, fmt::format("{} tensor=probs.{}", name, i));
        }
    };
    return engines_agree(context, maps, "both architectures, 2 layers, 3 heads, a padded batch");
}

}  // namespace

std::vector<Check> gpu_checks() {
    const char* const both = "RoFormer notebook; Hugging Face, modeling_roformer.py";
    return {
        {.id = "gpu.logits",
         .title = "logits of the CPU and the GPU",
         .source = both,
         .statement = "Both engines give the encoder the same logits.",
         .figure = "attention",
         .run = logits_agree},
        {.id = "gpu.maps",
         .title = "attention maps of the CPU and the GPU",
         .source = both,
         .statement = "Both engines give every head the same scores and probabilities.",
         .figure = "attention",
         .run = maps_agree},
        {.id = "gpu.curves",
         .title = "score and decay curves of the CPU and the GPU",
         .source = "RoFormer, section 3.4.3 and eq. 16",
         .statement = "Both engines give the same sums over the pairs at every distance.",
         .figure = "decay",
         .run = curves_agree},
    };
}

}  // namespace ropescope
