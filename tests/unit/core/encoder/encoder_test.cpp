// What goes into a forward pass, what is refused, and what may be switched.
#include "core/encoder/encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.h"

namespace ropescope::test {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

EncoderConfig tiny(Architecture architecture = Architecture::notebook) {
    EncoderConfig config;
    config.architecture = architecture;
    config.vocab_size = 10;
    config.hidden_size = config.embedding_size = 16;
    config.intermediate_size = 24;
    config.n_layers = 2;
    config.n_heads = 2;
    config.max_positions = 8;
    if (architecture == Architecture::hugging_face) {
        config.type_vocab_size = 2;
        config.rope_base = 1e4;
    }
    return config;
}

EncoderInput five_tokens() {
    EncoderInput input;
    input.shape = {1, 5};
    input.ids = {1, 9, 3, 3, 0};
    return input;
}

class TinyEncoder : public ::testing::Test {
  protected:
    std::string refusal(const EncoderInput& input, const ForwardOptions& options = {}) const {
        return input_error([&] { encoder_.forward(input, options); });
    }
    std::vector<float> scores(EncoderRope rope, const EncoderInput& input = five_tokens()) const {
        const Trace trace = encoder_.forward(input, {std::move(rope), {.scores = true}, {}});
        const auto values = trace.layers[0].scores.values();
        return {values.begin(), values.end()};
    }

    std::unique_ptr<Engine> engine_ = make_cpu_engine(2);
    Encoder encoder_{*engine_, tiny(), random_weights(tiny(), 5)};
};

TEST_F(TinyEncoder, RefusesWhatDoesNotFit) {
    EncoderInput input = five_tokens();
    input.ids[3] = 10;
    EXPECT_THAT(refusal(input), HasSubstr("ids: 10 at [0, 3] lies outside 0 .. 9"));
    input.ids.pop_back();
    EXPECT_THAT(refusal(input), HasSubstr("ids: 4 values; [1, 5] is expected"));
    input.shape = {1, 9};
    EXPECT_THAT(refusal(input), HasSubstr("9 positions exceed the model's 8 (block_size)"));
    input.shape = {0, 5};
    EXPECT_THAT(refusal(input), HasSubstr("at least one token"));
    input = five_tokens();
    input.type_ids = {0, 0, 0, 0, 0};
    EXPECT_THAT(refusal(input), HasSubstr("this model has no token types"));
    input = five_tokens();
    input.positions = {{1, 2, 3}, {3}, "positions"};
    EXPECT_THAT(refusal(input), HasSubstr("positions: shape [3]; expected [5] or [1, 5]"));
    ForwardOptions far;
    far.rope.shift = kMaxPosition;
    EXPECT_THAT(refusal(five_tokens(), far), HasSubstr("position"));
    ForwardOptions wide;
    wide.rope.spectrum = Spectrum{std::vector<double>(5, 1.0)};
    EXPECT_THAT(refusal(five_tokens(), wide), HasSubstr("spectrum: 5 pairs; head_dim 8 has 4"));
}

TEST_F(TinyEncoder, RotaryOptionsChangeTheScores) {
    const std::vector<float> plain = scores({});
    EncoderRope off;
    off.enabled = false;
    EncoderRope base;
    base.base = 50.0;
    EncoderRope layout;
    layout.layout = Layout::half_split;
    EncoderRope bf16;
    bf16.table_dtype = NumberFormat::bf16;
    EncoderRope halved;
    halved.spectrum = make_spectrum(tiny().rope());
    for (double& frequency : halved.spectrum->inv_freq_rad) {
        frequency /= 2;
    }
    for (const EncoderRope& rope : {off, base, layout, bf16, halved}) {
        EXPECT_NE(scores(rope), plain);
    }
    EncoderRope same;
    same.spectrum = make_spectrum(tiny().rope());
    EXPECT_EQ(scores(same), plain);
    same.spectrum.reset();
    same.base = tiny().rope_base;
    EXPECT_EQ(scores(same), plain);
}

TEST_F(TinyEncoder, PositionsOfEachSample) {
    EncoderInput both = five_tokens();
    both.shape.batch = 2;
    both.ids.insert(both.ids.end(), both.ids.begin(), both.ids.end());
    both.positions = {{0, 1, 2, 3, 4, 0, 2, 4, 6, 8}, {2, 5}, "positions"};
    EncoderInput spread = five_tokens();
    spread.positions = {{0, 2, 4, 6, 8}, {5}, "positions"};
    const std::vector<float> first = scores({});
    const std::vector<float> second = scores({}, spread);
    std::vector<float> expected = first;
    expected.insert(expected.end(), second.begin(), second.end());
    EXPECT_NE(first, second);
    EXPECT_EQ(scores({}, both), expected);
}

TEST_F(TinyEncoder, KeepsOnlyWhatIsAskedFor) {
    const Trace plain = encoder_.forward(five_tokens());
    EXPECT_EQ(plain.logits.shape, (std::vector<std::int64_t>{1, 5, 10}));
    EXPECT_TRUE(plain.hidden.empty());
    ASSERT_EQ(plain.layers.size(), 2U);
    EXPECT_FALSE(plain.layers[0].scores || plain.layers[0].probs || plain.layers[0].q_rot);
    const Trace maps = encoder_.forward(five_tokens(), {{}, {.probs = true, .logits = false}, {}});
    EXPECT_FALSE(maps.logits);
    EXPECT_EQ(maps.layers[1].probs.shape, (std::vector<std::int64_t>{1, 2, 5, 5}));
}

TEST_F(TinyEncoder, ProgressReachesOneAndCancels) {
    std::vector<double> shares;
    ForwardOptions options;
    options.progress = [&](double done) {
        shares.push_back(done);
        return true;
    };
    encoder_.forward(five_tokens(), options);
    EXPECT_THAT(shares, ::testing::WhenSorted(::testing::ContainerEq(shares)));
    EXPECT_EQ(shares.back(), 1.0);
    options.progress = [](double done) { return done < 0.5; };
    EXPECT_THROW(encoder_.forward(five_tokens(), options), ForwardCancelled);
    // Asked within the attention too, and what was said once holds.
    int asked = 0;
    options.progress = [&asked](double) { return ++asked != 4; };
    EXPECT_THROW(encoder_.forward(five_tokens(), options), ForwardCancelled);
    EXPECT_EQ(asked, 4);
}

TEST_F(TinyEncoder, AQueryWithoutKeysSeesAllAlike) {
    EncoderInput input = five_tokens();
    const Tensor mask = make_tensor("mask", {5}, std::vector<std::int64_t>(5, 0));
    input.mask = make_attention_mask(mask.view(), 1, 5);
    const Trace trace = encoder_.forward(input, {{}, {.probs = true}, {}});
    EXPECT_THAT(trace.layers[0].probs.values(), Each(0.2F));
}

TEST(EncoderTrace, OutlivesTheEncoder) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    auto encoder = std::make_unique<Encoder>(*engine, tiny(), random_weights(tiny(), 5));
    const Trace trace = encoder->forward(five_tokens(), {{}, TraceRequest::everything(), {}});
    const std::vector<float> before(trace.logits.values().begin(), trace.logits.values().end());
    encoder->forward(five_tokens());  // takes other memory
    encoder.reset();
    EXPECT_TRUE(std::equal(before.begin(), before.end(), trace.logits.values().begin()));
}

TEST(AttentionMask, AcceptsFloatIntegerAndBool) {
    const std::vector<double> keep = {1, 0, 1, 1, 1, 0};
    const std::vector<std::int64_t> as_integers = {1, 0, 1, 1, 1, 0};
    const Tensor integers = make_tensor("mask", {2, 3}, as_integers);
    Tensor booleans{"mask", Dtype::boolean, {2, 3}, {}};
    for (const double value : keep) {
        booleans.bytes.push_back(static_cast<std::byte>(value));
    }
    const AttentionMask expected =
        make_attention_mask(make_tensor_as(Dtype::f32, "mask", {2, 3}, keep).view(), 2, 3);
    EXPECT_EQ(expected.added[1], std::numeric_limits<float>::lowest());
    EXPECT_EQ(expected.added[2], 0.0F);
    EXPECT_EQ(make_attention_mask(integers.view(), 2, 3).added, expected.added);
    EXPECT_EQ(make_attention_mask(booleans.view(), 2, 3).added, expected.added);
}

TEST(AttentionMask, Refusals) {
    const Tensor wide = make_tensor("mask", {2, 4}, std::vector<float>(8, 1.0F));
    EXPECT_THAT(
        input_error([&] { make_attention_mask(wide.view(), 2, 3, "mask.npy"); }),
        HasSubstr("mask.npy: shape [2, 4] does not fit the tokens; [3], [2, 3] or [2, 3, 3]"));
    const Tensor added = make_tensor("mask", {3}, std::vector<float>{0.0F, -2.0F, 0.0F});
    EXPECT_THAT(input_error([&] { make_attention_mask(added.view(), 2, 3); }),
                HasSubstr("value -2 at index 1; 1 keeps a key"));
}

}  // namespace
}  // namespace ropescope::test
