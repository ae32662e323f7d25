// The direction of a rotation against the one that a model's weights were trained with.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/expectation.h"
#include "core/diagnosis/read_dump.h"
#include "core/faults/rotation/plan.h"
#include "tests/support/random.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Index kTurnedTokens = 48, kTurnedHeads = 2;

/// q and k of one sequence, turned by plans that `change` makes of the model's.
template <typename Change>
Diagnosis diagnosed_scheme(const RotaryScheme& scheme, const Expectation* expectation,
                           const Change& change) {
    const faults::HeadShape shape{
        .heads = kTurnedHeads, .length = kTurnedTokens, .head_dim = scheme.head_dim};
    std::vector<double> positions(kTurnedTokens);
    for (Index t = 0; t < kTurnedTokens; ++t) {
        positions[t] = to_double(t);
    }
    std::vector<Tensor> tensors;
    for (const std::string name : {"q", "k"}) {
        const auto x = test::Random(name == "q" ? 3 : 4).normal<float>(shape.size());
        faults::RotationPlan plan = plan_of(scheme, shape, positions);
        change(plan, name == "k");
        const std::vector<double> turned = rotated(plan, std::vector<double>(x.begin(), x.end()));
        const std::vector<float> y(turned.begin(), turned.end());
        const std::vector<std::int64_t> sizes = {1, kTurnedHeads, kTurnedTokens, scheme.head_dim};
        tensors.push_back(make_tensor(name, sizes, std::span<const float>(x)));
        tensors.push_back(make_tensor(name + "_rot", sizes, std::span<const float>(y)));
    }
    std::vector<TensorBytes> views;
    std::ranges::transform(tensors, std::back_inserter(views), &Tensor::view);
    return diagnose(make_dump(views, nullptr, "test", {.axes = "bhld"}), expectation);
}

void turn_round(faults::RotationPlan& plan, bool /*of_keys*/) {
    for (double& omega : plan.omega_rad) {
        omega = -omega;
    }
}
void leave(faults::RotationPlan& /*plan*/, bool /*of_keys*/) {}

std::vector<std::string> all_texts(const Diagnosis& found) {
    std::vector<std::string> all;
    std::ranges::transform(found.mismatches, std::back_inserter(all), &Finding::text);
    return all;
}

constexpr const char* kNanochat = R"({"model_type": "nanochat", "hidden_size": 256,
    "num_attention_heads": 4, "max_position_embeddings": 2048})";

TEST(Direction, AnotherOneThanThatOfTheWeightsIsAMismatch) {
    const Expectation expectation = read_expectation("llama-2-7b");
    const RotaryScheme scheme = scheme_of(expectation.specs.front());
    const Diagnosis right = diagnosed_scheme(scheme, &expectation, leave);
    EXPECT_TRUE(passes(right)) << right.summary();
    const Diagnosis wrong = diagnosed_scheme(scheme, &expectation, turn_round);
    EXPECT_FALSE(passes(wrong));
    EXPECT_THAT(all_texts(wrong), testing::ElementsAre("sign reversed, expected forward"));
    EXPECT_EQ(wrong.summary(),
              "equivalent by itself, but not as llama-2-7b says: sign reversed, expected forward");
    // Nobody can tell without the model.
    const Diagnosis alone = diagnosed_scheme(scheme, nullptr, turn_round);
    EXPECT_EQ(alone.verdict, Verdict::equivalent) << alone.summary();
    EXPECT_THAT(alone.summary(), HasSubstr("weights that were trained forward get other scores"));
}

TEST(Direction, IsThatOfAFamilyThatWasTrainedBackwards) {
    const Expectation expectation = parse_expectation(kNanochat, "config.json");
    EXPECT_TRUE(expectation.backwards);
    const RotaryScheme scheme = scheme_of(expectation.specs.front());
    const Diagnosis right = diagnosed_scheme(scheme, &expectation, turn_round);
    EXPECT_EQ(right.verdict, Verdict::valid) << right.summary();
    EXPECT_TRUE(passes(right));
    const Diagnosis wrong = diagnosed_scheme(scheme, &expectation, leave);
    EXPECT_FALSE(passes(wrong));
    EXPECT_THAT(all_texts(wrong), testing::ElementsAre("sign forward, expected reversed"));
}

TEST(Direction, OfModelsInSeveralAxesIsComparedInTheirTexts) {
    const Expectation expectation = read_expectation("qwen2-vl-7b");
    const RotaryScheme& scheme = expectation.schemes.front();
    RotaryScheme text = scheme;  // positions agree in all axes
    Spectrum& spectrum = text.heads.front();
    std::vector<double> sums;
    for (Index pair = 0; pair < scheme.pair_count(); ++pair) {
        double sum = 0.0;
        for (const double omega : spectrum.omega_rad(pair)) {
            sum += omega;
        }
        sums.push_back(sum);
    }
    spectrum.inv_freq_rad = sums;
    spectrum.axes = 1;
    text.axes = {"position"};
    EXPECT_THAT(all_texts(diagnosed_scheme(text, &expectation, leave)), IsEmpty());
    EXPECT_THAT(all_texts(diagnosed_scheme(text, &expectation, turn_round)),
                Contains("sign reversed, expected forward"));
}

TEST(Direction, OneSideAgainstTheOtherIsSaidOnce) {
    const Expectation expectation = read_expectation("llama-2-7b");
    const Diagnosis found = diagnosed_scheme(scheme_of(expectation.specs.front()), &expectation,
                                             [](faults::RotationPlan& plan, bool of_keys) {
                                                 if (of_keys) {
                                                     turn_round(plan, true);
                                                 }
                                             });
    EXPECT_THAT(all_texts(found), testing::ElementsAre("k turns the other way than q."));
}

TEST(Direction, AnotherOrderOfWhatComesOutIsNoMismatch) {
    for (const char* name : {"gpt-j-6b", "command-r", "deepseek-v3"}) {
        const Expectation expectation = read_expectation(name);
        const RopeSpec& spec = expectation.specs.front();
        const auto halves = [&](faults::RotationPlan& plan, bool /*of_keys*/) {
            plan.written = channel_pairs(Layout::half_split, spec.rotary_dim);
        };
        const Diagnosis alike = diagnosed_scheme(scheme_of(spec), &expectation, halves);
        EXPECT_TRUE(passes(alike)) << name << ": " << alike.summary();
        EXPECT_EQ(alike.verdict, Verdict::equivalent) << name << ": " << alike.summary();
        EXPECT_EQ(alike.findings.front().code, "layout.other") << name;
        const Diagnosis one = diagnosed_scheme(scheme_of(spec), &expectation,
                                               [&](faults::RotationPlan& plan, bool of_keys) {
                                                   if (of_keys) {
                                                       halves(plan, true);
                                                   }
                                               });
        EXPECT_FALSE(passes(one)) << name;
        // Pairs that are read elsewhere are other pairs.
        const Diagnosis other = diagnosed_scheme(
            scheme_of(spec), &expectation, [&](faults::RotationPlan& plan, bool /*of_keys*/) {
                plan.pairs = channel_pairs(Layout::half_split, spec.rotary_dim);
            });
        EXPECT_FALSE(passes(other)) << name;
    }
}

TEST(Direction, TheSameOffsetOfBothSidesIsNoMismatch) {
    const Expectation expectation = read_expectation("llama-2-7b");
    const Diagnosis found = diagnosed_scheme(scheme_of(expectation.specs.front()), &expectation,
                                             [](faults::RotationPlan& plan, bool /*of_keys*/) {
                                                 for (double& position : plan.positions) {
                                                     position += 7.0;
                                                 }
                                             });
    EXPECT_EQ(found.verdict, Verdict::equivalent) << found.summary();
    EXPECT_TRUE(passes(found));
}

}  // namespace
}  // namespace ropescope::diagnosis
