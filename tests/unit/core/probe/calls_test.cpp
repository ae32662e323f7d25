// What a probe says of faults of single calls, rows, heads and tokens, and of dtypes.
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/uniform.h"
#include "core/models/model.h"
#include "core/probe/report.h"
#include "tests/support/call_changes.h"
#include "tests/support/planted_verdict.h"

namespace ropescope::probe {
namespace {

using test::fault_codes;
using test::ProbedCall;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Part called(const std::string& name) {
    return open_model(name).part();
}

Report asked_of(const Part& subject, const test::ChangeCall& change, Settings settings = {}) {
    return probe(subject, settings, test::implementation(subject, change));
}

/// An implementation that is wrong in the calls whose number, from 1 on, `is_wrong`.
Report asked_by_call(const Part& subject, const std::function<bool(int)>& is_wrong,
                     const test::ChangeCall& change) {
    int calls = 0;
    return probe(subject, {}, [&](const Request& request) {
        return test::answer_call(subject, request, is_wrong(++calls) ? change : test::ChangeCall());
    });
}

void lengthen(ProbedCall& call) {
    call.rotation.gain *= 1.01;
}

TEST(ProbeCalls, ALayoutThatNoKeyStatesAccusesNobody) {
    const Part guessed = parse_model(R"({"model_type": "new_model", "hidden_size": 128,
        "num_attention_heads": 2, "rope_theta": 10000})",
                                     "config.json")
                             .part();
    for (const Part& right : {guessed, guessed.in_other_layout()}) {
        const Report report = probe(guessed, {}, test::implementation(right, {}));
        EXPECT_TRUE(report.passed()) << report_text(report);
        EXPECT_THAT(report_text(report), testing::StartsWith("INFERRED, not known: model_type"));
    }
    Part stated = guessed;
    stated.layout_is_assumed = false;
    EXPECT_FALSE(probe(stated, {}, test::implementation(guessed.in_other_layout(), {})).passed());
}

TEST(ProbeCalls, AFaultOfEverySecondCallIsAChange) {
    for (const int parity : {0, 1}) {
        const Report report = asked_by_call(
            called("llama-2-7b"), [=](int call) { return call % 2 == parity; }, lengthen);
        EXPECT_THAT(fault_codes(report.diagnosis), ElementsAre("answer.changes"))
            << report_text(report);
        EXPECT_THAT(report.diagnosis.summary(), HasSubstr("gets another answer"));
    }
}

TEST(ProbeCalls, AFaultOfEveryThirdCallIsAChange) {
    for (const int rest : {0, 1, 2}) {
        const Report report = asked_by_call(
            called("llama-3.1-8b"), [=](int call) { return call % 3 == rest; },
            test::at_place([](double p) { return p + 1.0; }));
        EXPECT_EQ(fault_codes(report.diagnosis).front(), "answer.changes") << report_text(report);
    }
}

TEST(ProbeCalls, AFaultOfEveryCallIsAskedAgainAndIsNoChange) {
    int calls = 0;
    const Part subject = called("llama-3-8b");
    const Report report = probe(subject, {}, [&](const Request& request) {
        ++calls;
        return test::answer_call(subject, request, test::with_base(10000.0));
    });
    EXPECT_THAT(fault_codes(report.diagnosis), ElementsAre("spectrum.default"));
    EXPECT_EQ(calls, std::ssize(make_requests(subject)) + kTimesAgain);
    EXPECT_EQ(std::ssize(report.requests), calls);
    EXPECT_THAT(report.requests.back().name, HasSubstr(", time 4"));
}

TEST(ProbeCalls, HaveTheHeadsOfTheModelAndManyRowsAndTokens) {
    const Part subject = called("llama-3.1-8b");
    EXPECT_EQ(subject.q_heads, 32);
    EXPECT_EQ(subject.kv_heads, 8);
    const auto expect_unrotated = [&](const auto& turns, const char* request) {
        const Report report =
            asked_of(subject, [&](ProbedCall& call) { call.rotation.turns = turns; });
        EXPECT_FALSE(report.passed()) << request;
        const auto judged = std::ranges::find(report.requests, request, &RequestResult::name);
        EXPECT_EQ(judged->judged, Judged::wrong) << request;
    };
    expect_unrotated([](const test::TokenAt& at) { return at.h < 31; }, "the model's heads");
    expect_unrotated([](const test::TokenAt& at) { return at.h < 31; },
                     "a step with the model's heads");
    expect_unrotated([](const test::TokenAt& at) { return at.b < 4; }, "five rows");
    expect_unrotated([](const test::TokenAt& at) { return at.b < 8; }, "decode of nine rows");
    expect_unrotated([](const test::TokenAt& at) { return at.l < 256; }, "257 tokens");
    expect_unrotated([](const test::TokenAt& at) { return at.l < 512; }, "513 tokens");
}

TEST(ProbeCalls, RowsBeyondTheThirdThatStayAreNamed) {
    const Report report = asked_of(called("llama-2-7b"), [](ProbedCall& call) {
        call.rotation.turns = [](const test::TokenAt& at) { return at.b < 3; };
    });
    EXPECT_THAT(fault_codes(report.diagnosis), ElementsAre("rows.unrotated"));
}

TEST(ProbeCalls, TokensBeyondABlockThatStayAreNamed) {
    for (const char* name : {"llama-2-7b", "qwen2.5-7b-yarn"}) {
        const Report report = asked_of(called(name), [](ProbedCall& call) {
            call.rotation.turns = [](const test::TokenAt& at) { return at.l < 256; };
        });
        EXPECT_THAT(fault_codes(report.diagnosis), ElementsAre("rows.unrotated"))
            << name << report_text(report);
        EXPECT_THAT(report_text(report), HasSubstr("not rotated in this call; token 256 is"));
    }
}

TEST(ProbeCalls, KeysOfOneHeadThatStayHaveOneName) {
    for (const char* name : {"llama-2-7b", "gemma-2b", "qwen2.5-7b-yarn"}) {
        const Report report =
            asked_of(called(name), test::where(
                                       [](const ProbedCall& call) {
                                           return call.of_keys && call.request.k_shape.heads == 1;
                                       },
                                       test::turn_nothing));
        EXPECT_THAT(fault_codes(report.diagnosis), ElementsAre("k.unrotated"))
            << name << report_text(report);
    }
}

// Around 4096 alone both formats have the same positions.
TEST(ProbeCalls, TheFormatOfPositionsIsThatOfAllRequests) {
    for (const auto& [dtype, name, other] :
         {std::tuple(Dtype::f16, "float16", "bfloat16"), {Dtype::bf16, "bfloat16", "float16:"}}) {
        const Report report = asked_of(called("llama-3.1-8b"),
                                       [=](ProbedCall& call) { call.rotation.position = dtype; });
        ASSERT_THAT(fault_codes(report.diagnosis), Contains("positions.low_precision"));
        for (const diagnosis::Finding& finding : report.diagnosis.findings) {
            if (finding.code == "positions.low_precision") {
                EXPECT_THAT(finding.text(), HasSubstr(std::string("rounded to ") + name));
                EXPECT_THAT(finding.text(), Not(HasSubstr(std::string("rounded to ") + other)));
            }
        }
    }
}

TEST(ProbeCalls, PositionsThatBeginAgainAreNoTableThatEnds) {
    const Part subject = called("llama-3.1-8b");
    for (const double rows : {4096.0, 65536.0}) {
        const Report again =
            asked_of(subject, test::at_place([=](double p) { return std::fmod(p, rows); }));
        EXPECT_THAT(fault_codes(again.diagnosis), ElementsAre("positions.restart"))
            << report_text(again);
        const Report ends =
            asked_of(subject, test::at_place([=](double p) { return std::min(p, rows - 1.0); }));
        EXPECT_THAT(fault_codes(ends.diagnosis), ElementsAre("positions.clamped"))
            << report_text(ends);
    }
}

TEST(ProbeCalls, CoarseAnglesAreNoNameForOtherChannelsOrLengths) {
    // The channels behind the rotary ones turn as well.
    const Part partial = called("phi-2");
    const Report wide = asked_of(partial, [](ProbedCall& call) {
        const Index width = 2 * std::ssize(call.rotation.pairs);
        const std::vector<ChannelPair> pairs = call.rotation.pairs;
        const std::vector<double> omega = call.rotation.omega;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            call.rotation.pairs.push_back({pairs[i].first + width, pairs[i].second + width});
            call.rotation.omega.push_back(0.001 * omega[i]);
        }
        call.rotation.written = call.rotation.pairs;
    });
    EXPECT_FALSE(wide.passed());
    EXPECT_THAT(report_text(wide), Not(HasSubstr("too coarsely"))) << report_text(wide);
    const Report longer = asked_of(called("llama-2-7b"), [](ProbedCall& call) {
        call.rotation.gain_at = [](const test::TokenAt& at, Index pair) {
            return 1.0 + 1e-5 * to_double(at.l * (pair % 3));
        };
    });
    EXPECT_FALSE(longer.passed());
    EXPECT_THAT(report_text(longer), Not(HasSubstr("too coarsely"))) << report_text(longer);
}

TEST(ProbeCalls, AnotherRampHasOneName) {
    const Report report = asked_of(called("qwen2.5-7b-yarn"), test::with_spec([](RopeSpec& spec) {
                                       std::get<YarnScaling>(spec.scaling).beta_fast = 16.0;
                                   }));
    EXPECT_FALSE(report.passed());
    EXPECT_THAT(fault_codes(report.diagnosis), Not(Contains("spectrum.low_precision")))
        << report_text(report);
    EXPECT_THAT(fault_codes(report.diagnosis), Not(Contains("gain"))) << report_text(report);
}

TEST(ProbeCalls, TheFactorThatTheModelAsksForIsNoFault) {
    for (const double factor : {1.0, 8.0}) {
        const Report report = asked_of(called("qwen2.5-7b-yarn"), [=](ProbedCall& call) {
            const double gain = call.rotation.gain;
            test::with_spec([=](RopeSpec& spec) { spec.scaling = LinearScaling{factor}; })(call);
            call.rotation.gain = gain;
        });
        EXPECT_FALSE(report.passed());
        EXPECT_THAT(fault_codes(report.diagnosis), Not(Contains("gain"))) << report_text(report);
    }
}

TEST(ProbeCalls, RowsAndHeadsThatStayAreNamedInSeveralAxes) {
    for (const char* name : {"qwen2-vl-7b", "qwen3-vl-vision"}) {
        const Report rows = asked_of(called(name), [](ProbedCall& call) {
            call.rotation.turns = [](const test::TokenAt& at) { return at.b < 3; };
        });
        EXPECT_THAT(fault_codes(rows.diagnosis), ElementsAre("rows.unrotated"))
            << name << report_text(rows);
        const Report keys =
            asked_of(called(name), test::where(
                                       [](const ProbedCall& call) {
                                           return call.of_keys && call.request.k_shape.heads == 1;
                                       },
                                       test::turn_nothing));
        EXPECT_THAT(fault_codes(keys.diagnosis), ElementsAre("k.unrotated"))
            << name << report_text(keys);
    }
}

TEST(ProbeCalls, ALayoutOfItsOwnHasNoSpectrumToCompare) {
    std::vector<Index> order(128);
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::sort(order, {}, [](Index i) { return mixed(static_cast<std::uint64_t>(i)); });
    const Report report =
        asked_of(called("llama-2-7b"), test::with_channels([&](const ProbedCall&, Index channel) {
                     return order[static_cast<std::size_t>(channel)];
                 }));
    EXPECT_THAT(fault_codes(report.diagnosis), Contains("layout.other")) << report_text(report);
    for (const std::string& code : fault_codes(report.diagnosis)) {
        EXPECT_THAT(code, Not(HasSubstr("spectrum."))) << report_text(report);
    }
}

TEST(ProbeCalls, AnglesMayBeFormedInFloat32ForFloat64) {
    for (const char* name : {"llama-2-7b", "qwen2.5-7b-yarn", "qwen2-vl-7b"}) {
        const Part subject = called(name);
        for (const Settings& settings :
             {Settings{.dtypes = {Dtype::f64}}, Settings{.dtypes = {Dtype::f32, Dtype::f64}}}) {
            const Report report = asked_of(
                subject,
                [](ProbedCall& call) {
                    if (call.request.dtype == Dtype::f64) {
                        call.rotation.arithmetic = Dtype::f64;
                    }
                },
                settings);
            EXPECT_EQ(report.diagnosis.verdict, diagnosis::Verdict::valid)
                << name << report_text(report);
        }
    }
    const Report rounded =
        asked_of(called("llama-2-7b"), test::round_frequencies_to_bf16, {.dtypes = {Dtype::f64}});
    EXPECT_FALSE(rounded.passed());
}

TEST(ProbeCalls, WiderNumbersThanASixteenBitRequestAskedForAreAnotherDtype) {
    const Part subject = called("llama-2-7b");
    const auto with_dtype = [&](Dtype wide, bool rounded) {
        return probe(subject, {}, [&](const Request& request) {
            Request asked = request;
            asked.dtype = rounded ? request.dtype : wide;
            Answer answer = test::answer_call(subject, asked, {});
            for (auto* tensor : {&answer.q_rot, &answer.k_rot}) {
                *tensor = make_tensor_as(wide, (*tensor)->name, (*tensor)->shape,
                                         to_f64((*tensor)->view()));
            }
            return answer;
        });
    };
    for (const Dtype wide : {Dtype::f32, Dtype::f64}) {
        const Report report = with_dtype(wide, false);
        EXPECT_THAT(fault_codes(report.diagnosis), ElementsAre("answer.shape"));
        EXPECT_THAT(report_text(report), HasSubstr("and F16 was asked"));
        EXPECT_TRUE(with_dtype(wide, true).passed()) << "numbers of the dtype may be written wider";
    }
}

TEST(ProbeCalls, ATableForTheWholeContextIsRightUnderIt) {
    Part subject = called("phi-3-mini-128k");
    const auto long_table = test::at_length(131072);
    EXPECT_FALSE(asked_of(subject, long_table).passed());
    subject.context = 131072;
    EXPECT_EQ(asked_of(subject, {}).diagnosis.verdict, diagnosis::Verdict::valid);
    EXPECT_TRUE(asked_of(subject, long_table).passed());
    subject.context = 4096;
    EXPECT_FALSE(asked_of(subject, long_table).passed());
}

TEST(ProbeCalls, EveryWrongRequestSaysWhy) {
    const Report report = asked_of(called("llama-3-8b"), test::with_base(10000.0));
    for (const auto& request : nlohmann::json::parse(report_json(report)).at("requests")) {
        EXPECT_EQ(request.contains("text"), request.at("judged") != "right") << request;
    }
}

}  // namespace
}  // namespace ropescope::probe
