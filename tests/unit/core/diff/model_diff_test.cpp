// Two models side by side: which frequencies and parameters differ, and in which layers.
#include "core/diff/model_diff.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/input_error.h"

namespace ropescope::diff {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

Model llama(const std::string& keys) {
    return parse_model(R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
        "num_hidden_layers": 4, "max_position_embeddings": 8192)" +
                           keys + "}",
                       "config.json");
}

TEST(ModelDiff, AModelIsEqualToItself) {
    const DiffReport report =
        report_of(compare_models(open_model("llama-3-8b"), open_model("llama-3-8b")));
    EXPECT_EQ(report.verdict, Sameness::equal);
    EXPECT_THAT(report.summary, HasSubstr("turn alike"));
    EXPECT_TRUE(report.rows.empty());
}

TEST(ModelDiff, TheFirstPairAndWhatItCosts) {
    const ModelDifference found =
        compare_models(llama(R"(, "rope_theta": 10000.0)"), llama(R"(, "rope_theta": 500000.0)"));
    ASSERT_THAT(found.layers, SizeIs(1));
    ASSERT_TRUE(found.layers[0].frequencies.has_value());
    const FrequencyDifference& first = *found.layers[0].frequencies;
    EXPECT_EQ(first.pair, 1);  // pair 0 turns by a radian at every base
    EXPECT_EQ(first.pairs, 63);
    const double a = std::pow(1e4, -2.0 / 128), b = std::pow(5e5, -2.0 / 128);
    EXPECT_NEAR(first.a_rad, a, 1e-15);
    EXPECT_NEAR(first.b_rad, b, 1e-15);
    EXPECT_EQ(first.position, 8191);
    EXPECT_NEAR(first.angle_rad, (a - b) * 8191, 1e-9);
    EXPECT_EQ(first.radian_at, static_cast<Index>(std::ceil(1.0 / (a - b))));
    const auto json = nlohmann::json::parse(report_json(report_of(found)));
    EXPECT_EQ(json.at("verdict"), "different");
    EXPECT_EQ(json.at("spectra")[0].at("first").at("pair"), 1);
    EXPECT_EQ(json.at("differences")[0].at("parameter"), "base");
    EXPECT_EQ(json.at("differences")[0].at("a"), 10000.0);
}

TEST(ModelDiff, ScalingShowsInTheSlowPairs) {
    const ModelDifference found =
        compare_models(open_model("llama-3-8b"), open_model("llama-3.1-8b"));
    ASSERT_TRUE(found.layers[0].frequencies.has_value());
    EXPECT_GT(found.layers[0].frequencies->pair, 8);
    EXPECT_THAT(report_text(report_of(found)), HasSubstr("llama3"));
}

TEST(ModelDiff, AnotherLayoutIsEquivalentForPermutedWeights) {
    const Model half = llama("");
    Model other = half;
    other.parts[0].spec->layout = Layout::interleaved;
    other.parts[0] = part_of(*other.parts[0].spec);
    other.parts[0].reach = half.parts[0].reach;
    const DiffReport report = report_of(compare_models(half, other));
    EXPECT_EQ(report.verdict, Sameness::equivalent);
    EXPECT_THAT(report.summary, HasSubstr("layout half_split and interleaved"));
}

TEST(ModelDiff, SizesDoNotChangeTheRotation) {
    const DiffReport report =
        report_of(compare_models(open_model("llama-2-7b"), llama(R"(, "head_dim": 128)")));
    EXPECT_EQ(report.verdict, Sameness::equal) << report_text(report);
    EXPECT_FALSE(report.rows.empty());
}

/// GGUF files of Gemma say no scale where the code takes the usual one.
TEST(ModelDiff, AScaleThatIsTheUsualOneNeedsNotBeSaid) {
    const auto verdict = [](const char* scalar) {
        return report_of(compare_models(llama(""), llama(scalar))).verdict;
    };
    EXPECT_EQ(verdict(R"(, "query_pre_attn_scalar": 128)"), Sameness::equal);
    EXPECT_EQ(verdict(R"(, "query_pre_attn_scalar": 100)"), Sameness::different);
}

TEST(ModelDiff, LayersAreHeldToTheirOwnType) {
    const std::string gemma = R"({"model_type": "gemma3_text", "hidden_size": 1152,
        "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 256,
        "num_hidden_layers": 8, "max_position_embeddings": 32768, "sliding_window_pattern": 6,
        "rope_local_base_freq": 10000.0, "rope_theta": )";
    const ModelDifference found = compare_models(parse_model(gemma + "1000000.0}", "a"),
                                                 parse_model(gemma + "2000000.0}", "b"));
    ASSERT_THAT(found.layers, SizeIs(2));
    EXPECT_THAT(found.layers[0].layers, ElementsAre(0, 1, 2, 3, 4, 6, 7));
    EXPECT_EQ(found.layers[0].sameness, Sameness::equal);
    EXPECT_THAT(found.layers[1].layers, ElementsAre(5));
    EXPECT_EQ(found.layers[1].sameness, Sameness::different);
    EXPECT_THAT(report_of(found).summary, HasSubstr("different: layer 5: "));
}

TEST(ModelDiff, AContextChoosesTheFrequencies) {
    const std::string dynamic = R"(, "rope_scaling": {"rope_type": "dynamic", "factor": 4.0})";
    EXPECT_EQ(report_of(compare_models(llama(""), llama(dynamic))).verdict, Sameness::equal);
    EXPECT_THAT(compare_models(llama(""), llama(dynamic)).remarks,
                ElementsAre(HasSubstr("--context N")));
    EXPECT_EQ(report_of(compare_models(llama(""), llama(dynamic), 20000)).verdict,
              Sameness::different);
}

TEST(ModelDiff, AScalingOfManyFactorsIsShortAndNamedByWhatItDoes) {
    const auto text_of_factors = [](const char* last) {
        std::string first, factors;
        for (int pair = 0; pair < 63; ++pair) {
            factors += "1.25,";
        }
        first = "[" + factors + "1.25]";
        const std::string scaling =
            R"(, "rope_scaling": {"rope_type": "longrope", "factor": 4.0,)"
            R"("original_max_position_embeddings": 4096, "short_factor": )" +
            first + R"(, "long_factor": [)" + factors + last + "]}";
        return report_text(report_of(compare_models(llama(""), llama(scaling))));
    };
    EXPECT_THAT(text_of_factors("1.25"), HasSubstr("a factor for each pair, "));
    const std::string by_length = text_of_factors("4.5");
    EXPECT_THAT(by_length, HasSubstr("longrope, "));
    EXPECT_THAT(by_length, HasSubstr("long_factor 1.25 .. 4.5"));
    EXPECT_THAT(by_length, testing::Not(HasSubstr("1.25,1.25")));
}

TEST(ModelDiff, ModelsThatSeeAreComparedByAxes) {
    const ModelDifference found =
        compare_models(open_model("qwen2-vl-7b"), open_model("qwen2.5-vl-7b"));
    EXPECT_THAT(found.layers, SizeIs(2));
    EXPECT_THAT(test::input_error([] {
                    compare_models(open_model("llama-2-7b"), open_model("dinov3-vit-small"));
                }),
                HasSubstr("have no part in common"));
}

}  // namespace
}  // namespace ropescope::diff
