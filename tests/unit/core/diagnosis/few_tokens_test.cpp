// Right code on few tokens and few heads, which must not look wrong by chance.
#include <gtest/gtest.h>

#include "tests/unit/core/diagnosis/expected_implementation.h"

namespace ropescope::diagnosis {
namespace {

/// One key head of few channels has few lengths to compare: a narrower layout must not win by the
/// last bits of rounding.
TEST(FewTokens, OfRightCodeAreNeverInvalid) {
    for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
        for (const Index head_dim : {8, 16, 64}) {
            for (const Index length : {2, 4, 8}) {
                test::Implementation made = implementation_of(
                    {.head_dim = head_dim, .rotary_dim = head_dim, .layout = layout}, length);
                made.heads = 2;
                made.key_heads = 1;
                for (std::uint64_t seed = 1; seed <= 24; ++seed) {
                    const Diagnosis found = diagnose(dump_of(made, seed));
                    EXPECT_NE(found.verdict, Verdict::invalid)
                        << to_string(layout) << " " << head_dim << " " << length << " seed " << seed
                        << ": " << found.summary();
                }
            }
        }
    }
}

}  // namespace
}  // namespace ropescope::diagnosis
