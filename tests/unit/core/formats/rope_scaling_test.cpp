// Keys of rope_scaling whose meaning files leave to custom.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/formats/model_config.h"
#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using testing::HasSubstr;

ModelConfig parse_with(const std::string& keys) {
    return parse_model_config(
        R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
            "max_position_embeddings": 32768, "rope_theta": 500000.0, )" +
            keys + "}",
        "config.json");
}

TEST(RopeScaling, AYarnBetaOfZeroIsTheUsualOne) {
    const ModelConfig model = parse_with(
        R"("rope_scaling": {"type": "yarn", "factor": 4, "beta_fast": 0, "beta_slow": 0,
            "original_max_position_embeddings": 8192})");
    const auto& yarn = std::get<YarnScaling>(model.rope.scaling);
    EXPECT_EQ(yarn.beta_fast, 32.0);
    EXPECT_EQ(yarn.beta_slow, 1.0);
}

/// apply_scaling() of Meta's models/llama3/model.py.
TEST(RopeScaling, ParamsOfMetaNameTheirScalingByAFlag) {
    const auto parsed = [](const std::string& keys) {
        return parse_model_config(R"({"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8,
                                      "rope_theta": 500000.0)" +
                                      keys + "}",
                                  "params.json");
    };
    EXPECT_EQ(parsed(R"(, "use_scaled_rope": true)").rope.scaling, Scaling(Llama3Scaling{}));
    EXPECT_THAT(parsed(R"(, "use_scaled_rope": true)").assumptions,
                testing::Contains(HasSubstr("factor 8")));
    EXPECT_EQ(parsed(R"(, "use_scaled_rope": false)").rope.scaling, Scaling(NoScaling{}));
    EXPECT_EQ(parsed("").rope.scaling, Scaling(NoScaling{}));
    EXPECT_EQ(parsed(R"(, "use_scaled_rope": true, "rope_scaling_factor": 16.0,
                        "rope_high_freq_factor": 1.5)")
                  .rope.scaling,
              Scaling(Llama3Scaling{.factor = 16.0, .high_freq_factor = 1.5}));
}

TEST(RopeScaling, OlderNamesOfMethodsAreKnown) {
    const ModelConfig model =
        parse_with(R"("rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]})");
    EXPECT_TRUE(std::holds_alternative<NoScaling>(model.rope.scaling));
}

TEST(RopeScaling, AYarnFactorOfNullFollowsFromTheLengths) {
    const ModelConfig model = parse_with(
        R"("rope_scaling": {"type": "yarn", "factor": null,
            "original_max_position_embeddings": 8192})");
    EXPECT_EQ(std::get<YarnScaling>(model.rope.scaling).factor, 4.0);
}

TEST(RopeScaling, TheShareOfPairsThatTurnMayStandBeside) {
    const ModelConfig model =
        parse_with(R"("partial_rotary_factor": 0.5, "rope_scaling": {"type": "proportional"})");
    EXPECT_EQ(std::get<ProportionalScaling>(model.rope.scaling).partial_rotary_factor, 0.5);
}

TEST(RopeScaling, TwoOriginalLengthsMustAgree) {
    EXPECT_THAT(test::input_error([] {
                    parse_with(R"("original_max_position_embeddings": 8192,
                        "rope_scaling": {"type": "yarn", "factor": 4,
                            "original_max_position_embeddings": 4096})");
                }),
                HasSubstr("4096 contradicts the 8192 beside rope_scaling"));
}

}  // namespace
}  // namespace ropescope
