// Tensors of 8 bits behind a rotation: right ones are as expected, and each mistake has its name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/held/changed_tensor.h"
#include "core/diagnosis/rounding.h"
#include "core/faults/codes.h"
#include "core/formats/float8.h"
#include "tests/support/input_error.h"
#include "tests/unit/core/diagnosis/expected_implementation.h"
#include "tests/unit/core/diagnosis/quantised_dump.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr Dtype kEights[] = {Dtype::f8_e4m3, Dtype::f8_e5m2, Dtype::f8_e4m3fnuz, Dtype::f8_e5m2fnuz,
                             Dtype::i8};

Expectation expected_eight() {
    return {.name = "config.json",
            .specs = {{.head_dim = test::kEightChannels, .rotary_dim = test::kEightChannels}}};
}

Diagnosis diagnosed_eight(const test::EightBits& code, std::uint64_t seed = 1) {
    const Expectation expected = expected_eight();
    return diagnose(test::dump_of_eight_bits(code, seed), &expected);
}

std::vector<std::string> codes_of(const std::vector<Finding>& findings) {
    std::vector<std::string> codes;
    std::ranges::transform(findings, std::back_inserter(codes), &Finding::code);
    return codes;
}

TEST(Float8, HasTheNumbersOfItsFormat) {
    for (const Dtype dtype : kEights) {
        if (dtype == Dtype::i8) {
            continue;
        }
        const std::vector<double> numbers = test::numbers_of_format(dtype);
        for (std::size_t bits = 0; bits < numbers.size(); ++bits) {
            const auto byte = static_cast<std::uint8_t>(bits);
            EXPECT_EQ(value_of(float8_of(dtype), byte), numbers[bits]) << to_string(dtype);
            if (bits > 0) {
                EXPECT_EQ(value_of(float8_of(dtype), byte | 0x80U), -numbers[bits]);
            }
        }
    }
    EXPECT_EQ(test::numbers_of_format(Dtype::f8_e4m3).back(), 448.0);
    EXPECT_EQ(test::numbers_of_format(Dtype::f8_e4m3fnuz).back(), 240.0);
    EXPECT_EQ(test::numbers_of_format(Dtype::f8_e5m2).back(), 57344.0);
    EXPECT_EQ(test::numbers_of_format(Dtype::f8_e5m2fnuz).back(), 57344.0);
    EXPECT_TRUE(std::isnan(value_of(float8_of(Dtype::f8_e4m3), 0xff)));
    EXPECT_TRUE(std::isnan(value_of(float8_of(Dtype::f8_e4m3fnuz), 0x80)));
    EXPECT_TRUE(std::isinf(value_of(float8_of(Dtype::f8_e5m2), 0x7c)));
}

TEST(Quantised, OfEveryGridAndScaleIsAsExpected) {
    std::uint64_t seed = 1;
    for (const Dtype dtype : kEights) {
        for (const std::string scales : {"tensor", "head", "token", "row", "channel"}) {
            for (const bool floats : {false, true}) {
                const test::EightBits code{
                    .dtype = dtype, .scales = scales, .kept_as_floats = floats};
                const Diagnosis found = diagnosed_eight(code, seed += 2);
                EXPECT_TRUE(passes(found)) << to_string(dtype) << scales << found.summary();
                EXPECT_THAT(codes_of(found.findings), Contains("quantised"));
                EXPECT_THAT(found.not_shown, Not(IsEmpty()));
                EXPECT_NE(diagnose(test::dump_of_eight_bits(code, seed)).verdict, Verdict::invalid);
            }
        }
    }
}

TEST(Quantised, NamesEveryMistake) {
    struct Mistake {
        const char* code;
        test::EightBits made;
    };
    const std::vector<Mistake> mistakes = {
        {"quantised.rounding", {.cast = test::Cast::zero}},
        {"quantised.rounding", {.dtype = Dtype::i8, .cast = test::Cast::below, .scales = "row"}},
        {"quantised.rounding",
         {.cast = test::Cast::zero, .scales = "token", .kept_as_floats = true}},
        {"quantised.scale", {.wrong_scale = 1.01}},
        {"quantised.scale", {.dtype = Dtype::i8, .scales = "token", .wrong_scale = 0.5}},
        {"quantised.saturated", {.scales = "row", .scales_of_input = true}},
        {"quantised.saturated", {.dtype = Dtype::i8, .scales = "token", .scales_of_input = true}},
        {"sign.reversed", {.key_sign = -1.0, .tokens = 4, .first = 3}},
    };
    for (const Mistake& mistake : mistakes) {
        const Diagnosis found = diagnosed_eight(mistake.made);
        EXPECT_FALSE(passes(found)) << mistake.code;
        EXPECT_THAT(codes_of(found.mismatches), Contains(mistake.code)) << found.summary();
    }
    for (const Dtype dtype : kEights) {
        EXPECT_FALSE(
            passes(diagnosed_eight({.dtype = dtype, .base = 10500.0, .tokens = 8, .first = 40})));
        EXPECT_FALSE(passes(diagnosed_eight({.dtype = dtype,
                                             .scales = "row",
                                             .kept_as_floats = true,
                                             .base = 11000.0,
                                             .tokens = 8,
                                             .first = 40})));
    }
}

/// Keys of 8 bits beside queries that are not, in a dump that has both as floats: those of a cache,
/// or rounded by mistake.
TEST(Quantised, FloatsOfOneSideAloneAreUndetermined) {
    const Expectation expected = expected_eight();
    const Dump exact = dump_of(implementation_of(expected.specs.front(), 24));
    Dump dump = test::dump_of_eight_bits({.kept_as_floats = true}, 5);
    dump.q = exact.q;
    for (const Diagnosis& found : {diagnose(dump, &expected), diagnose(dump)}) {
        EXPECT_EQ(found.verdict, Verdict::undetermined);
        EXPECT_THAT(found.summary(),
                    HasSubstr("k_rot are those of FP8 (e4m3), and those of q_rot"));
    }
    dump.k->before = dump.k->after;  // numbers of 8 bits that went in are no fault
    dump.k_positions = DumpPositions{.length = 24, .values = std::vector<double>(24, 0.0)};
    EXPECT_TRUE(passes(diagnose(dump, &expected))) << diagnose(dump, &expected).summary();
}

/// A scale that the dump lacks is no fault of the code.
TEST(Quantised, AsksForTheScale) {
    for (const std::string scales : {"tensor", "head", "row"}) {
        const Diagnosis found =
            diagnosed_eight({.dtype = Dtype::i8, .scales = scales, .states_scales = false});
        EXPECT_EQ(found.verdict, Verdict::undetermined);
        EXPECT_THAT(found.summary(), HasSubstr("dump the scale as q_rot_scale"));
        EXPECT_THAT(found.mismatches, IsEmpty());
    }
    EXPECT_TRUE(passes(diagnosed_eight({.scales = "none"})));  // a scale of 1
}

void read_with_scale(const std::vector<std::int64_t>& shape, double value) {
    const std::vector<double> x(2 * 3 * 4, 1.0);
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        count *= size;
    }
    const std::vector<Tensor> tensors = {
        make_tensor_as(Dtype::f32, "q", {2, 3, 4}, x),
        {"q_rot", Dtype::i8, {2, 3, 4}, std::vector<std::byte>(24)},
        make_tensor_as(Dtype::f32, "q_rot_scale", shape,
                       std::vector<double>(static_cast<std::size_t>(count), value))};
    std::vector<TensorBytes> views;
    std::ranges::transform(tensors, std::back_inserter(views), &Tensor::view);
    make_dump(views, nullptr, "dump", {.axes = "hld"});
}

std::string refused_scale(const std::vector<std::int64_t>& shape, double value) {
    return test::input_error([&] { read_with_scale(shape, value); });
}

TEST(Quantised, RefusesScalesThatAreNone) {
    constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(refused_scale({1}, kNoNumber), HasSubstr("not negative"));
    EXPECT_THAT(refused_scale({2}, -1.0), HasSubstr("q_rot_scale"));
    EXPECT_THAT(refused_scale({5}, 1.0), HasSubstr("shape [5] for 'q_rot' [2, 3, 4]"));
    EXPECT_THAT(refused_scale({0}, 1.0), HasSubstr("empty"));
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{1}, {2}, {3}, {4}, {2, 3}, {2, 1, 1}, {1, 3, 1}, {2, 3, 2}}) {
        EXPECT_NO_THROW(read_with_scale(shape, 0.0)) << shape.size();
    }
}

/// float32 numbers that all belong to bfloat16, where those before them do not.
TEST(Quantised, RoundingOnTheWayIsSaidToHideSomething) {
    const Expectation expected = expected_eight();
    Dump dump = dump_of(implementation_of(expected.specs.front(), 24));
    for (const Expectation* asked : {&expected, static_cast<const Expectation*>(nullptr)}) {
        EXPECT_THAT(texts_of(diagnose(dump, asked).not_shown), Not(Contains(HasSubstr("hides"))));
    }
    const ChangedTensor rounded =
        changed(dump.k->after, Dtype::f32, [](Index, Index, Index, std::span<double> row) {
            for (double& number : row) {
                number = round_to(Dtype::bf16, number);
            }
        });
    dump.k->after = rounded.view;
    for (const Expectation* asked : {&expected, static_cast<const Expectation*>(nullptr)}) {
        const Diagnosis found = diagnose(dump, asked);
        EXPECT_TRUE(passes(found)) << found.summary();
        ASSERT_FALSE(found.not_shown.empty());
        EXPECT_THAT(text_of(found.not_shown.back()),
                    HasSubstr("k_rot hides: it is kept as float32"));
    }
}

}  // namespace
}  // namespace ropescope::diagnosis
