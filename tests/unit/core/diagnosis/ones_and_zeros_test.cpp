// Right code on vectors of ones and zeros, which make of a rotation the numbers of its table.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <optional>

#include "core/diagnosis/read_dump.h"
#include "core/diagnosis/rounding.h"
#include "core/rope/spectrum.h"
#include "tests/unit/core/diagnosis/expected_implementation.h"

namespace ropescope::diagnosis {
namespace {

struct CodeOfOnes {
    RopeSpec spec = {};
    std::vector<double> stated = {};  ///< [rows, tokens]
    Index rows = 1, heads = 4, key_heads = 4;
    Dtype table = Dtype::f32, tensors = Dtype::f32;
    double moved_keys = 0.0;     ///< added to the positions of k
    bool few_in_common = false;  ///< tokens share no pair but the last

    Index tokens() const { return std::ssize(stated) / rows; }
};

/// [rows, heads, tokens, channels] of one side, of which every eighth number or so is 1.
std::vector<double> ones_and_zeros(const CodeOfOnes& code, Index heads, test::Dice& dice) {
    const Index width = code.spec.head_dim, tokens = code.tokens();
    std::vector<double> x(code.rows * heads * tokens * width);
    for (Index at = 0; at < std::ssize(x); ++at) {
        const Index token = at / width % tokens, pair = at % width % (width / 2);
        const bool is_one = code.few_in_common ? pair % 2 == token % 2 || pair == width / 2 - 1
                                               : std::abs(dice.normal()) > 1.5;
        x[at] = is_one ? 1.0 : 0.0;
    }
    return x;
}

std::vector<double> turned_by_table_of(const CodeOfOnes& code, const std::vector<double>& x,
                                       Index heads, double moved) {
    const Spectrum spectrum = make_spectrum(code.spec);
    const Index tokens = code.tokens(), width = code.spec.head_dim;
    std::vector<double> y = x;
    for (Index vector = 0; vector < code.rows * heads * tokens; ++vector) {
        const Index token = vector / (heads * tokens) * tokens + vector % tokens;
        for (Index p = 0; p < std::ssize(spectrum.inv_freq_rad); ++p) {
            const auto [first, second] = pair_channels(code.spec.layout, code.spec.rotary_dim, p);
            const double angle = (code.stated[token] + moved) * spectrum.inv_freq_rad[p];
            const double gain = spectrum.attention_factor;
            const double c = round_to(code.table, gain * std::cos(angle)),
                         s = round_to(code.table, gain * std::sin(angle));
            const double a = x[vector * width + first], b = x[vector * width + second];
            y[vector * width + first] = round_to(code.tensors, a * c - b * s);
            y[vector * width + second] = round_to(code.tensors, a * s + b * c);
        }
    }
    return y;
}

Dump dump_of_ones(const CodeOfOnes& code, std::uint64_t seed) {
    test::Dice dice(seed);
    const auto tensors = std::make_shared<std::vector<Tensor>>();
    for (const std::string name : {"q", "k"}) {
        const Index heads = name == "k" ? code.key_heads : code.heads;
        const std::vector<double> x = ones_and_zeros(code, heads, dice);
        const std::vector<double> y =
            turned_by_table_of(code, x, heads, name == "k" ? code.moved_keys : 0.0);
        const std::vector<std::int64_t> shape = {code.rows, heads, code.tokens(),
                                                 code.spec.head_dim};
        tensors->push_back(make_tensor_as(code.tensors, name, shape, x));
        tensors->push_back(make_tensor_as(code.tensors, name + "_rot", shape, y));
    }
    tensors->push_back(
        make_tensor("positions", {code.rows, code.tokens()}, std::span(code.stated)));
    std::vector<TensorBytes> views;
    std::ranges::transform(*tensors, std::back_inserter(views), &Tensor::view);
    return make_dump(views, tensors, "test", {.axes = "bhld"});
}

const RopeSpec kHalfOfOnes{.head_dim = 64, .rotary_dim = 32, .layout = Layout::interleaved};

/// A side whose pairs are all (1, 0), (0, 1) or (0, 0) has the numbers of the table itself, and
/// looks as coarse as these: the other one shows that the table is coarse, and not the tensors.
TEST(OnesAndZeros, OfATableOf16BitsAreAsExpected) {
    const Expectation expected{.name = "config.json", .specs = {kHalfOfOnes}};
    for (const Dtype table : {Dtype::f16, Dtype::bf16}) {
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            CodeOfOnes code{
                .spec = kHalfOfOnes, .stated = {1573.0 - 97.0 * to_double(seed)}, .table = table};
            const Diagnosis right = diagnose(dump_of_ones(code, seed), &expected);
            EXPECT_EQ(right.verdict, Verdict::valid) << seed << ": " << right.summary();
            EXPECT_TRUE(passes(right)) << seed << ": " << right.summary();
            code.moved_keys = 1.0;
            EXPECT_FALSE(passes(diagnose(dump_of_ones(code, seed), &expected))) << seed;
        }
    }
}

/// Far tokens in 16 bits show a small offset and a factor on all speeds nearly alike.
TEST(OnesAndZeros, OfFarTokensShowNoOffsetOfOneSide) {
    RopeSpec spec{.head_dim = 64, .rotary_dim = 64};
    spec.scaling = LinearScaling{.factor = 4.0};
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        test::Dice dice(seed);
        CodeOfOnes code{
            .spec = spec, .rows = 2, .key_heads = 2, .table = Dtype::bf16, .tensors = Dtype::f16};
        for (Index row = 0; row < code.rows; ++row) {
            std::vector<double> own;
            for (Index l = 0; l < 64; ++l) {
                own.insert(own.begin() + dice.integer(0, std::ssize(own)), 1000.0 + to_double(l));
            }
            code.stated.insert(code.stated.end(), own.begin(), own.end());
        }
        const Diagnosis found = diagnose(dump_of_ones(code, seed));
        EXPECT_NE(found.verdict, Verdict::invalid) << seed << ": " << found.summary();
    }
}

RopeSpec yarn_of_ones() {
    RopeSpec spec{.head_dim = 64, .rotary_dim = 64, .base = 1e6};
    spec.scaling = YarnScaling{.factor = 4.0, .original_positions = 32768};
    return spec;
}

/// Two tokens of few ones, whose lengths are those of a table in 16 bits.
TEST(OnesAndZeros, OfTwoTokensShowNoFactorOfEach) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const Diagnosis found = diagnose(dump_of_ones({.spec = yarn_of_ones(),
                                                       .stated = {446.0, 555.0},
                                                       .table = Dtype::bf16,
                                                       .tensors = Dtype::f16},
                                                      seed));
        EXPECT_NE(found.verdict, Verdict::invalid) << seed << ": " << found.summary();
    }
}

/// The one pair that both tokens show turns too slowly to tell them apart.
TEST(OnesAndZeros, OfTwoTokensAreNotAlikeBecauseOnePairIs) {
    const Diagnosis found = diagnose(dump_of_ones({.spec = yarn_of_ones(),
                                                   .stated = {446.0, 555.0},
                                                   .tensors = Dtype::f16,
                                                   .few_in_common = true},
                                                  1));
    EXPECT_NE(found.verdict, Verdict::invalid) << found.summary();
}

}  // namespace
}  // namespace ropescope::diagnosis
