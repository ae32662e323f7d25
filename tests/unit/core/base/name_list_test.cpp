// Lists of names stay short however many there are.
#include <gtest/gtest.h>
#include <vector>

#include "core/base/names.h"

namespace ropescope {
namespace {

TEST(FirstNames, ShowsThreeAndCountsTheRest) {
    const std::vector<std::string> names{"a", "b", "c", "d", "e"};
    const std::span<const std::string> all(names);
    EXPECT_EQ(first_names({}), "");
    EXPECT_EQ(first_names(all.first(1)), "a");
    EXPECT_EQ(first_names(all.first(3)), "a, b, c");
    EXPECT_EQ(first_names(all), "a, b, c and 2 more");
    EXPECT_EQ(first_names(all, 4), "a, b, c, d and 1 more");
}

}  // namespace
}  // namespace ropescope
