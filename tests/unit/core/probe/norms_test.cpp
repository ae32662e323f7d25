// Probes of code that normalises and turns in one step, and of code that takes queries alone.
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <tuple>

#include "core/base/error.h"
#include "core/models/model.h"
#include "core/probe/report.h"
#include "tests/support/planted_verdict.h"
#include "tests/support/probed_rotation.h"

namespace ropescope::probe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Part embedding_of(const std::string& name) {
    return open_model(name).parts.front();
}

/// What a fused kernel does beside turning.
struct Fused {
    QkNorm norm = {};
    bool exchanged = false, over_all_heads = false, missing = false, sixteen_bits = false;
};

double rounded(double x, bool sixteen_bits) {
    const auto small = static_cast<float>(x);
    if (!sixteen_bits) {
        return small;
    }
    const Tensor bf16 = make_tensor_as(Dtype::bf16, "x", {1}, std::vector{double{small}});
    return to_f64(bf16.view()).front();
}

/// Normalises [B, H, L, D] in float32.
std::vector<double> normalised(const Fused& how, const Request& request, bool of_keys,
                               std::vector<double> x) {
    if (how.missing) {
        return x;
    }
    const faults::HeadShape& shape = of_keys ? request.k_shape : request.q_shape;
    const diagnosis::SideNorm& weights = *request.norm_of(of_keys != how.exchanged);
    const std::vector<double> given = x;
    for (Index b = 0; b < shape.batch; ++b) {
        for (Index h = 0; h < shape.heads; ++h) {
            for (Index l = 0; l < shape.length; ++l) {
                std::vector<double> row;
                for (Index head = 0; head < shape.heads; ++head) {
                    if (head == h || how.over_all_heads) {
                        const auto first = given.begin() + shape.row(b, head, l);
                        row.insert(row.end(), first, first + shape.head_dim);
                    }
                }
                const NormOfRow norm = norm_of(how.norm, row);
                const double scale = rounded(norm.scale, how.sixteen_bits);
                for (Index c = 0; c < shape.head_dim; ++c) {
                    double& each = x[shape.row(b, h, l) + c];
                    each = rounded((each - norm.shift) * scale, how.sixteen_bits);
                    each = rounded(each * factor_of_weight(how.norm, weights.weights[c]), false);
                }
            }
        }
    }
    return x;
}

Ask fused(const Part& subject, const Fused& how, const test::ChangeCall& change = {}) {
    return [=](const Request& request) {
        Request turned = request;
        if (how.norm.order == NormOrder::before) {
            turned.q = normalised(how, request, false, request.q);
            turned.k = normalised(how, request, true, request.k);
            return test::answer_call(subject, turned, change);
        }
        turned.dtype = Dtype::f32;
        Answer answer = test::answer_call(subject, turned, change);
        for (auto* tensor : {&answer.q_rot, &answer.k_rot}) {
            *tensor = make_tensor_as(
                request.dtype, (*tensor)->name, (*tensor)->shape,
                normalised(how, request, tensor == &answer.k_rot, to_f64((*tensor)->view())));
        }
        return answer;
    };
}

Report probed(const std::string& name, const QkNorm& asked, const Fused& how,
              const test::ChangeCall& change = {}) {
    const Part subject = embedding_of(name);
    return probe(subject, {.norm = asked}, fused(subject, how, change));
}

std::vector<std::string> codes_of_faults(const Report& report) {
    return test::fault_codes(report.diagnosis);
}

TEST(ProbeNorms, RightFusedKernelsPass) {
    for (const char* name : {"qwen3-0.6b", "phi-2", "phi-3-mini-128k", "qwen2-vl-7b"}) {
        for (const NormKind kind :
             {NormKind::rms, NormKind::rms_plus_one, NormKind::layer, NormKind::l2}) {
            for (const NormOrder order : {NormOrder::before, NormOrder::after}) {
                const QkNorm norm{kind, kind == NormKind::rms ? 1e-5 : 1e-6, order};
                if (kind == NormKind::layer && order == NormOrder::after) {
                    EXPECT_THROW(make_requests(embedding_of(name), {.norm = norm}), InputError);
                    continue;
                }
                const Report report = probed(name, norm, {norm});
                EXPECT_EQ(report.diagnosis.verdict, diagnosis::Verdict::valid)
                    << name << " " << to_string(kind) << " " << to_string(order) << "\n"
                    << report_text(report);
            }
        }
    }
}

TEST(ProbeNorms, EveryFaultOfANormIsNamed) {
    const QkNorm rms{.eps = 1e-6}, gemma{.kind = NormKind::rms_plus_one};
    QkNorm eps = rms, after = rms, layer = rms;
    eps.eps = 1e-5;
    after.order = NormOrder::after;
    layer.kind = NormKind::layer;
    const std::vector<std::tuple<QkNorm, Fused, std::string>> all = {
        {rms, {eps}, "norm.eps"},
        {eps, {rms}, "norm.eps"},
        {gemma, {rms}, "norm.plus_one"},
        {rms, {gemma}, "norm.plus_one"},
        {rms, {.norm = rms, .exchanged = true}, "norm.weights"},
        {rms, {after}, "norm.order"},
        {after, {rms}, "norm.order"},
        {rms, {.norm = rms, .over_all_heads = true}, "norm.width"},
        {rms, {layer}, "norm.kind"},
        {rms, {.norm = rms, .missing = true}, "norm.missing"},
        {rms, {.norm = rms, .sixteen_bits = true}, "norm.low_precision"}};
    for (const auto& [asked, how, code] : all) {
        const Report report = probed("qwen3-0.6b", asked, how);
        EXPECT_FALSE(report.passed()) << code;
        const std::vector<std::string> found = codes_of_faults(report);
        EXPECT_THAT(std::set(found.begin(), found.end()), ElementsAre(code)) << report_text(report);
    }
}

TEST(ProbeNorms, ASmallDifferenceOfEpsShowsInSmallNumbers) {
    const QkNorm asked{.eps = 1e-6}, close{.eps = 1.2e-6};
    const Report report = probed("qwen3-0.6b", asked, {close});
    ASSERT_THAT(codes_of_faults(report), testing::Contains("norm.eps")) << report_text(report);
    EXPECT_THAT(report.diagnosis.findings.front().text(), HasSubstr("1.2e-06"));
}

TEST(ProbeNorms, AFaultOfTheRotationIsFoundBesideARightNorm) {
    for (const NormOrder order : {NormOrder::before, NormOrder::after}) {
        const QkNorm norm{.order = order};
        const Report report = probed("qwen3-0.6b", norm, {norm}, [](test::ProbedCall& call) {
            call.rotation.pairs = call.rotation.written = channel_pairs(Layout::interleaved, 128);
        });
        EXPECT_THAT(codes_of_faults(report), ElementsAre("layout.interleaved"))
            << report_text(report);
    }
}

TEST(ProbeNorms, AFaultOfSomeCallsIsFoundBehindAWrongNorm) {
    const QkNorm asked, without{.eps = 1e-3};
    const Report report = probed("qwen3-0.6b", asked, {without}, [](test::ProbedCall& call) {
        if (call.length() == 1) {
            call.rotation.turns = [](const test::TokenAt& at) { return at.b == 0; };
        }
    });
    EXPECT_THAT(codes_of_faults(report), testing::IsSupersetOf({"norm.eps", "rows.unrotated"}))
        << report_text(report);
}

TEST(ProbeNorms, WhatIsExpectedIsTheWholeOperation) {
    const QkNorm norm{.eps = 1e-5, .order = NormOrder::after};
    const Part subject = embedding_of("qwen3-0.6b");
    const Request request = make_requests(subject, {.norm = norm}).front();
    const Answer answer = fused(subject, {norm})(request);
    const std::vector<double> got = to_f64(answer.q_rot->view());
    const RightAnswer right = expected_answer(subject, request);
    for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_NEAR(got[i], right.q_rot[i], 1e-4);
    }
    const auto tensors = request.tensors();
    const auto has = [&](const char* name) {
        return std::ranges::find(tensors, name, &Tensor::name) != tensors.end();
    };
    EXPECT_TRUE(has("q_norm") && has("k_norm"));
}

/// Code that turns one tensor is asked for queries and judged by them.
Ask without_keys(const Ask& ask) {
    return [=](const Request& request) {
        Answer answer = ask(request);
        answer.k_rot.reset();
        return answer;
    };
}

TEST(ProbeNorms, QueriesAloneAreEnough) {
    for (const char* name : {"llama-2-7b", "phi-2", "qwen2-vl-7b", "dinov3-vit-small"}) {
        const Part subject = embedding_of(name);
        const Report report =
            probe(subject, {.q_alone = true}, without_keys(test::implementation(subject)));
        EXPECT_EQ(report.diagnosis.verdict, diagnosis::Verdict::valid) << report_text(report);
    }
    for (const Request& request : make_requests(embedding_of("llama-2-7b"), {.q_alone = true})) {
        EXPECT_FALSE(request.has_keys());
        EXPECT_THAT(request.k, testing::IsEmpty());
        EXPECT_EQ(std::ssize(request.tensors()), request.past ? 3 : 2);
    }
    const Part subject = embedding_of("llama-3-8b");
    const Report wrong =
        probe(subject, {.q_alone = true},
              without_keys(test::implementation(subject, [](test::ProbedCall& call) {
                  RopeSpec spec = *call.subject.spec;
                  spec.base = 10000.0;
                  call.use_spec(spec);
              })));
    EXPECT_THAT(codes_of_faults(wrong), ElementsAre("spectrum.default"));
    EXPECT_EQ(wrong.diagnosis.findings.front().place.sides, diagnosis::Side::q);
    const QkNorm norm;
    const Part qwen = embedding_of("qwen3-0.6b");
    EXPECT_TRUE(
        probe(qwen, {.norm = norm, .q_alone = true}, without_keys(fused(qwen, {norm}))).passed());
}

TEST(ProbeNorms, AnAnswerWithoutKeysSaysHowToAskForQueriesAlone) {
    const Part subject = embedding_of("llama-2-7b");
    const Report report = probe(subject, {}, without_keys(test::implementation(subject)));
    EXPECT_THAT(codes_of_faults(report), ElementsAre("answer.shape"));
    EXPECT_THAT(report_text(report), HasSubstr("--tensors q"));
}

}  // namespace
}  // namespace ropescope::probe
