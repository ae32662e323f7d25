#include <gtest/gtest.h>

#include "core/base/characters.h"

namespace ropescope {
namespace {

TEST(Printable, KeepsUtf8AndEscapesTheRest) {
    EXPECT_EQ(printable("θ in 日本"), "θ in 日本");
    EXPECT_EQ(printable("a\nb\x7f"), "a\\x0ab\\x7f");
    EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
    EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "an overlong form";
    EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
    EXPECT_EQ(printable("\x1b[2J"), "\\x1b[2J");
    EXPECT_EQ(printable("\u009b2J"), "\\xc2\\x9b2J") << "the same sequence in Latin-1";
    EXPECT_EQ(printable("a\u202eb\u2028c"), "a\\xe2\\x80\\xaeb\\xe2\\x80\\xa8c");
    EXPECT_EQ(printable("\u00a0\u200b"), "\u00a0\u200b") << "spaces";
}

TEST(Printable, CutsAtACharactersBoundary) {
    EXPECT_EQ(printable("abcdef", 6), "abcdef");
    EXPECT_EQ(printable("abcdef", 5), "abcde...");
    EXPECT_EQ(printable("aθθ", 4), "aθ...");
    EXPECT_LE(in_quotes(std::string(1000, 'x')).size(), 90U);
}

}  // namespace
}  // namespace ropescope
