// Dumps of 8 bits side by side, and beside floats: the steps of a grid are no difference, and what
// is beyond them is one.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/diff/difference_map.h"
#include "core/diff/dump_diff.h"
#include "tests/support/input_error.h"
#include "tests/unit/core/diagnosis/quantised_dump.h"

namespace ropescope::diff {
namespace {

using test::EightBits;
using ::testing::Contains;
using ::testing::HasSubstr;

using Tensors = std::shared_ptr<std::vector<Tensor>>;

diagnosis::DumpFile file_of(const Tensors& tensors, const std::string& name) {
    std::vector<TensorBytes> views;
    std::ranges::transform(*tensors, std::back_inserter(views), &Tensor::view);
    return diagnosis::DumpFile::of(views, tensors, name, {.axes = "bhld"});
}

constexpr std::uint64_t kSeed = 3;

DiffReport side_by_side(const EightBits& a, const EightBits& b) {
    return report_of(compare_dumps(file_of(test::tensors_of_eight_bits(a, kSeed), "reference"),
                                   file_of(test::tensors_of_eight_bits(b, kSeed), "mine")));
}

const EightBits kFloats{.plain = true};

class DumpsOfEightBits : public testing::TestWithParam<Dtype> {};

TEST_P(DumpsOfEightBits, AreEqualToFloatsAndToEachOther) {
    for (const std::string scales : {"tensor", "head", "token", "row", "channel"}) {
        const EightBits code{.dtype = GetParam(), .scales = scales};
        const DiffReport found = side_by_side(kFloats, code);
        EXPECT_EQ(found.verdict, Sameness::equal) << scales << found.summary;
        EXPECT_THAT(found.remarks,
                    Contains(HasSubstr("each number is compared within half a step")));
        EXPECT_EQ(side_by_side(code, kFloats).verdict, Sameness::equal) << scales;
        EXPECT_EQ(side_by_side(code, {.scales = "tensor"}).verdict, Sameness::equal) << scales;
        EXPECT_EQ(side_by_side({.dtype = Dtype::i8, .scales = "row"}, code).verdict,
                  Sameness::equal);
    }
}

TEST_P(DumpsOfEightBits, DifferByWhatIsBeyondTheirSteps) {
    EightBits code{.dtype = GetParam(), .scales = "row"};
    const auto differs = [](const EightBits& a, const EightBits& b) {
        return side_by_side(a, b).verdict == Sameness::different &&
               side_by_side(b, a).verdict == Sameness::different;
    };
    for (const EightBits& right : {kFloats, code, EightBits{.scales = "tensor"}}) {
        EightBits wrong = code;
        wrong.base = 15000.0;
        EXPECT_TRUE(differs(right, wrong));
        wrong = code;
        wrong.key_sign = -1.0;
        EXPECT_TRUE(differs(right, wrong));
        wrong = code;
        wrong.wrong_scale = 1.25;
        EXPECT_TRUE(differs(right, wrong));
    }
    EightBits cut = code;
    cut.cast = test::Cast::zero;
    EXPECT_TRUE(differs(kFloats, cut));
}

INSTANTIATE_TEST_SUITE_P(Grids, DumpsOfEightBits,
                         testing::Values(Dtype::f8_e4m3, Dtype::f8_e5m2, Dtype::f8_e4m3fnuz,
                                         Dtype::i8),
                         [](const auto& grid) { return std::string(to_string(grid.param)); });

TEST(OneNumberOfEightBits, IsFoundAtItsPlace) {
    const EightBits code{.scales = "token"};
    const Tensors floats = test::tensors_of_eight_bits(kFloats, kSeed);
    Tensors wrong = test::tensors_of_eight_bits(code, kSeed);
    Tensor& k_rot = *std::ranges::find(*wrong, "k_rot", &Tensor::name);
    constexpr Index kHead = 2, kToken = 7, kChannel = 40;
    std::byte& bits = k_rot.bytes[(kHead * code.tokens + kToken) * test::kEightChannels + kChannel];
    bits = static_cast<std::byte>(std::to_integer<int>(bits) + 2);  // two steps further
    const DumpDifference found =
        compare_dumps(file_of(floats, "reference"), file_of(wrong, "mine"));
    ASSERT_EQ(found.layers.front().different.size(), 1U);
    const TensorDifference& k = found.layers.front().different.front();
    EXPECT_EQ(k.name, "k_rot");
    EXPECT_EQ(k.different, 1);
    const Spot spot{.row = 0, .token = kToken, .head = kHead, .channel = kChannel};
    EXPECT_EQ(k.first->spot, spot);
    EXPECT_EQ(found.layers.front().pair, kChannel - test::kEightChannels / 2);
    EXPECT_EQ(map_differences(file_of(floats, "a"), file_of(wrong, "b"), found).maps.size(), 2U);
}

TEST(QueriesOfEightBits, CarryTheirStepsThroughTheRotation) {
    for (const Dtype dtype : {Dtype::f8_e4m3, Dtype::i8}) {
        // The second code turns what was left of q and k in 8 bits.
        const Tensors floats = test::tensors_of_eight_bits(kFloats, kSeed);
        const auto coarse = std::make_shared<std::vector<Tensor>>();
        const std::vector<double> numbers = test::numbers_of_format(dtype);
        for (const std::string name : {"q", "k"}) {
            const Tensor& x = *std::ranges::find(*floats, name, &Tensor::name);
            std::vector<double> values = to_f64(x.view());
            std::vector<std::byte> bytes(values.size());
            const double scale = 5.0 / numbers.back();
            for (std::size_t i = 0; i < values.size(); ++i) {
                const double number = test::cast_to(numbers, values[i] / scale);
                bytes[i] = test::bits_of(dtype, numbers, number);
                values[i] = number * scale;
            }
            coarse->push_back({name, dtype, x.shape, bytes});
            coarse->push_back(
                make_tensor(name + "_scale", {1}, std::span<const double>(&scale, 1)));
            coarse->push_back(make_tensor_as(Dtype::f32, name + "_rot", x.shape,
                                             test::turned_rows(values, kFloats, 1.0)));
        }
        const DiffReport found =
            report_of(compare_dumps(file_of(floats, "reference"), file_of(coarse, "mine")));
        EXPECT_EQ(found.verdict, Sameness::equal) << found.summary;
    }
}

TEST(ScalesOfEightBits, OfAnotherShapeAreRefusedByTheirFile) {
    const Tensors floats = test::tensors_of_eight_bits(kFloats, kSeed);
    Tensors wrong = test::tensors_of_eight_bits({.scales = "token"}, kSeed);
    std::ranges::find(*wrong, "q_rot_scale", &Tensor::name)->shape = {2, 12};
    EXPECT_THAT(test::input_error(
                    [&] { compare_dumps(file_of(floats, "reference"), file_of(wrong, "mine")); }),
                testing::StartsWith("mine: tensor 'q_rot_scale'"));
}

}  // namespace
}  // namespace ropescope::diff
