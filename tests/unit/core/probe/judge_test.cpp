// The judge of a probe: right implementations pass, wrong ones get a code and the request that
// shows it, broken ones a sentence.
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/formats/presets.h"
#include "core/models/model.h"
#include "core/probe/report.h"
#include "tests/support/planted_verdict.h"
#include "tests/support/probed_rotation.h"

namespace ropescope::probe {
namespace {

using test::implementation;
using test::ProbedCall;
using testing::HasSubstr;

Part model(const std::string& name) {
    return open_model(name).parts.front();
}

std::vector<std::string> faults(const Report& report) {
    return test::fault_codes(report.diagnosis);
}

const RequestResult& shown(const Report& report, std::size_t finding) {
    return *std::ranges::find(report.requests, report.shown_by[finding], &RequestResult::id);
}

Report probed(const Part& subject, const test::ChangeCall& change = {}) {
    return probe(subject, {}, implementation(subject, change));
}

TEST(ProbeJudge, RightImplementationsOfEveryKindOfModelPass) {
    for (const char* name :
         {"llama-2-7b", "llama-3.1-8b", "phi-2", "phi-3-mini-128k", "gpt-j-6b", "gpt-oss-20b",
          "vicuna-7b-16k", "qwen2-vl-7b", "qwen3-vl-vision", "flux.1", "dinov3-vit-small"}) {
        for (const Part& subject : open_model(name).parts) {
            const Report report = probed(subject);
            EXPECT_EQ(report.diagnosis.verdict, diagnosis::Verdict::valid)
                << name << " " << subject.name() << " " << report.diagnosis.summary();
            EXPECT_EQ(report.smallest_failing, std::nullopt) << name;
            EXPECT_TRUE(report.passed());
        }
    }
}

TEST(ProbeJudge, NamesTheFaultOfEveryCall) {
    const Report report = probed(model("llama-3-8b"), [](ProbedCall& call) {
        RopeSpec spec = *call.subject.spec;
        spec.base = 10000.0;
        call.use_spec(spec);
    });
    EXPECT_EQ(report.diagnosis.verdict, diagnosis::Verdict::invalid);
    EXPECT_THAT(faults(report), testing::ElementsAre("spectrum.default"));
    EXPECT_THAT(report.diagnosis.findings.front().text(), HasSubstr("base 10000, expected 500000"));
    EXPECT_EQ(report.diagnosis.mismatches.front().code, "base");
    EXPECT_FALSE(report.passed());
}

/// `diagnose` says positions.scaled of a factor on all angles, and so does a probe.
TEST(ProbeJudge, AFactorOnAllAnglesIsOneOnPositions) {
    for (const double factor : {2.0, 180.0 / std::numbers::pi, 0.5 / std::numbers::pi}) {
        const Report report = probed(model("llama-2-7b"), [=](ProbedCall& call) {
            std::ranges::transform(call.rotation.omega, call.rotation.omega.begin(),
                                   [=](double omega) { return factor * omega; });
        });
        EXPECT_THAT(faults(report), testing::ElementsAre("positions.scaled"))
            << report_text(report);
    }
}

/// Rules that no list of faults holds, of calls that are too short for a diagnosis.
TEST(ProbeJudge, NamesTheRuleOfShortCalls) {
    const Report report = probed(model("llama-2-7b"), [](ProbedCall& call) {
        if (call.length() > 1 && call.length() < 8) {
            call.put([&](Index a, Index b, Index l) {
                return 2.0 * std::floor(call.stated(a, b, l) / 2.0);
            });
        }
    });
    EXPECT_THAT(faults(report), testing::ElementsAre("positions.low_precision"))
        << report_text(report);
    EXPECT_THAT(report.diagnosis.findings.front().text(),
                HasSubstr("rounded down to multiples of 2"));
}

TEST(ProbeJudge, NamesTheRequestThatShowsTheFault) {
    const Report report = probed(model("llama-2-7b"), [](ProbedCall& call) {
        if (call.length() == 1) {
            call.rotation.turns = [](const test::TokenAt& at) { return at.b == 0; };
        }
    });
    EXPECT_THAT(faults(report), testing::ElementsAre("rows.unrotated"));
    EXPECT_EQ(shown(report, 0).name, "decode of two rows");
    EXPECT_EQ(report.smallest_failing, shown(report, 0).id);
}

TEST(ProbeJudge, FindsASecondFaultBehindTheFirst) {
    const Report report = probed(model("llama-2-7b"), [](ProbedCall& call) {
        call.rotation.pairs = call.rotation.written = channel_pairs(Layout::interleaved, 128);
        call.put([&](Index a, Index b, Index l) { return std::min(call.stated(a, b, l), 2047.0); });
    });
    EXPECT_THAT(faults(report),
                testing::UnorderedElementsAre("layout.interleaved", "positions.clamped"));
}

void turn_round(ProbedCall& call) {
    for (double& omega : call.rotation.omega) {
        omega = -omega;
    }
}

TEST(ProbeJudge, AnotherDirectionThanThatOfTheWeightsIsWrong) {
    for (const char* name : {"llama-2-7b", "gpt-j-6b", "gemma-3-4b"}) {
        const Report reversed = probed(model(name), turn_round);
        EXPECT_EQ(reversed.diagnosis.verdict, diagnosis::Verdict::invalid) << name;
        EXPECT_FALSE(reversed.passed()) << name;
        EXPECT_THAT(faults(reversed), testing::ElementsAre("sign.reversed")) << name;
        EXPECT_THAT(reversed.diagnosis.summary(), HasSubstr("sign reversed, expected forward"));
    }
    const Part nanochat =
        parse_model(R"({"model_type": "nanochat", "hidden_size": 256, "num_attention_heads": 4,
                           "max_position_embeddings": 2048})",
                    "config.json")
            .part();
    const auto as_trained = [](ProbedCall& /*call*/) {};
    EXPECT_TRUE(probed(nanochat, as_trained).passed());
    const Report forward = probed(nanochat, turn_round);
    EXPECT_THAT(faults(forward), testing::ElementsAre("sign.reversed"));
    EXPECT_THAT(forward.diagnosis.summary(), HasSubstr("sign forward, expected reversed"));
}

TEST(ProbeJudge, EquivalentIsNotWrong) {
    const Report shifted = probed(model("llama-2-7b"), [](ProbedCall& call) {
        call.put([&](Index a, Index b, Index l) { return call.stated(a, b, l) + 3.0; });
    });
    EXPECT_EQ(shifted.diagnosis.verdict, diagnosis::Verdict::equivalent)
        << shifted.diagnosis.summary();
    EXPECT_TRUE(shifted.passed());
    for (const char* name : {"gpt-j-6b", "deepseek-v3", "command-r"}) {
        const Report permuted = probed(model(name), [](ProbedCall& call) {
            call.rotation.written =
                channel_pairs(Layout::half_split, call.subject.spec->rotary_dim);
        });
        EXPECT_EQ(permuted.diagnosis.verdict, diagnosis::Verdict::equivalent)
            << name << permuted.diagnosis.summary();
        EXPECT_EQ(permuted.diagnosis.findings.front().code, "layout.other") << name;
    }
}

TEST(ProbeJudge, ACallThatChangesIsNamed) {
    const Part subject = model("llama-2-7b");
    double reached = 0.0;
    const Report report = probe(subject, {}, [&](const Request& request) {
        reached = std::max(reached, *std::ranges::max_element(request.positions));
        return test::answer_call(subject, request, [&](ProbedCall& call) {
            if (reached > 1000.0) {
                RopeSpec spec = *subject.spec;
                spec.base = 40000.0;
                call.use_spec(spec);
            }
        });
    });
    EXPECT_THAT(faults(report), testing::Contains("answer.changes"));
}

TEST(ProbeJudge, ARefusalANaNAndAShapeAreFindings) {
    const Part subject = model("llama-2-7b");
    Report report = probe(subject, {}, [&](const Request& request) -> Answer {
        if (request.dtype != Dtype::f32) {
            return {.outcome = Outcome::error, .text = "float32 only"};
        }
        return test::answer_call(subject, request, {});
    });
    EXPECT_TRUE(report.passed()) << "a dtype may be refused";
    EXPECT_EQ(report.diagnosis.findings.back().code, "answer.error");
    report = probe(subject, {}, [&](const Request& request) {
        Answer answer = test::answer_call(subject, request, {});
        if (request.name == "packed") {
            std::vector<double> values = to_f64(answer.k_rot->view());
            values[5] = std::numeric_limits<double>::quiet_NaN();
            answer.k_rot = make_tensor_as(Dtype::f32, "k_rot", answer.k_rot->shape, values);
        }
        if (request.name == "groups of heads") {
            std::swap(answer.q_rot->shape[1], answer.q_rot->shape[2]);
        }
        return answer;
    });
    EXPECT_THAT(faults(report), testing::UnorderedElementsAre("answer.not_finite", "answer.shape"));
    EXPECT_THAT(report_text(report), HasSubstr("k_rot[0, 0, 0, 5] is NaN"));
    EXPECT_THAT(report_text(report), HasSubstr("heads and tokens are exchanged"));
}

/// Answers whose tensors of `from` become those of `to`, by way of the numbers of `through`.
Report probed_with_dtypes(const Part& subject, Dtype from, Dtype through, Dtype to,
                          bool keys_alone = false) {
    return probe(subject, {}, [=](const Request& request) {
        Answer answer = test::answer_call(subject, request, {});
        for (std::optional<Tensor>* side : {&answer.q_rot, &answer.k_rot}) {
            if (request.dtype == from && *side && !(keys_alone && side == &answer.q_rot)) {
                const Tensor& was = **side;
                const Tensor rounded =
                    make_tensor_as(through, was.name, was.shape, to_f64(was.view()));
                *side = make_tensor_as(to, was.name, was.shape, to_f64(rounded.view()));
            }
        }
        return answer;
    });
}

TEST(ProbeJudge, AnotherDtypeThanTheOneAskedIsAFinding) {
    const Part subject = model("llama-2-7b");
    for (const auto& [from, through, to, said] :
         std::vector<std::tuple<Dtype, Dtype, Dtype, const char*>>{
             {Dtype::f32, Dtype::f16, Dtype::f16, "q_rot has dtype F16, and F32 was asked"},
             {Dtype::f32, Dtype::bf16, Dtype::bf16, "q_rot has dtype BF16, and F32 was asked"},
             {Dtype::f32, Dtype::f16, Dtype::f32, "were rounded to float16, and F32 was asked"},
             {Dtype::f32, Dtype::bf16, Dtype::f32, "were rounded to bfloat16, and F32 was asked"},
             {Dtype::f32, Dtype::bf16, Dtype::f64,
              "were rounded to bfloat16, and F32 was asked"}}) {
        SCOPED_TRACE(said);
        const Report report = probed_with_dtypes(subject, from, through, to);
        EXPECT_THAT(faults(report), testing::ElementsAre("answer.shape"));
        EXPECT_THAT(report_text(report), HasSubstr(said));
    }
    const Report of_keys = probed_with_dtypes(subject, Dtype::f32, Dtype::f16, Dtype::f32, true);
    EXPECT_THAT(report_text(of_keys), HasSubstr("The numbers of k_rot were rounded to float16"));
}

TEST(ProbeJudge, NumbersThatTheDtypeAskedCannotHoldAreAFinding) {
    const Part subject = model("llama-2-7b");
    for (const auto& [asked, answered] :
         {std::pair(Dtype::bf16, Dtype::f32), std::pair(Dtype::bf16, Dtype::f16),
          std::pair(Dtype::f16, Dtype::f32), std::pair(Dtype::f16, Dtype::f64)}) {
        const Report report = probe(subject, {}, [&](const Request& request) {
            Answer answer = test::answer_call(subject, request, {});
            if (request.dtype == asked) {
                std::vector<double> values = to_f64(answer.q_rot->view());
                for (double& value : values) {
                    value *= 1.0 + 0x1p-9;  // less than a unit of bfloat16
                }
                answer.q_rot = make_tensor_as(answered, "q_rot", answer.q_rot->shape, values);
            }
            return answer;
        });
        EXPECT_THAT(faults(report), testing::ElementsAre("answer.shape"));
        EXPECT_THAT(report_text(report),
                    HasSubstr(std::string("q_rot has dtype ") + std::string(to_string(answered)) +
                              ", and " + std::string(to_string(asked)) + " was asked"));
    }
}

TEST(ProbeJudge, AWiderDtypeMayCarryTheNumbersThatWereAsked) {
    const Part subject = model("llama-2-7b");
    for (const auto& [from, to] :
         {std::pair(Dtype::bf16, Dtype::f32), std::pair(Dtype::f16, Dtype::f32),
          std::pair(Dtype::f32, Dtype::f64), std::pair(Dtype::bf16, Dtype::f64)}) {
        const Report report = probed_with_dtypes(subject, from, from, to);
        EXPECT_TRUE(report.passed()) << report_text(report);
    }
}

TEST(ProbeJudge, NothingMoreIsAskedOfWhatIsGone) {
    const Part subject = model("llama-2-7b");
    int asked = 0;
    const Report report = probe(subject, {}, [&](const Request& request) -> Answer {
        if (++asked == 3) {
            return {.outcome = Outcome::ended, .text = "signal 11"};
        }
        return test::answer_call(subject, request, {});
    });
    EXPECT_EQ(asked, 3);
    EXPECT_THAT(faults(report), testing::ElementsAre("answer.error"));
    EXPECT_EQ(std::ranges::count(report.requests, Judged::not_asked, &RequestResult::judged),
              std::ssize(report.requests) - 3);
    EXPECT_EQ(report.smallest_failing, 3);
    const Report nothing =
        probe(subject, {}, [](const Request&) { return Answer{.outcome = Outcome::ended}; });
    EXPECT_FALSE(nothing.passed());
}

TEST(ProbeJudge, SeveralFaultsOfModelsInSeveralAxes) {
    const Report swapped = probed(model("qwen2-vl-7b"), [](ProbedCall& call) {
        call.put([&](Index a, Index b, Index l) { return call.stated(a == 0 ? 0 : 3 - a, b, l); });
    });
    EXPECT_THAT(faults(swapped), testing::ElementsAre("axes.swapped"));
    const Report decode = probed(model("qwen2-vl-7b"), [](ProbedCall& call) {
        if (call.length() == 1) {
            call.rotation.turns = [](const test::TokenAt& at) { return at.b == 0; };
        }
    });
    EXPECT_THAT(faults(decode), testing::ElementsAre("rows.unrotated"));
}

TEST(ProbeJudge, JsonHasTheKeysOfADiagnosisAndTheRequests) {
    const Report report = probed(model("llama-2-7b"), [](ProbedCall& call) {
        if (call.of_keys && call.request.k_shape.heads == 1 && call.request.q_shape.heads == 4) {
            call.rotation.turns = [](const test::TokenAt&) { return false; };
        }
    });
    const auto json = nlohmann::json::parse(report_json(report));
    EXPECT_EQ(json.at("verdict"), "invalid");
    EXPECT_EQ(json.at("findings").at(0).at("code"), "k.unrotated");
    const Index id = json.at("findings").at(0).at("request");
    EXPECT_EQ(json.at("requests").at(static_cast<std::size_t>(id - 1)).at("name"),
              "one head of keys");
    EXPECT_EQ(json.at("smallest_failing"), id);
    EXPECT_EQ(json.at("part"), "text");
    EXPECT_EQ(json.at("requests").at(0).at("judged"), "right");
}

TEST(ProbeJudge, ExpectedAnswersAreThoseOfTheModel) {
    const Part subject = model("phi-2");
    const std::vector<Request> requests = make_requests(subject);
    const auto one = std::ranges::find(requests, "position 1", &Request::name);
    const RightAnswer expected = expected_answer(subject, *one);
    // Channels 0 and 16 turn by 1 radian; channels from 32 on stay.
    EXPECT_NEAR(expected.q_rot[0], one->q[0] * std::cos(1.0) - one->q[16] * std::sin(1.0), 1e-15);
    EXPECT_EQ(expected.q_rot[40], one->q[40]);
}

}  // namespace
}  // namespace ropescope::probe
