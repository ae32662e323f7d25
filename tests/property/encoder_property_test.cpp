// Encoders of random shape against the plain forward in double.
#include <gtest/gtest.h>

#include "core/checks/reference/reference_encoder.h"
#include "tests/support/random.h"

namespace ropescope::test {
namespace {

EncoderConfig random_config(Random& random) {
    EncoderConfig config;
    config.architecture =
        random.pick<Architecture>({Architecture::notebook, Architecture::hugging_face});
    config.n_heads = random.integer(1, 4);
    config.hidden_size = config.n_heads * 2 * random.integer(1, 9);
    config.embedding_size = config.hidden_size;
    config.vocab_size = random.integer(2, 50);
    config.intermediate_size = random.integer(1, 70);
    config.n_layers = random.integer(1, 3);
    config.max_positions = 40;
    config.rope_base = random.real(10.0, 1e6);
    if (config.architecture == Architecture::hugging_face) {
        config.embedding_size = random.integer(2, 30);
        config.type_vocab_size = random.integer(1, 3);
        config.activation =
            random.pick<Activation>({Activation::gelu, Activation::gelu_tanh, Activation::relu});
        config.rotary_value = random.integer(0, 1) == 1;
        config.has_head = random.integer(0, 1) == 1;
        config.tied_head = config.has_head && random.integer(0, 1) == 1;
        config.position = static_cast<PositionEncoding>(
            random.integer(0, std::ssize(kEnumNames<PositionEncoding>) - 1));
        config.rotary_share = random.pick<double>({0.25, 0.5, 1.0});
        config.causal = random.integer(0, 1) == 1;
    }
    return config;
}

EncoderInput random_input(Random& random, const EncoderConfig& config) {
    EncoderInput input;
    input.shape = {random.integer(1, 3), random.integer(1, 40)};
    const std::int64_t count = input.shape.batch * input.shape.positions;
    const bool turned = config.position == PositionEncoding::rope;
    std::vector<double> keep;
    for (std::int64_t i = 0; i < count; ++i) {
        input.ids.push_back(random.integer(0, config.vocab_size - 1));
        keep.push_back(random.integer(0, 3) == 0 ? 0.0 : 1.0);
        if (turned) {
            input.positions.values.push_back(random.integer(-100000, 100000));
        }
        if (config.type_vocab_size > 0) {
            input.type_ids.push_back(random.integer(0, config.type_vocab_size - 1));
        }
    }
    const std::vector<Index> shape = {input.shape.batch, input.shape.positions};
    if (turned) {
        input.positions.shape = shape;
    }
    const Tensor mask = make_tensor_as(Dtype::f32, "mask", shape, keep);
    input.mask = make_attention_mask(mask.view(), input.shape.batch, input.shape.positions);
    return input;
}

void expect_near(std::span<const float> found, const Estimates& expected, const char* what) {
    ASSERT_EQ(found.size(), expected.value.size()) << what;
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_LE(std::abs(static_cast<double>(found[i]) - expected.value[i]), expected.bound(i))
            << what << ", index " << i;
    }
}

TEST(EncoderProperty, AnyShapeAgreesWithFloat64) {
    Random random;
    SCOPED_TRACE(random.trace());
    for (int round = 0; round < 60; ++round) {
        const EncoderConfig config = random_config(random);
        const EncoderInput input = random_input(random, config);
        const Weights weights =
            random_weights(config, static_cast<std::uint64_t>(random.integer(0, 1 << 20)), 1);
        EncoderRope rope;
        rope.enabled = random.integer(0, 4) > 0;
        rope.layout = random.pick<Layout>({Layout::interleaved, Layout::half_split});
        // A model has learned vectors for its positions only.
        rope.shift = config.position == PositionEncoding::learned ? 0 : random.integer(-1000, 1000);
        const std::unique_ptr<Engine> engine =
            make_cpu_engine(static_cast<int>(random.integer(1, 3)));
        const Trace found = Encoder(*engine, config, weights)
                                .forward(input, {rope, TraceRequest::everything(), {}});
        const ReferenceTrace expected = reference_forward(config, weights, input, rope);
        for (std::size_t i = 0; i < expected.layers.size(); ++i) {
            expect_near(found.layers[i].scores.values(), expected.layers[i].scores, "scores");
            expect_near(found.layers[i].probs.values(), expected.layers[i].probs, "probs");
            expect_near(found.hidden[i + 1].values(), expected.hidden[i + 1], "hidden");
        }
        if (config.has_head) {
            expect_near(found.logits.values(), expected.logits, "logits");
        }
    }
}

}  // namespace
}  // namespace ropescope::test
