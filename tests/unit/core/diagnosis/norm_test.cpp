// A norm beside the rotation: right ones are as expected, and each mistake has its name.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/number_format.h"
#include "core/diagnosis/read_dump.h"
#include "core/diagnosis/words.h"
#include "core/faults/codes.h"
#include "core/rope/qk_norm.h"
#include "core/rope/spectrum.h"
#include "tests/support/input_error.h"
#include "tests/support/random.h"
#include "tests/unit/core/diagnosis/expected_implementation.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr Index kFusedTokens = 40, kFusedHeads = 4, kFusedKeyHeads = 2, kFusedChannels = 64;
const RopeSpec kFusedSpec{.head_dim = kFusedChannels, .rotary_dim = kFusedChannels};

/// A kernel that normalises and turns in one step, in float32 with results of `dtype`.
struct Fused {
    QkNorm norm = {};
    bool wide = false;  ///< one norm over all heads
    std::vector<double> q_weights = {}, k_weights = {};
    bool normalises_q = true;
    Dtype inside = Dtype::f32;  ///< of the numbers between norm and rotation
    double sign_of_k = 1.0, base = 10000.0;
};

std::vector<double> weights_of(std::uint64_t seed, Index count, double around = 1.0) {
    std::vector<double> weights = test::Random(seed).normal<double>(count);
    for (double& w : weights) {
        w = to_float(around + 0.3 * w);
    }
    return weights;
}

/// What turns one row of a head in place.
void turn_row(std::span<double> x, double position, double sign, double base) {
    for (Index p = 0; p < kFusedChannels / 2; ++p) {
        const double angle = sign * position * std::pow(base, -2.0 * to_double(p) / kFusedChannels);
        const float c = to_float(std::cos(angle)), s = to_float(std::sin(angle));
        const float a = to_float(x[p]), b = to_float(x[p + kFusedChannels / 2]);
        x[p] = a * c - b * s;
        x[p + kFusedChannels / 2] = a * s + b * c;
    }
}

double rounded_to(Dtype dtype, double x) {
    return dtype == Dtype::bf16 ? f32_from_bf16(bf16_from_f64(x)) : to_float(x);
}

void normalise(const Fused& kernel, const std::vector<double>& weights, std::span<double> token,
               Index heads) {
    const Index rows = kernel.wide ? 1 : heads, width = std::ssize(token) / rows;
    for (Index row = 0; row < rows; ++row) {
        const auto x = token.subspan(row * width, width);
        const NormOfRow norm = norm_of(kernel.norm, x);
        const double scale = rounded_to(kernel.inside, norm.scale);
        for (Index c = 0; c < width; ++c) {
            const Index at = row * width + c;
            const double w = weights.empty()
                                 ? 1.0
                                 : factor_of_weight(kernel.norm, weights[at % std::ssize(weights)]);
            x[c] = rounded_to(kernel.inside,
                              rounded_to(kernel.inside, (x[c] - norm.shift) * scale) * w);
        }
    }
}

/// Of tensors [1, heads, tokens, channels]; `given` are the weights that the dump states.
struct Given {
    std::vector<double> q_weights = {}, k_weights = {};
    Dtype dtype = Dtype::f32;
    std::optional<QkNorm> norm = {};
};

Dump fused_dump(const Fused& kernel, const Given& given) {
    const auto tensors = std::make_shared<std::vector<Tensor>>();
    for (const std::string name : {"q", "k"}) {
        const bool of_q = name == "q";
        const Index heads = of_q ? kFusedHeads : kFusedKeyHeads;
        std::vector<double> x =
            test::Random(of_q ? 3 : 4).normal<double>(heads * kFusedTokens * kFusedChannels);
        for (double& each : x) {
            each = rounded_to(given.dtype, each);
        }
        std::vector<double> y(x.size());
        for (Index t = 0; t < kFusedTokens; ++t) {
            std::vector<double> token;
            const auto row_of = [&](Index h) { return (h * kFusedTokens + t) * kFusedChannels; };
            for (Index h = 0; h < heads; ++h) {
                token.insert(token.end(), x.begin() + row_of(h),
                             x.begin() + row_of(h) + kFusedChannels);
            }
            const auto norm_it = [&] {
                if (!of_q || kernel.normalises_q) {
                    normalise(kernel, of_q ? kernel.q_weights : kernel.k_weights, token, heads);
                }
            };
            const auto turn_it = [&] {
                for (Index h = 0; h < heads; ++h) {
                    turn_row(std::span(token).subspan(h * kFusedChannels, kFusedChannels),
                             to_double(t), of_q ? 1.0 : kernel.sign_of_k, kernel.base);
                }
            };
            kernel.norm.order == NormOrder::before ? norm_it() : turn_it();
            kernel.norm.order == NormOrder::before ? turn_it() : norm_it();
            for (Index h = 0; h < heads; ++h) {
                std::copy_n(token.begin() + h * kFusedChannels, kFusedChannels,
                            y.begin() + row_of(h));
            }
        }
        const std::vector<std::int64_t> shape = {1, heads, kFusedTokens, kFusedChannels};
        tensors->push_back(make_tensor_as(given.dtype, name, shape, x));
        tensors->push_back(make_tensor_as(given.dtype, name + "_rot", shape, y));
        const std::vector<double>& weights = of_q ? given.q_weights : given.k_weights;
        if (!weights.empty()) {
            tensors->push_back(
                make_tensor_as(Dtype::f32, name + "_norm", {std::ssize(weights)}, weights));
        }
    }
    std::vector<TensorBytes> views;
    std::ranges::transform(*tensors, std::back_inserter(views), &Tensor::view);
    return make_dump(views, tensors, "test", {.axes = "bhld", .norm = given.norm});
}

const std::vector<double> kQ = weights_of(11, kFusedChannels), kK = weights_of(12, kFusedChannels);

Fused right_kernel() {
    return {.q_weights = kQ, .k_weights = kK};
}
Given stated_weights() {
    return {.q_weights = kQ, .k_weights = kK};
}

Expectation fused_expectation() {
    return {.name = "config.json", .specs = {kFusedSpec}};
}

/// Both with the expectation and without it.
void expect_right(const Dump& dump, const std::string& what) {
    const Expectation expected = fused_expectation();
    for (const Diagnosis& found : {diagnose(dump, &expected), diagnose(dump)}) {
        EXPECT_EQ(found.verdict, Verdict::valid) << what << ": " << found.summary();
        EXPECT_TRUE(passes(found)) << what;
        EXPECT_THAT(found.mismatches, IsEmpty());
        EXPECT_EQ(found.base, 10000.0);
    }
}

TEST(FusedNorm, OfEveryKindOrderAndWidthIsAsExpected) {
    for (const NormKind kind :
         {NormKind::rms, NormKind::rms_plus_one, NormKind::layer, NormKind::l2}) {
        for (const NormOrder order : {NormOrder::before, NormOrder::after}) {
            Fused kernel = right_kernel();
            kernel.norm = {kind, 1e-6, order};
            Given given = stated_weights();
            given.norm = kernel.norm;
            const Expectation expected = fused_expectation();
            const Diagnosis found = diagnose(fused_dump(kernel, given), &expected);
            EXPECT_TRUE(passes(found))
                << to_string(kind) << " " << to_string(order) << ": " << found.summary();
            EXPECT_EQ(found.verdict, Verdict::valid);
        }
    }
    expect_right(fused_dump(right_kernel(), stated_weights()), "rms");
    Fused wide{.wide = true,
               .q_weights = weights_of(13, kFusedHeads * kFusedChannels),
               .k_weights = weights_of(14, kFusedKeyHeads * kFusedChannels)};
    expect_right(fused_dump(wide, {.q_weights = wide.q_weights, .k_weights = wide.k_weights}),
                 "over all heads");
    Given coarse = stated_weights();
    coarse.dtype = Dtype::bf16;
    Fused sixteen = right_kernel();
    sixteen.inside = Dtype::f32;
    expect_right(fused_dump(sixteen, coarse), "bf16");
}

struct NormMistake {
    const char* code;
    std::function<void(Fused&)> make;
    const char* says;
};

/// A rotation keeps lengths, so that those behind a norm after it are known without it.
TEST(FusedNorm, AfterTheRotationIsHeldByItsLengths) {
    struct LengthMistake {
        const char* code;
        std::function<void(Fused&)> make;
    };
    const std::vector<LengthMistake> mistakes = {
        {"norm.missing", [](Fused& f) { f.normalises_q = false; }},
        {"norm.kind", [](Fused& f) { f.norm.kind = NormKind::l2; }},
        {"norm.width", [](Fused& f) { f.wide = true; }},
        {"norm.eps", [](Fused& f) { f.norm.eps = 1e-3; }},
    };
    for (const LengthMistake& mistake : mistakes) {
        Fused kernel{.norm = {.order = NormOrder::after}};
        const Given given{.norm = kernel.norm};
        EXPECT_EQ(diagnose(fused_dump(kernel, given)).verdict, Verdict::valid);
        mistake.make(kernel);
        const Diagnosis found = diagnose(fused_dump(kernel, given));
        EXPECT_EQ(found.verdict, Verdict::invalid) << mistake.code;
        EXPECT_TRUE(std::ranges::any_of(found.findings, [&](const Finding& f) {
            return f.code == mistake.code;
        })) << found.summary();
    }
}

TEST(FusedNorm, NamesEveryMistake) {
    const std::vector<NormMistake> mistakes = {
        {"norm.eps", [](Fused& f) { f.norm.eps = 1e-5; }, "eps 1e-05, and 1e-06 is expected"},
        {"norm.eps", [](Fused& f) { f.norm.eps = 3e-4; }, "eps 0.0003, and 1e-06 is expected"},
        {"norm.plus_one", [](Fused& f) { f.norm.kind = NormKind::rms_plus_one; }, "1 + w"},
        {"norm.weights", [](Fused& f) { std::swap(f.q_weights, f.k_weights); },
         "has the weights of"},
        {"norm.weights", [](Fused& f) { f.q_weights.clear(); }, "never multiplied"},
        {"norm.order", [](Fused& f) { f.norm.order = NormOrder::after; },
         "normalised after the rotation, and before it is expected"},
        {"norm.width", [](Fused& f) { f.wide = true; }, "over 256 numbers, and over 64"},
        {"norm.weights", [](Fused& f) { std::ranges::reverse(f.q_weights); }, "in reverse order"},
        {"norm.width", [](Fused& f) { f.norm.slip = NormSlip::one_less; },
         "divides its sum of squares by 63, and by 64"},
        {"norm.kind", [](Fused& f) { f.norm.kind = NormKind::layer; },
         "of kind layer, and rms is expected"},
        {"norm.missing", [](Fused& f) { f.normalises_q = false; }, "turned and not normalised"},
        {"norm.low_precision", [](Fused& f) { f.inside = Dtype::bf16; }, "computed in 16 bits"},
    };
    for (const NormMistake& mistake : mistakes) {
        SCOPED_TRACE(mistake.code);
        Fused kernel = right_kernel();
        mistake.make(kernel);
        const Dump dump = fused_dump(kernel, stated_weights());
        const Expectation expected = fused_expectation();
        const Diagnosis found = diagnose(dump, &expected);
        EXPECT_FALSE(passes(found));
        EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
        EXPECT_EQ(found.findings.front().code, mistake.code) << found.summary();
        EXPECT_THAT(found.summary(), HasSubstr(mistake.says));
        for (const Finding& finding : found.findings) {
            EXPECT_THAT(finding.text(), Not(HasSubstr("q is normalised before the rotation: rms")));
        }
        EXPECT_EQ(found.base, 10000.0);
        EXPECT_NE(diagnose(dump).verdict, Verdict::valid) << diagnose(dump).summary();
    }
}

TEST(FusedNorm, LeavesFaultsOfTheRotationTheirNames) {
    Fused backwards = right_kernel();
    backwards.sign_of_k = -1.0;
    const Expectation expected = fused_expectation();
    for (const Diagnosis& found : {diagnose(fused_dump(backwards, stated_weights()), &expected),
                                   diagnose(fused_dump(backwards, stated_weights()))}) {
        EXPECT_EQ(found.findings.front().code, "sign.k_reversed") << found.summary();
        EXPECT_FALSE(passes(found));
    }
    // A little more than rounding of the norm to 16 bits would leave, and at no change of lengths.
    for (const double base : {500000.0, 10100.0}) {
        Fused kernel = right_kernel();
        kernel.base = base;
        const Diagnosis found = diagnose(fused_dump(kernel, stated_weights()), &expected);
        EXPECT_FALSE(passes(found));
        EXPECT_THAT(found.mismatches.front().text(),
                    HasSubstr(fmt::format("base {:.10g}, expected 10000", base)));
    }
}

/// Rows of 16 bits whose weights are divided out are no numbers of 16 bits.
TEST(FusedNorm, BehindTheRotationIsReadInSixteenBits) {
    for (const Dtype dtype : {Dtype::bf16, Dtype::f16}) {
        const Fused kernel{.norm = {.order = NormOrder::after}, .q_weights = kQ, .k_weights = kK};
        Given given = stated_weights();
        given.dtype = dtype;
        given.norm = kernel.norm;
        const Diagnosis found = diagnose(fused_dump(kernel, given));
        EXPECT_NE(found.verdict, Verdict::invalid) << found.summary();
    }
}

/// The factor of all pairs of a row is none of a GPU's fast sines.
TEST(FusedNorm, AnEpsOutsideTheRootIsNoErrorOfSines) {
    QkNorm outside{.eps = 5e-6};
    outside.slip = NormSlip::eps_outside;
    Fused kernel = right_kernel();
    kernel.norm = outside;
    Given given = stated_weights();
    given.norm = QkNorm{.eps = 5e-6};
    const Expectation expected = fused_expectation();
    const Diagnosis found = diagnose(fused_dump(kernel, given), &expected);
    EXPECT_FALSE(passes(found));
    EXPECT_EQ(found.findings.front().code, "norm.eps") << found.summary();
}

TEST(FusedNorm, IsRecognisedWithoutItsWeights) {
    for (const NormOrder order : {NormOrder::before, NormOrder::after}) {
        Fused kernel = right_kernel();
        kernel.norm.order = order;
        const Diagnosis found = diagnose(fused_dump(kernel, {}));
        EXPECT_EQ(found.verdict, Verdict::undetermined) << found.summary();
        EXPECT_THAT(found.summary(), HasSubstr("normalised " + std::string(to_string(order))));
        EXPECT_THAT(found.summary(), HasSubstr("--norm rms"));
        const Expectation expected = fused_expectation();
        EXPECT_FALSE(passes(diagnose(fused_dump(kernel, {}), &expected)));
    }
}

TEST(FusedNorm, RefusesWeightsThatDoNotFit) {
    Given given = stated_weights();
    given.q_weights.pop_back();
    EXPECT_THAT(test::input_error([&] { fused_dump(right_kernel(), given); }),
                HasSubstr("[64], or [256] for all heads together"));
}

}  // namespace
}  // namespace ropescope::diagnosis
