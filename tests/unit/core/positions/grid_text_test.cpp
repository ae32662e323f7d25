// Grids as text.
#include <gtest/gtest.h>

#include "core/positions/grid_rule.h"

namespace ropescope {
namespace {

TEST(GridText, ReadsRowsAndColumnsAndFramesBeforeThem) {
    EXPECT_EQ(parse_grid("4x6"), (PatchGrid{1, 4, 6}));
    EXPECT_EQ(parse_grid("3x4x6"), (PatchGrid{3, 4, 6}));
    EXPECT_EQ(parse_grid(" 3 x 4 x 6 "), (PatchGrid{3, 4, 6}));
}

TEST(GridText, RefusesEverythingElse) {
    for (const char* text : {"", "4", "x", "4x", "x6", "0x5", "4x-6", "4x6.5", "4x6x7x8", "4,6",
                             "4X6", "99999999999999999999x2"}) {
        EXPECT_FALSE(parse_grid(text)) << text;
    }
}

}  // namespace
}  // namespace ropescope
