// Answers to a pack that are wrong in ways of their own.
#include "core/vectors/judge.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <utility>

#include "core/faults/codes.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"
#include "core/models/model.h"
#include "core/rope/spectrum.h"
#include "core/vectors/pack_file.h"
#include "core/vectors/packs.h"
#include "tests/support/temp_folder.h"

namespace ropescope::vectors {
namespace {

using ::testing::HasSubstr;

constexpr const char* kConfig = R"({"model_type": "llama", "hidden_size": 256,
    "num_attention_heads": 4, "rope_theta": 500000, "max_position_embeddings": 4096})";

/// A pack of one model, and the answers of code that follows a changed plan.
class Answers : public testing::Test {
  protected:
    explicit Answers(const char* config = kConfig)
        : pack_(pack_of_model(parse_model(config, "config.json"))) {
        write_pack(folder_ / "pack", pack_);
    }

    template <typename Change>
    std::vector<CaseJudgement> judged(Change change) const {
        std::vector<Tensor> answers;
        for (const RotationCase& made : pack_.rotations) {
            faults::RotationPlan plan = made.plan;
            change(plan);
            const faults::HeadShape& size = plan.shape;
            answers.push_back(make_tensor_as(Dtype::f32, made.id,
                                             {size.batch, size.heads, size.length, size.head_dim},
                                             rotated(plan, made.input)));
        }
        return judged_answers(std::move(answers));
    }
    std::vector<CaseJudgement> judged_answers(const std::vector<Tensor>& answers) const {
        write_npz(folder_ / "answers.npz", answers);
        return judge(folder_ / "pack", folder_ / "answers.npz");
    }

    const Pack& pack() const { return pack_; }

  private:
    test::TempFolder folder_;
    Pack pack_;
};

auto moved(double (*to)(double)) {
    return [=](faults::RotationPlan& plan) {
        std::ranges::transform(plan.positions, plan.positions.begin(), to);
    };
}

TEST_F(Answers, ThatAreRightAreRight) {
    for (const CaseJudgement& each : judged([](faults::RotationPlan&) {})) {
        EXPECT_EQ(each.judged, CaseVerdict::right) << each.id;
    }
}

/// Neither the family nor a key says how channels pair.
class InferredAnswers : public Answers {
  protected:
    InferredAnswers()
        : Answers(R"({"model_type": "unheard_of", "hidden_size": 256, "num_attention_heads": 4,
                      "rope_theta": 500000})") {}

    static void in_other_layout(faults::RotationPlan& plan) {
        plan.pairs = plan.written = channel_pairs(Layout::interleaved, plan.shape.head_dim);
    }
};

TEST_F(InferredAnswers, AreRightInEitherLayout) {
    for (const CaseJudgement& each : judged([](faults::RotationPlan&) {})) {
        EXPECT_EQ(each.judged, CaseVerdict::right) << each.id;
        EXPECT_THAT(each.inferred, HasSubstr("unheard_of"));
        EXPECT_EQ(each.unlike_inferred, "");
    }
    for (const CaseJudgement& each : judged(in_other_layout)) {
        EXPECT_EQ(each.judged, CaseVerdict::right) << each.id;
        EXPECT_EQ(each.unlike_inferred, "layout interleaved, inferred half-split");
        EXPECT_TRUE(each.faults.empty());
    }
}

TEST_F(InferredAnswers, OfOneLayoutHereAndAnotherThereAreWrong) {
    bool first = true;
    const std::vector<CaseJudgement> mixed = judged([&](faults::RotationPlan& plan) {
        if (!std::exchange(first, false)) {
            in_other_layout(plan);
        }
    });
    EXPECT_EQ(mixed.front().judged, CaseVerdict::right);
    EXPECT_EQ(mixed.back().judged, CaseVerdict::fault);
}

TEST_F(InferredAnswers, OfAFaultInTheOtherLayoutAreWrong) {
    for (const CaseJudgement& each : judged([](faults::RotationPlan& plan) {
             in_other_layout(plan);
             plan.positions.back() += 1.0;
         })) {
        EXPECT_NE(each.judged, CaseVerdict::right) << each.id;
    }
}

TEST_F(Answers, OfAKnownFamilyAreHeldToItsLayout) {
    for (const CaseJudgement& each : judged([](faults::RotationPlan& plan) {
             plan.pairs = plan.written = channel_pairs(Layout::interleaved, 64);
         })) {
        EXPECT_EQ(each.judged, CaseVerdict::fault) << each.id;
        EXPECT_EQ(each.inferred, "");
    }
}

TEST_F(Answers, GoNoFurtherThanTheModel) {
    for (const RotationCase& made : pack().rotations) {
        EXPECT_LT(*std::ranges::max_element(made.plan.positions), 4096.0) << made.id;
    }
}

TEST_F(Answers, OfAFaultWithItsOwnNumberAreNamed) {
    const auto expect = [&](const auto& change, const char* code, const char* text) {
        const CaseJudgement far = judged(change).front();
        ASSERT_EQ(far.judged, CaseVerdict::fault) << text;
        EXPECT_EQ(far.faults.front().code, code);
        EXPECT_THAT(far.faults.front().text, HasSubstr(text));
    };
    expect(moved([](double p) { return p - 3.0; }), faults::code("positions.offset"),
           "-3 from its own");
    expect(moved([](double p) { return p + 17.0; }), faults::code("positions.offset"),
           "+17 from its own");
    expect(moved([](double p) { return std::min(p, 2047.0); }), faults::code("positions.clamped"),
           "a table of 2048 rows");
    expect(moved([](double p) { return std::fmod(p, 1024.0); }), faults::code("positions.restart"),
           "began again at 1024");
    expect(moved([](double p) { return 3.0 * p; }), faults::code("positions.scaled"),
           "multiplied by 3");
    expect(
        [](faults::RotationPlan& plan) {
            plan.omega_rad =
                make_spectrum({.head_dim = 64, .rotary_dim = 64, .base = 160000.0}).inv_freq_rad;
        },
        faults::code("spectrum.default"), "the base was 160000 in place of 500000");
}

TEST_F(Answers, OfNoKnownFaultStayUnnamed) {
    const CaseJudgement found =
        judged([](faults::RotationPlan& plan) { plan.omega_rad[3] *= 1.1; }).front();
    EXPECT_EQ(found.judged, CaseVerdict::wrong);
    EXPECT_GT(found.off, 0);
}

TEST_F(Answers, InTheOtherOrderOrShapeAreFaultsOfTheirCaseAlone) {
    const RotationCase& late = pack().rotations.back();
    const faults::HeadShape& size = late.plan.shape;
    ASSERT_GT(size.heads, 1);
    ASSERT_GT(size.length, 1);
    std::vector<double> exchanged(late.expected.size());
    for (Index h = 0; h < size.heads; ++h) {
        for (Index l = 0; l < size.length; ++l) {
            std::copy_n(late.expected.begin() + size.row(0, h, l), size.head_dim,
                        exchanged.begin() + (l * size.heads + h) * size.head_dim);
        }
    }
    const auto code = [&](std::vector<std::int64_t> shape) {
        const Tensor answer = make_tensor_as(Dtype::f32, late.id, std::move(shape), exchanged);
        const CaseJudgement found = judged_answers({answer}).back();
        EXPECT_EQ(found.judged, CaseVerdict::fault);
        return found.faults.front().code;
    };
    EXPECT_EQ(code({1, size.heads, size.length, size.head_dim}), faults::code("answer.order"));
    EXPECT_EQ(code({1, size.length, size.heads, size.head_dim}), faults::code("answer.shape"));
}

// Frequencies and channels of one's own, the file of `rotate --spec`, in two axes.
TEST(PackOfOwnFrequencies, IsCheckedAndItsFaultsHaveNames) {
    const test::TempFolder folder;
    const std::vector<double> omega = {1.0, 0.0, 0.3, 0.0, 0.0, 1.0, 0.0, 0.3};
    const std::vector<std::int64_t> pairs = {0, 2, 1, 3, 4, 6, 5, 7};
    const std::vector<Tensor> tensors = {make_tensor("omega", {4, 2}, std::span(omega)),
                                         make_tensor("pairs", {4, 2}, std::span(pairs))};
    write_safetensors(folder / "own.safetensors", std::span(tensors));
    const Pack pack = pack_of_model(open_model((folder / "own.safetensors").string()));
    write_pack(folder / "pack", pack);
    const auto judged = [&](auto change) {
        std::vector<Tensor> answers;
        for (const RotationCase& made : pack.rotations) {
            faults::RotationPlan plan = made.plan;
            change(plan);
            answers.push_back(make_tensor_as(
                Dtype::f32, made.id,
                {plan.shape.batch, plan.shape.heads, plan.shape.length, plan.shape.head_dim},
                rotated(plan, made.input)));
        }
        write_npz(folder / "answers.npz", answers);
        return judge(folder / "pack", folder / "answers.npz");
    };
    for (const CaseJudgement& judgement : judged([](faults::RotationPlan&) {})) {
        EXPECT_EQ(judgement.judged, CaseVerdict::right) << judgement.id;
    }
    // No wrong answer of the pack is this one: the case is made again from its own numbers.
    for (const CaseJudgement& judgement : judged([](faults::RotationPlan& plan) {
             std::ranges::transform(plan.positions, plan.positions.begin(),
                                    [](double p) { return p + 3.0; });
         })) {
        EXPECT_EQ(judgement.judged, CaseVerdict::fault) << judgement.id;
        ASSERT_FALSE(judgement.faults.empty()) << judgement.id;
        EXPECT_EQ(judgement.faults.front().code, "positions.offset") << judgement.id;
    }
}

}  // namespace
}  // namespace ropescope::vectors
