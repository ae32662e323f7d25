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

constexpr Index kHeadsOfOnes = 4;

struct CodeOfOnes {
    RopeSpec spec = {};
    std::vector<double> stated = {};
    Dtype table = Dtype::f32, tensors = Dtype::f32;
    double turned_as_if = 0.0;  ///< added to the positions of k
};

/// [heads, tokens, channels] of one side, of which every eighth number or so is 1.
std::vector<double> ones_and_zeros(const CodeOfOnes& code, test::Dice& dice) {
    std::vector<double> x(kHeadsOfOnes * std::ssize(code.stated) * code.spec.head_dim);
    std::ranges::generate(x, [&] { return std::abs(dice.normal()) > 1.5 ? 1.0 : 0.0; });
    return x;
}

std::vector<double> turned_by_table_of(const CodeOfOnes& code, const std::vector<double>& x,
                                       double moved) {
    const Spectrum spectrum = make_spectrum(code.spec);
    const Index tokens = std::ssize(code.stated), width = code.spec.head_dim;
    std::vector<double> y = x;
    for (Index row = 0; row < kHeadsOfOnes * tokens; ++row) {
        for (Index p = 0; p < std::ssize(spectrum.inv_freq_rad); ++p) {
            const auto [first, second] = pair_channels(code.spec.layout, code.spec.rotary_dim, p);
            const double angle = (code.stated[row % tokens] + moved) * spectrum.inv_freq_rad[p];
            const double gain = spectrum.attention_factor;
            const double c = round_to(code.table, gain * std::cos(angle)),
                         s = round_to(code.table, gain * std::sin(angle));
            const double a = x[row * width + first], b = x[row * width + second];
            y[row * width + first] = round_to(code.tensors, a * c - b * s);
            y[row * width + second] = round_to(code.tensors, a * s + b * c);
        }
    }
    return y;
}

Dump dump_of_ones(const CodeOfOnes& code, std::uint64_t seed) {
    test::Dice dice(seed);
    const auto tensors = std::make_shared<std::vector<Tensor>>();
    const Index tokens = std::ssize(code.stated);
    for (const std::string name : {"q", "k"}) {
        const std::vector<double> x = ones_and_zeros(code, dice);
        const std::vector<std::int64_t> shape = {1, kHeadsOfOnes, tokens, code.spec.head_dim};
        const double moved = name == "k" ? code.turned_as_if : 0.0;
        tensors->push_back(make_tensor_as(code.tensors, name, shape, x));
        tensors->push_back(
            make_tensor_as(code.tensors, name + "_rot", shape, turned_by_table_of(code, x, moved)));
    }
    tensors->push_back(make_tensor("positions", {tokens}, std::span(code.stated)));
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
            code.turned_as_if = 1.0;
            EXPECT_FALSE(passes(diagnose(dump_of_ones(code, seed), &expected))) << seed;
        }
    }
}

}  // namespace
}  // namespace ropescope::diagnosis
