// The whole encoder and its attention over the floor of their matrix products: their floating-point
// operations at the rate of multiply-adds that the processor reaches in the same minute.
#include <cmath>

#include "core/encoder/encoder.h"
#include "tests/bench/fma_peak.h"
#include "tests/bench/ratio.h"

namespace ropescope {
namespace {

constexpr int kThreads = 2;
/// Part of the floor's operations that are really done.
constexpr double kFloorShare = 0.1;

/// Of the matrix products in one forward pass of the notebook's configuration.
double product_flops(const EncoderConfig& config, double batch, double positions, bool with_head) {
    const auto width = static_cast<double>(config.hidden_size);
    const double inner = static_cast<double>(config.intermediate_size);
    const double layer = 4 * width * width + 2 * width * inner + 2 * width * positions;
    const double head = with_head ? width * static_cast<double>(config.vocab_size) : 0.0;
    return 2 * batch * positions * (static_cast<double>(config.n_layers) * layer + head);
}

EncoderInput tokens(const EncoderConfig& config, std::int64_t batch, std::int64_t positions) {
    EncoderInput input;
    input.shape = {batch, positions};
    for (std::int64_t i = 0; i < batch * positions; ++i) {
        input.ids.push_back(i * 7919 % config.vocab_size);
    }
    return input;
}

void encoder_over_floor(benchmark::State& state, std::int64_t batch, std::int64_t positions,
                        bool with_head, double target) {
    const EncoderConfig config;
    const std::unique_ptr<Engine> engine = make_cpu_engine(kThreads);
    const Encoder encoder(*engine, config, random_weights(config, 42, kThreads));
    const EncoderInput input = tokens(config, batch, positions);
    ForwardOptions options;
    options.trace.logits = with_head;
    const double flops = product_flops(config, static_cast<double>(batch),
                                       static_cast<double>(positions), with_head);
    bench::compare(
        state, target, [&] { benchmark::DoNotOptimize(encoder.forward(input, options)); },
        [&] { bench::run_multiply_adds(kFloorShare * flops, kThreads); }, kFloorShare);
    bench::set_limit_flops(state, flops);
}

enum class Wanted { probs, log_sums, context };

/// Attention of 4 heads with head_dim 192: one output, over the products that it needs.
void attention_over_floor(benchmark::State& state, std::int64_t positions, Wanted wanted,
                          double target) {
    const AttentionShape shape{1, 4, positions, 192};
    const std::int64_t width = shape.heads * shape.head_dim;
    const std::unique_ptr<Engine> engine = make_cpu_engine(kThreads);
    const std::unique_ptr<TensorOps> ops = engine->tensor_ops();
    const auto values = [&] {
        const auto x = std::make_shared<std::vector<float>>();
        for (std::int64_t i = 0; i < shape.positions * width; ++i) {
            x->push_back(static_cast<float>(std::sin(0.37 * static_cast<double>(i))));
        }
        return ops->upload({x, *x}, shape.positions, width);
    };
    const AttentionInputs inputs{shape, values(), values(), values(), {}, 1.0 / std::sqrt(192.0)};
    const std::int64_t rows = shape.heads * shape.positions;
    AttentionOutputs outputs;
    if (wanted == Wanted::probs) {
        outputs.probs = ops->make(rows, shape.positions);
    } else if (wanted == Wanted::log_sums) {
        outputs.log_sums = ops->make(rows, 1);
    } else {
        outputs.context = ops->make(shape.positions, width);
    }
    const double products = wanted == Wanted::context ? 2.0 : 1.0;
    const double flops = products * 2.0 * static_cast<double>(rows * shape.positions) * 192;
    const double share = positions > 4096 ? kFloorShare : 1.0;
    bench::compare(
        state, target, [&] { ops->attention(inputs, outputs); },
        [&] { bench::run_multiply_adds(share * flops, kThreads); }, share);
    bench::set_limit_flops(state, flops);
}

BENCHMARK_CAPTURE(attention_over_floor, scores_and_softmax, 1024, Wanted::probs, 1.25)
    ->Apply(bench::in_turns);
BENCHMARK_CAPTURE(attention_over_floor, sums_without_map, 1024, Wanted::log_sums, 1.25)
    ->Apply(bench::in_turns);
BENCHMARK_CAPTURE(attention_over_floor, context_1024, 1024, Wanted::context, 1.25)
    ->Apply(bench::in_turns);
BENCHMARK_CAPTURE(attention_over_floor, context_8192, 8192, Wanted::context, 1.25)
    ->Apply(bench::in_few_turns);
BENCHMARK_CAPTURE(encoder_over_floor, 1x128_with_head, 1, 128, true, 1.25)->Apply(bench::in_turns);
BENCHMARK_CAPTURE(encoder_over_floor, 1x128_without_head, 1, 128, false, 1.25)
    ->Apply(bench::in_turns);
BENCHMARK_CAPTURE(encoder_over_floor, 1x512_with_head, 1, 512, true, 1.15)
    ->Apply(bench::in_few_turns);
BENCHMARK_CAPTURE(encoder_over_floor, 1x512_without_head, 1, 512, false, 1.15)
    ->Apply(bench::in_few_turns);
BENCHMARK_CAPTURE(encoder_over_floor, 4x1024_with_head, 4, 1024, true, 1.15)
    ->Apply(bench::in_few_turns);

}  // namespace
}  // namespace ropescope
