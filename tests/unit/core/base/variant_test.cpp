// Copies that fail.
#include "core/base/variant.h"

#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <new>
#include <string>
#include <vector>

namespace ropescope {
namespace {

/// An element for which there is no memory when it is copied.
struct Large {
    Large() = default;
    Large(const Large&) { throw std::bad_alloc(); }
    Large(Large&&) noexcept = default;
    Large& operator=(const Large&) = default;
    Large& operator=(Large&&) noexcept = default;
    ~Large() = default;
};

using Value = Variant<std::string, std::vector<Large>>;

TEST(Variant, ACopyThatFailsThrowsAndDestroysNothing) {
    const Value full(std::vector<Large>(3));
    // Whatever is destroyed here that was never made is not a value.
    alignas(Value) std::array<std::byte, sizeof(Value)> place;
    place.fill(std::byte{0x5a});
    EXPECT_THROW(new (place.data()) Value(full), std::bad_alloc);
    Value other(std::string(100, 'a'));
    EXPECT_THROW(other = full, std::bad_alloc);
    EXPECT_EQ(std::get<std::string>(other), std::string(100, 'a')) << "it is as it was";
    EXPECT_EQ(std::get<std::vector<Large>>(full).size(), 3U);
}

TEST(Variant, HoldsAndCopiesEachOfItsTypes) {
    const Value word(std::string("twelve"));
    Value copy(word);
    EXPECT_EQ(std::get<std::string>(copy), "twelve");
    copy = Value(std::vector<Large>());
    EXPECT_TRUE(std::get<std::vector<Large>>(copy).empty());
    EXPECT_EQ(std::visit([](const auto&) { return 1; }, copy), 1);
}

}  // namespace
}  // namespace ropescope
