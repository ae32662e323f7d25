// The scores that an implementation answers: every request's, and all rows of the batch.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "core/diagnosis/words.h"
#include "core/models/model.h"
#include "core/probe/report.h"
#include "tests/support/planted_verdict.h"
#include "tests/support/probed_rotation.h"

namespace ropescope::probe {
namespace {

using testing::HasSubstr;

Part score_model(const std::string& name) {
    return open_model(name).parts.front();
}

/// What becomes of the scores [B, H, L, L] of a request.
using ChangeScores = std::function<void(const Request&, std::vector<double>&)>;

Report probed_scores(const Part& subject, const ChangeScores& change, double factor = 1.0) {
    return probe(subject, {}, [&](const Request& request) {
        Answer answer = test::answer_call(subject, request, {});
        answer.scores = test::scores_of(answer, request, factor);
        std::vector<double> values = to_f64(answer.scores->view());
        change(request, values);
        answer.scores = make_tensor_as(Dtype::f32, "scores", answer.scores->shape, values);
        return answer;
    });
}

std::vector<std::string> score_faults(const Report& report) {
    return test::fault_codes(report.diagnosis);
}

const RequestResult& shown_scores(const Report& report) {
    return *std::ranges::find(report.requests, report.shown_by.front(), &RequestResult::id);
}

TEST(ProbeScores, RightOnesPassMaskedOrNot) {
    const auto as_they_are = [](const Request&, std::vector<double>&) {};
    const auto causal = [](const Request& request, std::vector<double>& scores) {
        const Index keys = request.k_shape.length;
        for (Index i = 0; i < std::ssize(scores); ++i) {
            if (i % keys > i / keys % keys) {
                scores[i] = -std::numeric_limits<double>::infinity();
            }
        }
    };
    for (const char* name : {"llama-2-7b", "phi-2", "gpt-j-6b", "deepseek-v3"}) {
        const Part subject = score_model(name);
        const double factor = subject.scheme.heads.front().softmax_scale_factor;
        EXPECT_TRUE(probed_scores(subject, as_they_are, factor).passed()) << name;
        EXPECT_TRUE(probed_scores(subject, causal, factor).passed()) << name;
    }
}

/// Gemma 2 27B has 1 / sqrt(144) for heads of 128 channels.
TEST(ProbeScores, TheModelSaysTheirFactor) {
    const Part gemma = parse_model(R"({"model_type": "gemma2", "hidden_size": 512, "head_dim": 128,
                                       "num_attention_heads": 4, "query_pre_attn_scalar": 144})",
                                   "config.json")
                           .part();
    const auto as_they_are = [](const Request&, std::vector<double>&) {};
    const Report right = probed_scores(gemma, as_they_are, std::sqrt(128.0 / 144.0));
    EXPECT_TRUE(right.passed()) << report_text(right);
    EXPECT_THAT(score_faults(probed_scores(gemma, as_they_are)),
                testing::ElementsAre("softmax.scale"));
}

TEST(ProbeScores, NumbersThatAreNoneAreFound) {
    for (const double value :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        const Report all =
            probed_scores(score_model("llama-2-7b"),
                          [=](const Request&, auto& scores) { std::ranges::fill(scores, value); });
        EXPECT_THAT(score_faults(all), testing::ElementsAre("answer.not_finite"));
        EXPECT_FALSE(all.passed());
        const Report last =
            probed_scores(score_model("llama-2-7b"), [=](const Request& request, auto& scores) {
                if (request.name == "packed") {
                    scores.back() = value;
                }
            });
        EXPECT_THAT(score_faults(last), testing::ElementsAre("answer.not_finite"));
        EXPECT_EQ(shown_scores(last).name, "packed");
        EXPECT_EQ(shown_scores(last).judged, Judged::wrong);
        EXPECT_EQ(last.smallest_failing, shown_scores(last).id);
        EXPECT_THAT(report_text(last), HasSubstr("is NaN or infinite"));
    }
}

TEST(ProbeScores, ZerosAndHiddenOnesAreFound) {
    EXPECT_THAT(score_faults(probed_scores(
                    score_model("llama-2-7b"),
                    [](const Request&, auto& scores) { std::ranges::fill(scores, 0.0); })),
                testing::ElementsAre("scores.not_the_product"));
    EXPECT_THAT(score_faults(probed_scores(
                    score_model("llama-2-7b"),
                    [](const Request&, auto& scores) {
                        std::ranges::fill(scores, -std::numeric_limits<double>::infinity());
                    })),
                testing::ElementsAre("scores.masked"));
}

/// The first request has one row; what is wrong with the others shows in later ones.
TEST(ProbeScores, EveryRowOfEveryRequestIsLookedAt) {
    const Report rows =
        probed_scores(score_model("llama-2-7b"), [](const Request& request, auto& scores) {
            const Index of_row = std::ssize(scores) / request.q_shape.batch;
            for (Index i = of_row; i < std::ssize(scores); ++i) {
                scores[i] = 2.0 * std::sin(7.0 * to_double(i));
            }
        });
    EXPECT_THAT(score_faults(rows), testing::ElementsAre("scores.not_the_product"));
    EXPECT_GT(std::ranges::count(rows.requests, Judged::wrong, &RequestResult::judged), 1);
    EXPECT_THAT(report_text(rows), HasSubstr("batch row"));
    const Report one =
        probed_scores(score_model("llama-2-7b"), [](const Request& request, auto& scores) {
            if (request.name == "decode of two rows") {
                scores.back() += 0.125;
            }
        });
    EXPECT_THAT(score_faults(one), testing::ElementsAre("scores.not_the_product"));
    EXPECT_EQ(shown_scores(one).name, "decode of two rows");
    EXPECT_EQ(std::ranges::count(one.requests, Judged::wrong, &RequestResult::judged), 1);
    EXPECT_THAT(text_of(shown_scores(one).words), HasSubstr("The score of batch row 1, head"));
}

/// Scores do not hide what is wrong with the rotation, nor the other way round.
TEST(ProbeScores, StandBesideTheRotation) {
    const Part subject = score_model("llama-2-7b");
    const Report report = probe(subject, {}, [&](const Request& request) {
        Answer answer = test::answer_call(subject, request, [](test::ProbedCall& call) {
            if (call.length() == 1) {
                call.rotation.turns = [](const test::TokenAt& at) { return at.b == 0; };
            }
        });
        answer.scores = test::scores_of(answer, request, 1.0);
        std::ranges::fill(answer.scores->bytes, std::byte{0});
        return answer;
    });
    EXPECT_THAT(score_faults(report),
                testing::UnorderedElementsAre("rows.unrotated", "scores.not_the_product"));
}

}  // namespace
}  // namespace ropescope::probe
