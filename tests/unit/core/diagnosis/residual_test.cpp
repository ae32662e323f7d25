// A dump is as expected if every vector of it is, and not otherwise: each single place is looked
// at.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/expectation.h"
#include "core/diagnosis/words.h"
#include "core/rope/spectrum.h"
#include "core/schemes/rotary_scheme.h"
#include "tests/unit/core/diagnosis/expected_implementation.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Dtype kDtypes[] = {Dtype::f32, Dtype::f16, Dtype::bf16};

Expectation expecting(const RopeSpec& spec) {
    return {.name = "config.json", .specs = {spec}};
}

/// Of 48 tokens, the last of them far away.
test::Implementation far_implementation(const RopeSpec& spec, Dtype dtype) {
    test::Implementation made = implementation_of(spec, 48);
    made.dtype = dtype;
    for (Index l = 32; l < 48; ++l) {
        made.stated[l] = std::round(131071.0 * std::pow(to_double(l - 31) / 16.0, 3.0));
    }
    return made;
}

std::vector<RopeSpec> specs() {
    return {
        {.head_dim = 64, .rotary_dim = 64, .base = 10000.0, .layout = Layout::interleaved},
        {.head_dim = 64, .rotary_dim = 32, .base = 1000042.0},
        {.head_dim = 128, .rotary_dim = 128, .base = 283461213.0},
        {.head_dim = 96, .rotary_dim = 96, .base = 500000.0, .scaling = LinearScaling{8.0}},
        {.head_dim = 64, .rotary_dim = 64, .base = 82100.0, .scaling = NtkScaling{2.6}},
        {.head_dim = 128, .rotary_dim = 128, .base = 500000.0, .scaling = Llama3Scaling{}},
        {.head_dim = 128,
         .rotary_dim = 128,
         .base = 150000.0,
         .scaling = YarnScaling{.factor = 32.0, .original_positions = 4096, .truncate = false}}};
}

TEST(Residual, IsNoneOfARightDump) {
    for (const RopeSpec& spec : specs()) {
        for (const Dtype dtype : kDtypes) {
            for (const std::uint64_t seed : {1, 2}) {
                const Diagnosis found =
                    diagnosed(far_implementation(spec, dtype), expecting(spec), seed);
                EXPECT_EQ(found.verdict, Verdict::valid)
                    << describe(spec) << " " << to_string(dtype) << ": " << found.summary();
                EXPECT_TRUE(passes(found));
                EXPECT_THAT(found.unexplained, IsEmpty());
            }
        }
    }
}

/// What a mistake does to one pair, token, row or head; its map says where.
struct SinglePlace {
    const char* name;
    std::function<void(test::Implementation&)> change;
    std::function<void(const Residual&)> check;
};

std::vector<SinglePlace> single_places(Index pair, Index token) {
    const auto with_angle = [=](double times, bool of_pair) {
        return [=](test::Implementation& made) {
            const test::Implementation right = made;
            made.angle_of = [=](const test::At& at, Index p) {
                const double angle = right.omega[p] * right.stated_at(at.b, at.l);
                return (of_pair ? p == pair : at.l == token) ? times * angle : angle;
            };
        };
    };
    const auto at_pair = [=](const Residual& left) { EXPECT_THAT(left.pairs, ElementsAre(pair)); };
    const auto at_token = [=](const Residual& left) {
        EXPECT_THAT(left.tokens, ElementsAre(token));
    };
    return {{"a pair turns backwards", with_angle(-1.0, true), at_pair},
            {"a pair stays", with_angle(0.0, true), at_pair},
            {"a pair turns twice", with_angle(2.0, true), at_pair},
            {"a pair turns 1.1 times", with_angle(1.1, true), at_pair},
            {"a token stays", with_angle(0.0, false), at_token},
            {"a token stands one further",
             [=](test::Implementation& made) {
                 made.turned_by = [=](const test::At& at, double stated) {
                     return stated + (at.l == token ? 1.0 : 0.0);
                 };
             },
             at_token},
            {"a head stands one further",
             [](test::Implementation& made) {
                 made.turned_by = [](const test::At& at, double stated) {
                     return stated + (at.h == 1 ? 1.0 : 0.0);
                 };
             },
             [](const Residual& left) { EXPECT_THAT(left.heads, ElementsAre(1)); }}};
}

TEST(Residual, IsSeenAtEverySinglePlace) {
    const RopeSpec spec{.head_dim = 32, .rotary_dim = 32, .base = 10000.0};
    for (const Dtype dtype : kDtypes) {
        for (const Index pair : {0, 7, 15}) {
            for (const SinglePlace& place : single_places(pair, 3 * pair + 1)) {
                test::Implementation made = far_implementation(spec, dtype);
                place.change(made);
                const Diagnosis found = diagnosed(made, expecting(spec));
                EXPECT_FALSE(passes(found)) << place.name << " " << pair << " " << to_string(dtype)
                                            << ": " << found.summary();
                ASSERT_FALSE(found.unexplained.empty()) << place.name;
                for (const Residual& left : found.unexplained) {
                    place.check(left);
                }
            }
        }
    }
}

/// Another parameter of the same method, whatever published model has it.
TEST(Residual, NamesTheParameterThatDiffers) {
    const RopeSpec expected{.base = 500000.0, .scaling = Llama3Scaling{32.0, 1.0, 4.0, 8192}};
    RopeSpec made = expected;
    made.scaling = Llama3Scaling{};
    for (const Dtype dtype : kDtypes) {
        const Diagnosis found = diagnosed(far_implementation(made, dtype), expecting(expected));
        EXPECT_FALSE(passes(found)) << found.summary();
        EXPECT_THAT(mismatch_texts(found), Contains("factor 8, expected 32")) << to_string(dtype);
    }
    const RopeSpec dynamic{
        .head_dim = 64, .rotary_dim = 64, .scaling = DynamicNtkScaling{2.0, 4096}};
    RopeSpec other = dynamic;
    other.scaling = NoScaling();
    other.base = 20000.0;
    EXPECT_THAT(
        mismatch_texts(diagnosed(far_implementation(other, Dtype::f32), expecting(dynamic))),
        Contains(HasSubstr("at 131072 positions")));
}

/// One position is enough, and one further is another one: the keys are those of earlier calls.
TEST(Residual, HoldsADecodeStep) {
    for (const RopeSpec& spec : specs()) {
        for (const double offset : {0.0, 1.0}) {
            test::Implementation made = implementation_of(spec, 1);
            made.stated = {1064.0};
            made.turned_by = [=](const test::At&, double stated) { return stated + offset; };
            const Diagnosis found = diagnosed(made, expecting(spec));
            EXPECT_EQ(passes(found), offset == 0.0) << describe(spec) << ": " << found.summary();
        }
    }
}

/// DeepSeek's code moves interleaved channels to halves before it turns them, and leaves them
/// there.
TEST(Residual, HoldsADecodeStepThatComesOutInHalves) {
    const RopeSpec spec{.head_dim = 64, .rotary_dim = 64, .layout = Layout::interleaved};
    for (const Dtype dtype : kDtypes) {
        for (const bool of_both : {true, false}) {
            for (const double offset : {0.0, 1.0}) {
                test::Implementation made = implementation_of(spec, 1);
                made.dtype = dtype;
                made.stated = {1064.0};
                made.turned_by = [=](const test::At&, double stated) { return stated + offset; };
                made.rotated = channel_pairs(Layout::half_split, 64);
                made.key_rotated = of_both ? made.rotated : made.key_pairs;
                const Diagnosis found = diagnosed(made, expecting(spec));
                const bool right = of_both && offset == 0.0;
                EXPECT_EQ(passes(found), right) << to_string(dtype) << ": " << found.summary();
                EXPECT_TRUE(!right || found.verdict == Verdict::equivalent) << found.summary();
            }
        }
    }
}

TEST(Residual, TakesASliceAsWideAsWhatTurns) {
    const RopeSpec whole{.head_dim = 80, .rotary_dim = 32};
    const RopeSpec slice{.head_dim = 32, .rotary_dim = 32};
    EXPECT_TRUE(passes(diagnosed(far_implementation(slice, Dtype::f32), expecting(whole))));
    const RopeSpec wider{.head_dim = 40, .rotary_dim = 40};
    EXPECT_FALSE(passes(diagnosed(far_implementation(wider, Dtype::f32), expecting(whole))));
}

/// In several axes, with positions that are the same in all of them.
TEST(Residual, HoldsTextOfAModelOfSeveralAxes) {
    const Expectation expectation = read_expectation("qwen2-vl-7b");
    test::Implementation made = implementation_of(expectation.specs.front(), 24);
    Dump dump = dump_of(made);
    for (auto* positions : {&dump.q_positions, &dump.k_positions}) {
        DumpPositions three{.axes = 3, .batch = (*positions)->batch, .length = 24};
        for (int axis = 0; axis < 3; ++axis) {
            three.values.insert(three.values.end(), (*positions)->values.begin(),
                                (*positions)->values.end());
        }
        *positions = three;
    }
    const Diagnosis found = diagnose(dump, &expectation);
    EXPECT_TRUE(passes(found)) << found.summary();
    EXPECT_THAT(texts_of(found.not_shown), Contains(HasSubstr("by which axis each pair turns")));
}

/// The first channel of each pair comes out with the other sign, in q and in k: scores are the
/// same.
TEST(Residual, LetsScoresThatAreTheSamePass) {
    const RopeSpec spec{.head_dim = 32, .rotary_dim = 32};
    for (const bool of_both : {true, false}) {
        Dump dump = dump_of(implementation_of(spec, 16));
        std::vector<std::vector<float>> changed;
        for (DumpSide* side : {&*dump.q, &*dump.k}) {
            DumpTensor& after = side->after;
            std::vector<float>& values = changed.emplace_back();
            std::vector<double> row(32);
            for (Index h = 0; h < after.heads; ++h) {
                for (Index l = 0; l < 16; ++l) {
                    after.read(0, h, l, row);
                    for (Index c = 0; c < 32; ++c) {
                        const bool negated = c < 16 && (of_both || side == &*dump.q);
                        values.push_back(static_cast<float>(negated ? -row[c] : row[c]));
                    }
                }
            }
        }
        DumpSide* const sides[] = {&*dump.q, &*dump.k};
        for (int i = 0; i < 2; ++i) {
            DumpTensor& after = sides[i]->after;
            after.data = reinterpret_cast<const std::byte*>(changed[i].data());
            after.dtype = Dtype::f32;
            after.head_stride = 16 * 32;
            after.position_stride = 32;
        }
        const Expectation expectation = expecting(spec);
        const Diagnosis found = diagnose(dump, &expectation);
        EXPECT_EQ(passes(found), of_both) << found.summary();
        if (of_both) {
            EXPECT_EQ(found.verdict, Verdict::equivalent);
        }
    }
}

}  // namespace
}  // namespace ropescope::diagnosis
