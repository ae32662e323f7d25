#include "core/formats/tensor.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using test::input_error;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Tensor, EveryRealDtypeKeepsWhatItCanHold) {
    const std::vector<double> values = {0, -1.5, 65504, 0.25};
    for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::f16}) {
        const Tensor tensor = make_tensor_as(dtype, "x", {2, 2}, values);
        EXPECT_EQ(tensor.bytes.size(), 4 * dtype_size(dtype));
        EXPECT_EQ(to_f64(tensor.view()), values) << to_string(dtype);
    }
    const Tensor rounded = make_tensor_as(Dtype::bf16, "x", {4}, values);
    EXPECT_THAT(to_f32(rounded.view()), ElementsAre(0.0F, -1.5F, 65536.0F, 0.25F));
}

TEST(Tensor, IntegersAndBooleans) {
    const std::vector<std::int64_t> positions = {-1, 0, std::int64_t{1} << 53};
    const Tensor tensor = make_tensor("positions", {3}, positions);
    EXPECT_EQ(to_i64(tensor.view()), positions);
    EXPECT_THAT(to_f64(tensor.view()), ElementsAre(-1.0, 0.0, 0x1p53));
    const Tensor flags{"flags", Dtype::boolean, {3}, {std::byte{0}, std::byte{1}, std::byte{7}}};
    EXPECT_THAT(to_i64(flags.view()), ElementsAre(0, 1, 1));
    const Tensor bytes{"bytes", Dtype::u8, {2}, {std::byte{0}, std::byte{255}}};
    EXPECT_THAT(to_f32(bytes.view()), ElementsAre(0.0F, 255.0F));
}

/// All bits set: -1 if the dtype has a sign, else its largest number.
TEST(Tensor, IntegersOfEveryWidthHaveTheirSign) {
    const auto all_ones = [](Dtype dtype) {
        return Tensor{"x", dtype, {1}, std::vector<std::byte>(dtype_size(dtype), std::byte{255})};
    };
    for (const Dtype dtype : {Dtype::i8, Dtype::i16, Dtype::i32, Dtype::i64}) {
        EXPECT_THAT(to_i64(all_ones(dtype).view()), ElementsAre(-1)) << to_string(dtype);
        EXPECT_THAT(to_f64(all_ones(dtype).view()), ElementsAre(-1.0)) << to_string(dtype);
    }
    for (const auto& [dtype, largest] :
         {std::pair{Dtype::u8, 0xFFLL}, std::pair{Dtype::u16, 0xFFFFLL},
          std::pair{Dtype::u32, 0xFFFFFFFFLL}}) {
        EXPECT_THAT(to_i64(all_ones(dtype).view()), ElementsAre(largest)) << to_string(dtype);
    }
    EXPECT_THAT(to_f64(all_ones(Dtype::u64).view()), ElementsAre(0x1p64));
    EXPECT_THROW(to_i64(all_ones(Dtype::u64).view()), InputError);
}

TEST(Tensor, BytesNeedNotBeAligned) {
    const Tensor tensor = make_tensor_as(Dtype::f64, "x", {2}, std::vector<double>{1.25, -8});
    std::vector<std::byte> shifted(tensor.bytes.size() + 1);
    std::copy(tensor.bytes.begin(), tensor.bytes.end(), shifted.begin() + 1);
    const TensorBytes view{"x", Dtype::f64, {2}, std::span(shifted).subspan(1)};
    EXPECT_THAT(to_f64(view), ElementsAre(1.25, -8.0));
}

TEST(Tensor, RefusalsNameTheTensor) {
    const std::vector<double> values = {1, 2, 3};
    EXPECT_THAT(input_error([&] {
                    make_tensor("q", {2, 2}, values);
                }),
                testing::AllOf(HasSubstr("'q'"), HasSubstr("[2, 2]"), HasSubstr("3")));
    EXPECT_THAT(input_error([&] { make_tensor_as(Dtype::i64, "q", {3}, values); }),
                testing::AllOf(HasSubstr("'q'"), HasSubstr("I64")));
    EXPECT_THAT(input_error([&] { to_i64(make_tensor("q", {3}, values).view()); }),
                testing::AllOf(HasSubstr("'q'"), HasSubstr("F64")));
}

TEST(Tensor, ByteCountRefusesWhatDoesNotFit) {
    using Shape = std::vector<std::int64_t>;
    EXPECT_EQ(byte_count(Dtype::f32, Shape{2, 3}), 24);
    EXPECT_EQ(byte_count(Dtype::f64, Shape{}), 8);
    EXPECT_EQ(byte_count(Dtype::f64, Shape{5, 0}), 0);
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(byte_count(Dtype::u8, Shape{kMax}), kMax);
    EXPECT_EQ(byte_count(Dtype::f16, Shape{kMax}), std::nullopt);
    EXPECT_EQ(byte_count(Dtype::u8, Shape{std::int64_t{1} << 32, std::int64_t{1} << 31}),
              std::nullopt);
    EXPECT_EQ(byte_count(Dtype::u8, Shape{0, kMax, kMax}), std::nullopt);
}

TEST(Tensor, ShapeText) {
    EXPECT_EQ(shape_text(std::vector<std::int64_t>{2, 3, 128}), "[2, 3, 128]");
    EXPECT_EQ(shape_text({}), "[]");
}

}  // namespace
}  // namespace ropescope
