// Cosines and sines that are coarser than the tensors: which kinds are a note, and what is a fault.
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/held/residual.h"
#include "core/diagnosis/read_dump.h"
#include "core/rope/spectrum.h"
#include "tests/support/random.h"
#include "tests/unit/core/diagnosis/expected_implementation.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What stands in a table in place of the cosine or the sine of an angle.
using TableEntry = std::function<double(double exact, double angle)>;

/// q and k that are turned by such a table, with positions that are far apart.
Dump turned_by(const TableEntry& entry, const RopeSpec& spec) {
    constexpr Index kTokens = 48, kHeads = 3;
    const std::vector<double> omega = make_spectrum(spec).inv_freq_rad;
    std::vector<double> stated;
    for (Index t = 0; t < kTokens; ++t) {
        stated.push_back(t < 32 ? to_double(t) : to_double(t * t * 2));
    }
    const auto tensors = std::make_shared<std::vector<Tensor>>();
    for (const std::string name : {"q", "k"}) {
        const std::vector<float> x =
            test::Random(name == "q" ? 5 : 6).normal<float>(kHeads * kTokens * spec.head_dim);
        std::vector<float> y = x;
        for (Index row = 0; row < kHeads * kTokens; ++row) {
            for (Index p = 0; p < std::ssize(omega); ++p) {
                const ChannelPair pair = pair_channels(spec.layout, spec.rotary_dim, p);
                const double angle = omega[p] * stated[row % kTokens];
                const double c = entry(std::cos(angle), angle), s = entry(std::sin(angle), angle);
                const Index at = row * spec.head_dim;
                const double a = x[at + pair.first], b = x[at + pair.second];
                y[at + pair.first] = to_float(a * c - b * s);
                y[at + pair.second] = to_float(a * s + b * c);
            }
        }
        const std::vector<std::int64_t> shape = {1, kHeads, kTokens, spec.head_dim};
        tensors->push_back(make_tensor(name, shape, std::span<const float>(x)));
        tensors->push_back(make_tensor(name + "_rot", shape, std::span<const float>(y)));
    }
    tensors->push_back(make_tensor("positions", {kTokens}, stated));
    std::vector<TensorBytes> views;
    std::ranges::transform(*tensors, std::back_inserter(views), &Tensor::view);
    return make_dump(views, tensors, "test", {.axes = "bhld"});
}

const RopeSpec kCoarsePlain{.head_dim = 64, .rotary_dim = 64};
const RopeSpec kCoarseNeighbours{
    .head_dim = 32, .rotary_dim = 32, .base = 500000.0, .layout = Layout::interleaved};

Expectation expecting_spec(const RopeSpec& spec) {
    return {.name = "config.json", .specs = {spec}};
}

std::vector<std::string> found_codes(const Diagnosis& found) {
    std::vector<std::string> codes;
    std::ranges::transform(found.findings, std::back_inserter(codes), &Finding::code);
    return codes;
}

TEST(CoarseTable, OfFixedPointIsANote) {
    for (const double steps : {32768.0, 32767.0}) {
        for (const Towards towards : {Towards::nearest, Towards::zero, Towards::below}) {
            const TableEntry entry = [&](double exact, double) {
                const double n = exact * steps;
                const double whole = towards == Towards::nearest ? std::round(n)
                                     : towards == Towards::zero  ? std::trunc(n)
                                                                 : std::floor(n);
                return std::clamp(whole, -32768.0, 32767.0) / steps;
            };
            for (const RopeSpec& spec : {kCoarsePlain, kCoarseNeighbours}) {
                const Dump dump = turned_by(entry, spec);
                const Expectation expectation = expecting_spec(spec);
                const Diagnosis held = diagnose(dump, &expectation), alone = diagnose(dump);
                EXPECT_TRUE(passes(held)) << held.summary();
                EXPECT_THAT(held.mismatches, IsEmpty());
                EXPECT_EQ(held.verdict, Verdict::valid) << held.summary();
                EXPECT_THAT(found_codes(held), ::testing::Contains("table.q15"));
                EXPECT_EQ(alone.verdict, Verdict::valid) << alone.summary();
                EXPECT_THAT(found_codes(alone), ::testing::Contains("table.q15"));
                EXPECT_EQ(alone.base, spec.base);
            }
        }
    }
}

TEST(CoarseTable, OfFastFunctionsIsANoteWithItsSize) {
    const TableEntry entry = [&](double exact, double angle) {
        const double noise = std::fmod(std::abs(angle) * 7919.0, 2.0) - 1.0;
        return exact + 0x1p-21 * noise;
    };
    const Dump dump = turned_by(entry, kCoarsePlain);
    const Expectation expectation = expecting_spec(kCoarsePlain);
    for (const Diagnosis& found : {diagnose(dump, &expectation), diagnose(dump)}) {
        EXPECT_EQ(found.verdict, Verdict::valid) << found.summary();
        EXPECT_TRUE(passes(found));
        EXPECT_THAT(found_codes(found), ::testing::Contains("table.fast"));
    }
}

TEST(CoarseTable, OfAnErrorThatNothingExplainsIsAFaultWithItsSize) {
    for (const double error : {1e-5, 1e-4, 1e-3}) {
        const TableEntry entry = [&](double exact, double angle) {
            return exact + error * std::sin(7.3 * angle + 0.4);
        };
        const Dump dump = turned_by(entry, kCoarsePlain);
        const Expectation expectation = expecting_spec(kCoarsePlain);
        for (const Diagnosis& found : {diagnose(dump, &expectation), diagnose(dump)}) {
            EXPECT_EQ(found.verdict, Verdict::invalid) << error << found.summary();
            EXPECT_FALSE(passes(found));
            EXPECT_EQ(found.findings.front().code, "table.coarse") << found.summary();
            EXPECT_NEAR(std::get<double>(found.findings.front().measured), error, error);
            EXPECT_EQ(found.base, 10000.0);
        }
    }
}

/// Two rows of the positions 0 to 7 in any order, or of far ones.
std::vector<double> positions_of_rows(test::Dice& dice, bool far) {
    constexpr Index kRows = 2, kTokensOfRow = 8;
    std::vector<double> stated;
    for (Index b = 0; b < kRows; ++b) {
        std::vector<double> row;
        for (Index l = 0; l < kTokensOfRow; ++l) {
            const double position = to_double(far ? dice.integer(0, 1999) : l);
            row.insert(row.begin() + dice.integer(0, std::ssize(row)), position);
        }
        stated.insert(stated.end(), row.begin(), row.end());
    }
    return stated;
}

/// Numbers of float16 do not show that the table is one of bfloat16, whose errors move some pairs
/// and not others, beside those that YaRN's ramp moves.
TEST(CoarseTable, BehindNumbersOf16BitsIsNoFault) {
    RopeSpec spec{.head_dim = 64, .rotary_dim = 64, .base = 1e6};
    spec.scaling = YarnScaling{.factor = 4.0, .original_positions = 32768};
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
        test::Dice dice(seed);
        test::Implementation made = implementation_of(spec, 8);
        made.batch = 2;
        made.dtype = Dtype::f16;
        made.table = Dtype::bf16;
        made.stated = positions_of_rows(dice, seed % 2 == 0);
        const Diagnosis found = diagnose(dump_of(made, seed));
        EXPECT_NE(found.verdict, Verdict::invalid) << seed << ": " << found.summary();
    }
}

/// The same shape: q and k of as many heads.
Dump exchanged_dump() {
    test::Implementation made = implementation_of(kCoarsePlain, 40);
    made.key_heads = made.heads;
    Dump dump = dump_of(made);
    std::swap(dump.q->after, dump.k->after);
    return dump;
}

TEST(SecondLook, NamesQAndKThatAreExchanged) {
    const Dump dump = exchanged_dump();
    const Expectation expectation = expecting_spec(kCoarsePlain);
    for (const Diagnosis& found : {diagnose(dump, &expectation), diagnose(dump)}) {
        EXPECT_EQ(found.verdict, Verdict::invalid);
        EXPECT_FALSE(passes(found));
        EXPECT_THAT(found.summary(), HasSubstr("q_rot is k turned, and k_rot is q"));
        EXPECT_EQ(found.base, 10000.0);
    }
}

TEST(SecondLook, SaysThatTensorsMayBeOne) {
    Dump dump = exchanged_dump();
    std::swap(dump.q->after, dump.k->after);
    dump.q->before = dump.q->after;
    const Diagnosis found = diagnose(dump);
    EXPECT_EQ(found.verdict, Verdict::invalid);
    ASSERT_FALSE(found.next.empty());
    EXPECT_THAT(diagnose(dump).findings.front().text(), HasSubstr("q is not rotated, and k is"));
    EXPECT_EQ(found.next.back().phrase->words.substr(0, 30), "the numbers of {0} are the sam");
}

/// The factor of the scores in q, in k, or by its root in both.
TEST(SecondLook, KnowsTheFactorOfTheScoresInQ) {
    for (const double of_q : {0.125, 1.0, std::sqrt(0.125)}) {
        test::Implementation made = implementation_of(kCoarsePlain, 40);
        made.gain = of_q;
        made.key_gain = of_q == 0.125 ? 1.0 : 0.125 / of_q;
        const Dump dump = dump_of(made);
        const Expectation expectation = expecting_spec(kCoarsePlain);
        for (const Diagnosis& found : {diagnose(dump, &expectation), diagnose(dump)}) {
            EXPECT_EQ(found.verdict, Verdict::equivalent) << of_q << ": " << found.summary();
            EXPECT_TRUE(passes(found));
            EXPECT_THAT(found.summary(), HasSubstr("the factor 0.125 of the scores"));
        }
        made.gain *= 1.01;
        EXPECT_FALSE(passes(diagnose(dump_of(made), &expectation)));
        EXPECT_EQ(diagnose(dump_of(made)).verdict, Verdict::invalid);
    }
}

}  // namespace
}  // namespace ropescope::diagnosis
