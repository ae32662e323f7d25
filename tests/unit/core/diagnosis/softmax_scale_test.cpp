// The factor between products of rotated queries and keys and the scores of a dump.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "core/diagnosis/expectation.h"
#include "core/diagnosis/read_dump.h"
#include "core/faults/codes.h"
#include "tests/unit/core/diagnosis/expected_implementation.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::HasSubstr;

const RopeSpec kScaleSpec{.head_dim = 64, .rotary_dim = 64};

Expectation model(const std::string& type, const std::string& more) {
    return parse_expectation(R"({"model_type": ")" + type +
                                 R"(", "hidden_size": 256, "head_dim": 64, "num_attention_heads": 4,
                                     "num_key_value_heads": 2, "num_hidden_layers": 2,
                                     "rope_theta": 10000)" +
                                 more + "}",
                             "config.json");
}

/// Scores that are `scale` times the products.
Dump dump_with(double scale) {
    test::Implementation made = implementation_of(kScaleSpec, 24);
    made.score_scale = scale;
    return dump_of(made);
}

TEST(SoftmaxScale, IsWhatTheModelSays) {
    const Expectation gemma = model("gemma2", R"(, "query_pre_attn_scalar": 144)");
    const Expectation granite = model("granite", R"(, "attention_multiplier": 0.0078125)");
    const Expectation llama = model("llama", "");
    EXPECT_TRUE(passes(diagnose(dump_with(1.0 / 12.0), &gemma)));
    EXPECT_TRUE(passes(diagnose(dump_with(0.0078125), &granite)));
    EXPECT_TRUE(passes(diagnose(dump_with(0.125), &llama)));
    for (const Expectation* expectation : {&gemma, &granite}) {
        const Diagnosis found = diagnose(dump_with(0.125), expectation);
        EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
        EXPECT_EQ(found.findings.front().code, faults::code("softmax.scale"));
    }
    EXPECT_FALSE(passes(diagnose(dump_with(1.0 / 12.0), &llama)));
}

/// Nobody knows the model: a part of the formula that was forgotten is a fault, any other factor
/// may be the model's.
TEST(SoftmaxScale, WithoutAnExpectationOnlyForgottenPartsAreFaults) {
    EXPECT_EQ(diagnose(dump_with(0.125)).verdict, Verdict::valid);
    for (const double forgotten : {1.0, 1.0 / 64.0, 8.0}) {
        EXPECT_EQ(diagnose(dump_with(forgotten)).verdict, Verdict::invalid) << forgotten;
    }
    const Diagnosis own = diagnose(dump_with(1.0 / 12.0));
    EXPECT_EQ(own.verdict, Verdict::valid);
    EXPECT_THAT(own.findings, testing::Contains(testing::Property(
                                  &Finding::text, HasSubstr("give --expect to compare"))));
}

/// Scores [heads, length, length] of these tensors, query head h with key head `key_head(h)`.
std::vector<double> products(const DumpTensor& q, const DumpTensor& k,
                             const std::function<Index(Index)>& key_head) {
    std::vector<double> all, x(q.channels), y(k.channels);
    for (Index h = 0; h < q.heads; ++h) {
        for (Index l = 0; l < q.length; ++l) {
            q.read(0, h, l, x);
            for (Index n = 0; n < k.length; ++n) {
                k.read(0, key_head(h), n, y);
                all.push_back(std::inner_product(x.begin(), x.end(), y.begin(), 0.0) / 8.0);
            }
        }
    }
    return all;
}

std::string text_of_scores(const std::function<std::vector<double>(const Dump&)>& scores) {
    Dump dump = dump_of(implementation_of(kScaleSpec, 24));
    const Tensor tensor = make_tensor_as(Dtype::f32, "scores", {1, 4, 24, 24}, scores(dump));
    dump.scores = DumpTensor{.name = "scores",
                             .dtype = Dtype::f32,
                             .data = tensor.bytes.data(),
                             .batch = 1,
                             .heads = 4,
                             .length = 24,
                             .channels = 24,
                             .batch_stride = Index{4} * 24 * 24,
                             .head_stride = Index{24} * 24,
                             .position_stride = 24};
    const Diagnosis found = diagnose(dump);
    return found.verdict == Verdict::invalid ? found.findings.front().text() : found.summary();
}

TEST(SoftmaxScale, OtherProductsAreNamed) {
    const auto grouped = [](Index h) { return h / 2; };
    EXPECT_THAT(text_of_scores([&](const Dump& dump) {
                    return products(dump.q->after, dump.k->after, grouped);
                }),
                HasSubstr("valid: half-split"));
    EXPECT_THAT(text_of_scores([&](const Dump& dump) {
                    return products(dump.q->after, dump.k->after, [](Index h) { return h % 2; });
                }),
                HasSubstr("Query head h reads key head h mod 2"));
    EXPECT_THAT(text_of_scores([&](const Dump& dump) {
                    return products(dump.q->after, dump.k->before, grouped);
                }),
                HasSubstr("k is not rotated in them"));
    EXPECT_THAT(text_of_scores([&](const Dump& dump) {
                    return products(dump.q->before, dump.k->after, grouped);
                }),
                HasSubstr("q is not rotated in them"));
    EXPECT_THAT(text_of_scores([&](const Dump& dump) {
                    return products(dump.q->before, dump.k->before, grouped);
                }),
                HasSubstr("neither is rotated in them"));
    EXPECT_THAT(text_of_scores([&](const Dump& dump) {
                    std::vector<double> reversed = products(dump.q->after, dump.k->after, grouped);
                    std::ranges::reverse(reversed);
                    return reversed;
                }),
                HasSubstr("not a multiple of q_rot . k_rot"));
}

}  // namespace
}  // namespace ropescope::diagnosis
