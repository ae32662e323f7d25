// Every score is held to its product: garbage is found, with its place, and masked scores and
// those of other arithmetic are right.
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "core/diagnosis/expectation.h"
#include "core/diagnosis/read_dump.h"
#include "core/diagnosis/score_findings.h"
#include "core/faults/codes.h"
#include "tests/support/random.h"
#include "tests/unit/core/diagnosis/expected_implementation.h"

namespace ropescope::diagnosis {
namespace {

using test::At;
using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Index kBatch = 3, kHeads = 4, kLength = 24;
const RopeSpec kSpec{.head_dim = 64, .rotary_dim = 64};

using ScoreOf = std::function<double(const At& query, Index key, double score)>;

test::Implementation implementation(const ScoreOf& score_of) {
    test::Implementation made = implementation_of(kSpec, kLength);
    made.batch = kBatch;
    made.score_scale = 0.125;
    made.score_of = score_of;
    return made;
}

Diagnosis diagnosed(const ScoreOf& score_of) {
    return diagnose(dump_of(implementation(score_of)));
}

void expect_valid(const ScoreOf& score_of, const char* what) {
    const Diagnosis found = diagnosed(score_of);
    EXPECT_EQ(found.verdict, Verdict::valid) << what << ": " << found.summary();
}

/// One fault, with this code, place and text.
void expect_fault(const ScoreOf& score_of, const std::string& code, const std::string& where,
                  const std::string& text) {
    const Diagnosis found = diagnosed(score_of);
    EXPECT_EQ(found.verdict, Verdict::invalid) << text;
    const Finding& first = found.findings.front();
    EXPECT_EQ(first.code, code) << found.summary();
    EXPECT_EQ(first.where(), where);
    EXPECT_THAT(first.text(), HasSubstr(text));
    EXPECT_EQ(first.weight, Weight::fault);
    EXPECT_EQ(std::ranges::count(found.findings, Weight::fault, &Finding::weight), 1);
}

ScoreOf everywhere(double value) {
    return [=](const At&, Index, double) { return value; };
}

TEST(Scores, GarbageIsNeverValid) {
    expect_fault(everywhere(std::nan("")), faults::code("scores.not_finite"), "scores",
                 "All scores are NaN or infinite");
    expect_fault(everywhere(kInfinity), faults::code("scores.not_finite"), "scores",
                 "NaN or infinite");
    expect_fault(everywhere(0.0), faults::code("scores.not_the_product"), "scores", "are all 0");
    expect_fault(everywhere(-kInfinity), faults::code("scores.masked"), "scores",
                 "All scores are masked");
    expect_fault(everywhere(-1e4), faults::code("scores.masked"), "scores",
                 "All scores are masked");
    expect_fault(everywhere(1.0), faults::code("softmax.scale"), "scores",
                 "not a multiple of q_rot");
    expect_fault(everywhere(1e30), faults::code("softmax.scale"), "scores",
                 "not a multiple of q_rot");
    expect_fault([](const At&, Index, double score) { return -score; },
                 faults::code("softmax.scale"), "scores", "times -0.125");
}

TEST(Scores, AHeadOfGarbageIsNamed) {
    const auto in_head = [](Index head, double value) {
        return
            [=](const At& query, Index, double score) { return query.h == head ? value : score; };
    };
    expect_fault(in_head(2, 0.0), faults::code("scores.not_the_product"), "scores, head 2",
                 "Scores of head 2 are all 0, and q_rot . k_rot is not.");
    expect_fault(in_head(0, std::nan("")), faults::code("scores.not_finite"), "scores, head 0",
                 "1728 of 6912 scores (head 0) are NaN or infinite.");
    expect_fault(in_head(3, -kInfinity), faults::code("scores.masked"), "scores, head 3",
                 "1728 of 6912 scores (head 3) are masked where no mask hides a key");
}

/// Random numbers as large as the scores are.
TEST(Scores, EveryBatchRowIsLookedAt) {
    test::Dice dice(3);
    const auto random_from = [&](Index row) {
        return [&dice, row](const At& query, Index, double score) {
            return query.b >= row ? dice.normal() : score;
        };
    };
    expect_fault(random_from(2), faults::code("scores.not_the_product"), "scores, batch row 2",
                 "2304 of 6912 scores (batch row 2) are not q_rot . k_rot times 0.125");
    expect_fault(random_from(1), faults::code("scores.not_the_product"),
                 "scores, batch rows 1 and 2", "4608 of 6912 scores (batch rows 1 and 2) are not");
    expect_fault([](const At& query, Index, double score) { return query.b == 1 ? 0.0 : score; },
                 faults::code("scores.not_the_product"), "scores, batch row 1",
                 "Scores of batch row 1 are all 0");
}

/// Wherever it stands, and however little it is off beyond rounding.
TEST(Scores, ASingleWrongScoreIsFound) {
    test::Random random(11);
    for (int i = 0; i < 40; ++i) {
        const At at{false, random.integer(0, kBatch - 1), random.integer(0, kHeads - 1),
                    random.integer(0, kLength - 1)};
        const Index at_key = random.integer(0, kLength - 1);
        const double off = random.pick<double>({1e-3, -1e-3, 0.1, 1e9, std::nan(""), kInfinity});
        const auto wrong = [&](const At& query, Index key, double score) {
            const bool here =
                query.b == at.b && query.h == at.h && query.l == at.l && key == at_key;
            return here ? score + off : score;
        };
        const std::string place =
            fmt::format("batch row {}, head {}, query {}, key {}", at.b, at.h, at.l, at_key);
        expect_fault(wrong,
                     std::isfinite(off) ? faults::code("scores.not_the_product")
                                        : faults::code("scores.not_finite"),
                     "scores, " + place, "The score of " + place + " is ");
    }
}

TEST(Scores, ASingleHiddenScoreIsFound) {
    expect_fault(
        [](const At& query, Index key, double score) {
            return query.b == 1 && query.h == 2 && query.l == 23 && key == 4 ? -kInfinity : score;
        },
        faults::code("scores.masked"), "scores, batch row 1, head 2, query 23, key 4",
        "is masked where no mask hides a key");
    expect_fault(
        [](const At& query, Index, double score) { return query.l == 20 ? -kInfinity : score; },
        faults::code("scores.masked"), "scores, query 20", "288 of 6912 scores");
}

/// What all heads hide may be a mask that nobody has told us of.
TEST(Scores, AnUnusualMaskIsNoted) {
    const std::vector<std::function<bool(const At&, Index)>> masks = {
        [](const At& query, Index key) { return key <= query.l && (key > query.l - 5 || key < 2); },
        [](const At& query, Index key) { return key % 2 == query.l % 2; },
        [](const At& query, Index key) { return !(query.l == 23 && key == 4); }};
    for (const auto& sees : masks) {
        const Diagnosis found = diagnosed([&](const At& query, Index key, double score) {
            return sees(query, key) ? score : -kInfinity;
        });
        EXPECT_EQ(found.verdict, Verdict::valid) << found.summary();
        EXPECT_THAT(found.findings, testing::Contains(testing::Property(
                                        &Finding::text, HasSubstr("it is not judged"))));
    }
}

/// Wrong scores must not make the arithmetic look so coarse that it explains them.
TEST(Scores, ManyThatAreLittleOffAreFound) {
    test::Random random(12);
    const std::vector<std::pair<const char*, ScoreOf>> faults = {
        {"a head's factor",
         [](const At& query, Index, double s) { return query.h == 2 ? 1.02 * s : s; }},
        {"a little of it",
         [](const At& query, Index, double s) { return query.h == 2 ? 1.001 * s : s; }},
        {"a row's factor",
         [](const At& query, Index, double s) { return query.b == 1 ? 1.03 * s : s; }},
        {"a bias of the distance",
         [](const At& query, Index key, double s) { return s + 1e-3 * to_double(key - query.l); }},
        {"a temperature",
         [](const At& query, Index, double s) { return s * (1.0 + 0.002 * to_double(query.l)); }},
        {"one in four",
         [&](const At&, Index, double s) { return random.integer(0, 3) == 0 ? s + 0.03 : s; }}};
    for (const auto& [what, score_of] : faults) {
        EXPECT_EQ(diagnosed(score_of).verdict, Verdict::invalid) << what;
    }
}

TEST(Scores, MaskedScoresAreRight) {
    for (const double hidden : {-kInfinity, -1e4, -65504.0, -3.4028234663852886e38}) {
        const auto behind = [=](const std::function<bool(const At&, Index)>& sees) {
            return [=](const At& query, Index key, double score) {
                return sees(query, key) ? score : hidden;
            };
        };
        expect_valid(behind([](const At& query, Index key) { return key <= query.l; }), "causal");
        expect_valid(
            behind([](const At& query, Index key) { return key <= query.l && key > query.l - 5; }),
            "window");
        expect_valid(behind([](const At& query, Index key) { return query.l / 8 == key / 8; }),
                     "documents");
        expect_valid(
            behind([](const At& query, Index key) { return key <= query.l && key >= 3 * query.b; }),
            "padding on the left");
        expect_valid(behind([](const At& query, Index key) { return key < 24 - 3 * query.b; }),
                     "padding on the right");
    }
    expect_valid([](const At& query, Index key,
                    double score) { return key <= query.l ? score : score - 1e4; },
                 "added");
}

/// The product of a query of zeros is 0.
TEST(Scores, AScoreOfAQueryOfZerosIsZero) {
    const auto of_zeros = [](double score) {
        test::Implementation made = implementation([=](const At&, Index, double) { return score; });
        made.scale_x = [](Index) { return 0.0; };
        return score_findings(dump_of(made), nullptr);
    };
    EXPECT_THAT(of_zeros(0.0), testing::IsEmpty());
    ASSERT_EQ(of_zeros(1.0).size(), 1U);
    EXPECT_THAT(of_zeros(1.0).front().text(), HasSubstr("All scores are not q_rot . k_rot"));
}

/// A factor that nobody expects does not hide a wrong score, nor does the score change the factor.
TEST(Scores, AFactorAndAWrongScoreAreTwoFindings) {
    const Diagnosis found = diagnosed([](const At& query, Index key, double score) {
        return query.b == 2 && query.l == 23 && key == 0 ? 5.0 : 0.64 * score;
    });
    EXPECT_EQ(found.verdict, Verdict::invalid);
    EXPECT_EQ(found.findings.front().code, faults::code("scores.not_the_product"))
        << found.summary();
    EXPECT_EQ(found.findings.front().where(), "scores, batch row 2, query 23, key 0");
    EXPECT_THAT(found.findings, testing::Contains(testing::Property(
                                    &Finding::text, HasSubstr("q_rot . k_rot times 0.08, where"))));
}

/// Whichever row it is that tells the factor.
TEST(Scores, AFactorIsFoundBesideRowsOfGarbage) {
    for (const Index right : {0, 1, 2}) {
        test::Dice dice(4);
        const Diagnosis found = diagnosed([&](const At& query, Index, double score) {
            return query.b == right ? 0.32 * score : dice.normal();
        });
        const auto wrong = std::ranges::find(found.findings, faults::code("scores.not_the_product"),
                                             &Finding::code);
        ASSERT_NE(wrong, found.findings.end()) << found.summary();
        EXPECT_THAT(wrong->text(), HasSubstr("4608 of 6912 scores")) << right;
        EXPECT_THAT(wrong->text(), HasSubstr("are not q_rot . k_rot times 0.04: ")) << right;
    }
}

TEST(Scores, ACapIsNamed) {
    expect_fault([](const At&, Index, double score) { return 50.0 * std::tanh(score / 50.0); },
                 faults::code("softmax.scale"), "scores", "attn_logit_softcapping");
}

/// A score formed as kernels form it, of inputs and with a result that may be rounded.
struct Kernel {
    std::string name;
    Dtype tensors = Dtype::f32, inputs = Dtype::f32, scores = Dtype::f32;

    float product(std::span<const double> q, std::span<const double> k) const {
        float sum = 0.0F;
        for (std::size_t c = 0; c < q.size(); ++c) {
            sum += to_float(round_to(inputs, q[c])) * to_float(round_to(inputs, k[c]));
        }
        return to_float(round_to(scores, sum));
    }
};

/// The dump of an implementation with scores of the kernel, in its own tensor.
struct KernelDump {
    Tensor scores;
    Dump dump;

    KernelDump(const Kernel& kernel, Index head_dim, std::uint64_t seed) {
        const RopeSpec spec{.head_dim = head_dim, .rotary_dim = head_dim};
        test::Implementation made = implementation_of(spec, kLength);
        made.dtype = kernel.tensors;
        made.score_scale = 1.0;
        dump = dump_of(made, seed);
        const float factor = to_float(1.0 / std::sqrt(to_double(head_dim)));
        std::vector<double> values, q(head_dim), k(head_dim);
        for (Index h = 0; h < kHeads; ++h) {
            for (Index l = 0; l < kLength; ++l) {
                dump.q->after.read(0, h, l, q);
                for (Index n = 0; n < kLength; ++n) {
                    dump.k->after.read(0, h / 2, n, k);
                    values.push_back(round_to(kernel.scores, factor * kernel.product(q, k)));
                }
            }
        }
        use(values);
    }

    void use(const std::vector<double>& values) {
        scores = make_tensor_as(Dtype::f32, "scores", {1, kHeads, kLength, kLength}, values);
        dump.scores->data = scores.bytes.data();
    }
};

const std::vector<Kernel> kKernels = {
    {"float32", Dtype::f32, Dtype::f32, Dtype::f32},
    {"TF32, or autocast to float16", Dtype::f32, Dtype::f16, Dtype::f32},
    {"autocast to bfloat16", Dtype::f32, Dtype::bf16, Dtype::f32},
    {"autocast, scores too", Dtype::f32, Dtype::bf16, Dtype::bf16},
    {"float16", Dtype::f16, Dtype::f16, Dtype::f16},
    {"bfloat16", Dtype::bf16, Dtype::bf16, Dtype::bf16},
    {"bfloat16 with sums kept", Dtype::bf16, Dtype::bf16, Dtype::f32},
};

TEST(Scores, OtherArithmeticIsRight) {
    for (const Kernel& kernel : kKernels) {
        for (const Index head_dim : {16, 64, 80, 128, 256, 512}) {
            const KernelDump made(kernel, head_dim, 5);
            const Diagnosis found = diagnose(made.dump);
            for (const Finding& finding : found.findings) {
                EXPECT_FALSE(is_about_scores(finding.code))
                    << kernel.name << " " << head_dim << " " << finding.text();
            }
        }
    }
}

/// Beyond the rounding of the coarsest of them, 4 units of bfloat16 of |q| |k| / sqrt(head_dim).
TEST(Scores, OtherArithmeticHidesNoWrongScore) {
    for (const Kernel& kernel : kKernels) {
        KernelDump made(kernel, 64, 6);
        std::vector<double> values = to_f64(made.scores.view());
        values[1234] += 0.5;
        made.use(values);
        const Diagnosis found = diagnose(made.dump);
        EXPECT_EQ(found.findings.front().code, faults::code("scores.not_the_product"))
            << kernel.name;
        EXPECT_EQ(found.findings.front().where(), "scores, head 2, query 3, key 10") << kernel.name;
    }
}

/// In 16 bits each score may be off by some units, but those of a head not all by the same.
TEST(Scores, AFactorWithinTheRoundingOfScoresIsFound) {
    const Kernel kernel{"bfloat16", Dtype::bf16, Dtype::bf16, Dtype::bf16};
    KernelDump made(kernel, 64, 7);
    std::vector<double> values = to_f64(made.scores.view());
    for (Index i = 0; i < std::ssize(values); ++i) {
        const bool in_head = i / (kLength * kLength) == 2;
        values[i] = round_to(Dtype::bf16, in_head ? 1.008 * values[i] : values[i]);
    }
    made.use(values);
    const Diagnosis found = diagnose(made.dump);
    EXPECT_EQ(found.findings.front().code, faults::code("scores.not_the_product"));
    EXPECT_EQ(found.findings.front().where(), "scores, head 2") << found.findings.front().text();
}

/// Other arithmetics leave more open where terms lie between two of their numbers. None is taken
/// for that.
TEST(Scores, AFactorOfOneHeadBuysNoCoarserArithmetic) {
    const Kernel kernel{"float16", Dtype::f16, Dtype::f16, Dtype::f16};
    KernelDump made(kernel, 128, 9);
    std::vector<double> values = to_f64(made.scores.view());
    for (Index i = 0; i < std::ssize(values); ++i) {
        const bool in_head = i / (kLength * kLength) == 2;
        values[i] = round_to(Dtype::f16, in_head ? 1.003 * values[i] : values[i]);
    }
    made.use(values);
    const Diagnosis found = diagnose(made.dump);
    EXPECT_EQ(found.findings.front().code, faults::code("scores.not_the_product"));
    EXPECT_THAT(found.findings.front().where(), HasSubstr("head 2"))
        << found.findings.front().text();
}

/// A dump in bfloat16 of what a kernel had in float32: the terms are not known, but that their
/// errors scatter is.
TEST(Scores, TermsThatWereRoundedInTheDumpAreRight) {
    const Kernel kernel{"float32", Dtype::f32, Dtype::f32, Dtype::f32};
    for (const double factor_of_head : {1.0, 1.01}) {
        KernelDump made(kernel, 64, 8);
        std::vector<double> values = to_f64(made.scores.view());
        for (Index i = 0; i < std::ssize(values); ++i) {
            values[i] *= i / (kLength * kLength) == 1 ? factor_of_head : 1.0;
        }
        made.use(values);
        std::vector<Tensor> rounded;
        for (DumpTensor* tensor : {&made.dump.q->after, &made.dump.k->after}) {
            std::vector<double> all, row(64);
            for (Index i = 0; i < tensor->heads * kLength; ++i) {
                tensor->read(0, i / kLength, i % kLength, row);
                all.insert(all.end(), row.begin(), row.end());
            }
            rounded.push_back(
                make_tensor_as(Dtype::bf16, tensor->name, {1, tensor->heads, kLength, 64}, all));
            *tensor = {.name = tensor->name,
                       .dtype = Dtype::bf16,
                       .data = rounded.back().bytes.data(),
                       .heads = tensor->heads,
                       .length = kLength,
                       .channels = 64,
                       .batch_stride = tensor->heads * kLength * 64,
                       .head_stride = kLength * 64,
                       .position_stride = 64};
        }
        EXPECT_EQ(score_findings(made.dump, nullptr).empty(), factor_of_head == 1.0);
    }
}

/// One query a head is looked at first: that it is padding says nothing.
TEST(Scores, PaddingAtTheEndOfManyHeadsIsRight) {
    test::Implementation made = implementation([](const At& query, Index key, double score) {
        return std::max(query.l, key) == kLength - 1 ? -kInfinity : round_to(Dtype::bf16, score);
    });
    made.batch = 130;
    EXPECT_THAT(score_findings(dump_of(made), nullptr), testing::IsEmpty());
}

}  // namespace
}  // namespace ropescope::diagnosis
