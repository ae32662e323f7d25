// Names of wrong answers: none for an answer that is only inexact, and the right one for faults
// whose answers are not in the index of a pack.
#include "core/vectors/naming.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

#include "core/faults/codes.h"
#include "tests/support/call_changes.h"
#include "tests/support/planted_rotations.h"

namespace ropescope::vectors {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kOfFp32 = 1;  // in kResultDtypes

/// The cases of a model, and what the judge makes of changed answers.
class NamedAnswers {
  public:
    explicit NamedAnswers(const std::string& config)
        : pack_(pack_of_model(parse_model(config, "config.json"))) {}
    explicit NamedAnswers(Pack pack) : pack_(std::move(pack)) {}

    std::vector<CaseJudgement> after(const test::ChangeCall& change,
                                     Dtype dtype = Dtype::f32) const {
        bool differs = false;
        return pack_.judge(test::answers_of(pack_.pack(), change, {}, dtype, differs));
    }
    const Pack& pack() const { return pack_.pack(); }

    /// The right answers, a number of the first moved by some of its tolerances.
    CaseJudgement moved(std::size_t place, double tolerances, Dtype dtype) const {
        const RotationCase& made = pack().rotations.front();
        const auto at = static_cast<std::size_t>(std::ranges::find(kResultDtypes, dtype) -
                                                 kResultDtypes.begin());
        std::vector<double> values = made.expected;
        values[place] += tolerances * made.tolerance[at][place];
        const faults::HeadShape& size = made.plan.shape;
        return pack_
            .judge({make_tensor_as(Dtype::f64, made.id,
                                   {size.batch, size.heads, size.length, size.head_dim}, values)})
            .front();
    }

  private:
    test::WrittenPack pack_;
};

constexpr const char* kLlama = R"({"model_type": "llama", "hidden_size": 256,
    "num_attention_heads": 4, "rope_theta": 500000, "max_position_embeddings": 8192})";

/// The short case of a family, which has one wrong answer of a kind.
NamedAnswers short_case_of(const std::string& family) {
    Pack some{.name = "text"};
    for (RotationCase& made : text_pack().rotations) {
        if (made.id == "families/" + family) {
            some.rotations.push_back(std::move(made));
        }
    }
    return NamedAnswers(std::move(some));
}

TEST(VectorNaming, AnAnswerThatIsOnlyInexactHasNoFault) {
    const NamedAnswers answers(kLlama);
    for (const double tolerances : {1.5, 2.5, 3.5, 30.0}) {
        for (const std::size_t place : {0U, 17U, 100U, 383U}) {
            const CaseJudgement found = answers.moved(place, tolerances, Dtype::f64);
            EXPECT_EQ(found.judged, CaseVerdict::wrong) << tolerances;
            EXPECT_TRUE(found.faults.empty()) << text_of(found);
            EXPECT_TRUE(found.inexact);
            EXPECT_EQ(found.off, 1);
            // The sum is a number of float64, a sixth of a tolerance from the next.
            EXPECT_NEAR(found.worst_in_tolerances, tolerances, 1.0 / 6.0);
        }
    }
    const CaseJudgement found = answers.moved(64 * 4 + 17, 2.5, Dtype::f64);
    EXPECT_EQ(found.worst_at, (std::vector<Index>{1, 0, 1, 17}));
    EXPECT_THAT(text_of(found), HasSubstr("tolerances at [1, 0, 1, 17]"));
}

TEST(VectorNaming, BeyondTheNextFaultAnAnswerIsNotInexact) {
    const CaseJudgement found = NamedAnswers(kLlama).moved(3, 1e14, Dtype::f64);
    EXPECT_EQ(found.judged, CaseVerdict::wrong);
    EXPECT_FALSE(found.inexact);
    EXPECT_THAT(text_of(found), HasSubstr("no known fault gives them"));
}

TEST(VectorNaming, SixteenBitsThatAreInexactHaveNoFault) {
    const NamedAnswers answers(kLlama);
    for (const Dtype dtype : {Dtype::f16, Dtype::bf16}) {
        for (const double error : {3.0, 6.0}) {
            // Every sine is off by some units of the dtype.
            const double off = error * 4.0 * unit_of(dtype);
            const auto judged = answers.after(
                [=](test::ProbedCall& call) { call.rotation.sin_gain = 1.0 + off; }, dtype);
            for (const CaseJudgement& found : judged) {
                EXPECT_TRUE(found.faults.empty()) << found.id << text_of(found);
            }
        }
    }
}

TEST(VectorNaming, WhatOverflowLeavesOfAPositionIsNotAWrongAxis) {
    const NamedAnswers one = short_case_of("llama"), model(kLlama);
    for (const double rows : {128.0, 256.0, 4096.0, 65536.0}) {
        const CaseJudgement found =
            one.after(test::at_place([=](double p) { return std::fmod(p, rows); })).front();
        ASSERT_EQ(found.judged, CaseVerdict::fault) << rows;
        EXPECT_EQ(found.faults.front().code, faults::code("positions.restart")) << rows;
    }
    const CaseJudgement first = one.after(test::stay_at_the_first_token).front();
    EXPECT_EQ(first.faults.front().code, faults::code("positions.wrong_axis"));
    const CaseJudgement bytes =
        model
            .after(test::at_place([](double p) {
                return static_cast<double>(static_cast<std::int8_t>(static_cast<int>(p)));
            }))
            .front();
    ASSERT_EQ(bytes.judged, CaseVerdict::fault);
    EXPECT_THAT(text_of(bytes), HasSubstr("kept in 8 bits with a sign"));
}

TEST(VectorNaming, FaultsBeyondTheIndexOfAShortCaseAreNamed) {
    const NamedAnswers one = short_case_of("llama");
    const auto expect = [](const CaseJudgement& found, const char* code, const char* text) {
        ASSERT_EQ(found.judged, CaseVerdict::fault) << text;
        EXPECT_EQ(found.faults.front().code, code);
        EXPECT_THAT(text_of(found), HasSubstr(text));
    };
    expect(one.after([](test::ProbedCall& call) { call.rotation.exchanged = true; }).front(),
           faults::code("phase"), "cos and sin were exchanged");
    expect(one.after(test::at_speed(180.0 / std::numbers::pi)).front(),
           faults::code("positions.scaled"), "degrees in place of radians");
    expect(one.after(test::with_formula(
                         [](double i, double n, double b) { return std::pow(b, -i / (n - 1)); }))
               .front(),
           faults::code("spectrum.exponent_off_by_one"), "i / (rotary_dim / 2 - 1)");
    const NamedAnswers yarn(R"({"model_type": "qwen2", "hidden_size": 256,
        "num_attention_heads": 4, "max_position_embeddings": 32768, "rope_scaling":
        {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}})");
    for (const CaseJudgement& found :
         yarn.after([](test::ProbedCall& call) { call.rotation.gain *= call.rotation.gain; })) {
        expect(found, faults::code("gain"), "the attention factor was applied twice");
    }
}

TEST(VectorNaming, ModelsInSeveralAxesHaveFaultsWithANumber) {
    const NamedAnswers axes(pack_of_model(open_model("qwen2-vl-7b")));
    const CaseJudgement found =
        axes.after(test::at_place([](double p) { return p + 5.0; })).front();
    ASSERT_EQ(found.judged, CaseVerdict::fault);
    EXPECT_THAT(text_of(found), HasSubstr("every position was +5 from its own"));
}

}  // namespace
}  // namespace ropescope::vectors
