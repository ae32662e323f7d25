// Tests of values as bytes.
#include "core/base/packed.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace ropescope {
namespace {

enum class Colour { red, blue };

struct Inner {
    std::string name;
    std::optional<double> size;
    bool operator==(const Inner&) const = default;
};

struct Outer {
    std::vector<Inner> parts;
    std::array<float, 2> place{};
    Colour colour = Colour::red;
    std::shared_ptr<const Inner> shared;
    std::vector<std::int64_t> counts;
};

}  // namespace

template <>
inline constexpr std::size_t kMembers<Inner> = 2;
template <>
inline constexpr std::size_t kMembers<Outer> = 5;

namespace {

Outer example() {
    return {.parts = {{"a", 1.5}, {std::string("b\0c", 3), std::nullopt}},
            .place = {0.25F, -0.0F},
            .colour = Colour::blue,
            .shared = std::make_shared<const Inner>(Inner{"shared", -2.0}),
            .counts = {1, std::numeric_limits<std::int64_t>::min()}};
}

TEST(Packed, ComesBackAsItWas) {
    const Outer value = example();
    const std::string bytes = Packer().add(value).add(std::int16_t{7}).bytes();
    Unpacker unpacker(bytes);
    const auto back = unpacker.get<Outer>();
    EXPECT_EQ(back.parts, value.parts);
    EXPECT_EQ(back.place, value.place);
    EXPECT_EQ(back.colour, value.colour);
    ASSERT_NE(back.shared, nullptr);
    EXPECT_EQ(*back.shared, *value.shared);
    EXPECT_EQ(back.counts, value.counts);
    EXPECT_EQ(unpacker.get<std::int16_t>(), 7);
    EXPECT_NO_THROW(unpacker.end());
    EXPECT_THROW(Unpacker(bytes).end(), InputError);
}

TEST(Packed, NothingIsNothing) {
    const std::string bytes = Packer().add(Outer()).bytes();
    const auto back = Unpacker(bytes).get<Outer>();
    EXPECT_TRUE(back.parts.empty());
    EXPECT_EQ(back.shared, nullptr);
}

TEST(Packed, WhatIsTakenReplacesWhatWasThere) {
    const std::string bytes = Packer().add(std::vector<Inner>{{"new", {}}}).bytes();
    std::vector<Inner> values = example().parts;
    Unpacker(bytes).take(values);
    EXPECT_EQ(values, (std::vector<Inner>{{"new", {}}}));
}

TEST(Packed, BytesThatEndTooEarlyAreRefusedWhereverTheyEnd) {
    const std::string bytes = Packer().add(example()).bytes();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THROW(Unpacker(std::string_view(bytes).substr(0, size)).get<Outer>(), InputError)
            << size;
    }
}

TEST(Packed, AByteThatIsNoBoolIsRefused) {
    EXPECT_FALSE(Unpacker(std::string_view("\0", 1)).get<bool>());
    EXPECT_TRUE(Unpacker("\1").get<bool>());
    EXPECT_THROW(Unpacker("\2").get<bool>(), InputError);
    EXPECT_THROW(Unpacker("\xff").get<bool>(), InputError);
}

TEST(Packed, ACountThatNoBytesFollowAllocatesNothing) {
    for (const std::size_t count :
         {std::size_t{1} << 40, std::numeric_limits<std::size_t>::max()}) {
        const std::string bytes = Packer().add(count).bytes();
        EXPECT_THROW(Unpacker(bytes).get<std::vector<double>>(), InputError);
        EXPECT_THROW(Unpacker(bytes).get<std::vector<Inner>>(), InputError);
        EXPECT_THROW(Unpacker(bytes).get<std::string>(), InputError);
    }
}

}  // namespace
}  // namespace ropescope
