#include "core/encoder/encoder_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.h"

namespace ropescope::test {
namespace {

using ::testing::HasSubstr;

EncoderConfig parse(const std::string& json) {
    return parse_encoder_config(json, "config.json");
}

std::string refusal(const std::string& json) {
    return input_error([&] { parse(json); });
}

TEST(EncoderConfig, NotebookArguments) {
    const EncoderConfig config = parse(
        R"({"block_size": 16, "vocab_size": 64, "hidden_size": 32, "intermediate_size": 64,
            "n_layers": 2, "n_heads": 4, "rope_base": 1e6, "head_dim": 64})");
    EXPECT_EQ(config.architecture, Architecture::notebook);
    EXPECT_EQ(config.head_dim(), 8) << "its head_dim argument is never read";
    EXPECT_EQ(config.max_positions, 16);
    EXPECT_EQ(config.rope().base, 1e6);
    EXPECT_FALSE(config.tied_head);
}

TEST(EncoderConfig, HuggingFaceDefaults) {
    const EncoderConfig config =
        parse(R"({"model_type": "roformer", "architectures": ["RoFormerModel"]})");
    EXPECT_EQ(config.vocab_size, 50000);
    EXPECT_EQ(config.embedding_size, config.hidden_size);
    EXPECT_EQ(config.n_layers, 12);
    EXPECT_EQ(config.max_positions, 1536);
    EXPECT_EQ(config.rope_base, 10000.0);
    EXPECT_FALSE(config.has_head);
}

TEST(EncoderConfig, HuggingFaceVariants) {
    const EncoderConfig config = parse(
        R"({"model_type": "roformer", "architectures": ["RoFormerForMaskedLM"],
            "embedding_size": 16, "hidden_size": 32, "num_attention_heads": 4,
            "hidden_act": "gelu_new", "rotary_value": true, "tie_word_embeddings": false})");
    EXPECT_EQ(config.embedding_size, 16);
    EXPECT_EQ(config.activation, Activation::gelu_tanh);
    EXPECT_TRUE(config.rotary_value);
    EXPECT_TRUE(config.has_head);
    EXPECT_FALSE(config.tied_head);
}

TEST(EncoderConfig, Refusals) {
    EXPECT_THAT(refusal(R"({"model_type": "llama"})"),
                HasSubstr("config.json: model_type: 'llama' is not a known encoder"));
    EXPECT_THAT(refusal(R"({"model_type": "roformer", "hidden_act": "swish"})"),
                HasSubstr("hidden_act: 'swish' is not known; gelu, gelu_new"));
    EXPECT_THAT(refusal(R"({"model_type": "roformer", "ropescope_position": "shaw"})"),
                HasSubstr("ropescope_position: 'shaw' is not known; rope, sinusoidal, learned, t5, "
                          "alibi, none is expected"));
    EXPECT_THAT(refusal(R"({"model_type": "roformer", "hidden_size": 30})"),
                HasSubstr("hidden_size: 30 does not give 12 heads an even head_dim"));
    EXPECT_THAT(refusal(R"({"model_type": "roformer", "num_hidden_layers": 100000})"),
                HasSubstr("num_hidden_layers: an integer from 1 to 65536 is expected"));
}

}  // namespace
}  // namespace ropescope::test
