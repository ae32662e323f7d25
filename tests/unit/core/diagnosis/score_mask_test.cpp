// Which masked scores masks explain: the real ones of models, and holes that are none.
#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

#include "core/diagnosis/scores/score_check.h"

namespace ropescope::diagnosis {
namespace {

/// Whether query l sees key n.
using Sees = std::function<bool(Index l, Index n)>;

MaskedScores masked(Index queries, Index keys, const Sees& sees) {
    MaskedScores scores{
        .queries = queries, .keys = keys, .empty_query = std::vector<char>(queries)};
    for (Index l = 0; l < queries; ++l) {
        for (Index n = 0; n < keys; ++n) {
            scores.masked.push_back(sees(l, n) ? 0 : 1);
        }
    }
    return scores;
}

/// How many are masked for no reason.
Index unexplained(const MaskedScores& scores) {
    return std::ranges::count(without_a_mask(scores), 1);
}

Index unexplained(const Sees& sees, Index queries = 12, Index keys = 12) {
    return unexplained(masked(queries, keys, sees));
}

bool causal(Index l, Index n) {
    return n <= l;
}

TEST(ScoreMask, RealMasksExplainWhatTheyHide) {
    EXPECT_EQ(unexplained([](Index, Index) { return true; }), 0);
    EXPECT_EQ(unexplained(causal), 0);
    EXPECT_EQ(unexplained([](Index l, Index n) { return n <= l && n > l - 4; }), 0) << "window";
    EXPECT_EQ(unexplained([](Index l, Index n) { return std::abs(l - n) < 3; }), 0)
        << "a window to both sides";
    EXPECT_EQ(unexplained([](Index l, Index n) { return l / 5 == n / 5; }), 0) << "documents";
    EXPECT_EQ(unexplained([](Index l, Index n) { return n <= l && l / 5 == n / 5; }), 0)
        << "causal documents, chunks";
    EXPECT_EQ(unexplained([](Index l, Index n) { return n <= l || n < 4; }), 0) << "a prefix";
}

TEST(ScoreMask, PaddingExplainsKeysAndQueries) {
    EXPECT_EQ(unexplained([](Index, Index n) { return n < 9; }), 0) << "right, both directions";
    EXPECT_EQ(unexplained([](Index, Index n) { return n >= 3; }), 0) << "left, both directions";
    EXPECT_EQ(unexplained([](Index l, Index n) { return n <= l && n < 9; }), 0) << "right, causal";
    EXPECT_EQ(unexplained([](Index l, Index n) { return n <= l && n >= 3; }), 0)
        << "left, causal: queries of padding see nothing";
    EXPECT_EQ(unexplained([](Index l, Index n) { return l < 3 || (n <= l && n >= 3); }), 0)
        << "queries of padding see all, as transformers lets them";
    EXPECT_EQ(unexplained([](Index l, Index n) { return l < 3 ? l == n : n <= l && n >= 3; }), 0)
        << "queries of padding see themselves";
    EXPECT_EQ(unexplained([](Index l, Index n) { return n >= 3 && n <= l && n > l - 4; }), 0)
        << "a window behind padding";
    EXPECT_EQ(unexplained([](Index l, Index n) { return l < 9 && n < 9; }), 0)
        << "queries of padding see nothing, both directions";
}

TEST(ScoreMask, FewerQueriesThanKeysAreTheLastOnes) {
    EXPECT_EQ(unexplained([](Index l, Index n) { return n <= l + 8; }, 4, 12), 0);
    EXPECT_EQ(unexplained([](Index l, Index n) { return n <= l + 8 && n > l + 4; }, 4, 12), 0);
    EXPECT_EQ(unexplained([](Index, Index n) { return n >= 5; }, 1, 12), 0) << "a step";
    EXPECT_EQ(unexplained([](Index l, Index n) { return n <= l + 2; }, 4, 12), 0)
        << "a cache with room for more";
    EXPECT_EQ(unexplained([](Index l, Index n) { return n >= 2 && n <= l; }, 4, 12), 0)
        << "padding on the left in a cache with room for more";
}

TEST(ScoreMask, AChunkMayEndInPadding) {
    EXPECT_EQ(unexplained([](Index l, Index n) { return l < 3 && n <= l + 1 && n < 4; }, 4, 5), 0);
    EXPECT_EQ(unexplained([](Index l, Index n) { return l < 3 && n <= l + 8 && n < 11; }, 4, 12),
              0);
}

TEST(ScoreMask, AQueryOfZerosMaySeeNothing) {
    const Sees blank = [](Index l, Index) { return l != 5; };
    EXPECT_EQ(unexplained(blank), 12);
    MaskedScores scores = masked(12, 12, blank);
    scores.empty_query[5] = 1;
    EXPECT_EQ(unexplained(scores), 0);
}

TEST(ScoreMask, NothingExplainsAHole) {
    for (const Index l : {4, 7, 11}) {
        for (const Index n : {1, 3}) {
            const auto hole = [&](const Sees& sees) {
                return [&sees, l, n](Index query, Index key) {
                    return sees(query, key) && !(query == l && key == n);
                };
            };
            const Sees all = [](Index, Index) { return true; };
            const Sees padded = [](Index query, Index key) { return key <= query && key < 9; };
            EXPECT_EQ(unexplained(hole(all)), 1) << l << " " << n;
            EXPECT_EQ(unexplained(hole(causal)), 1) << l << " " << n;
            EXPECT_EQ(unexplained(hole(padded)), l < 9 ? 1 : 0) << "padding may see anything";
        }
    }
    EXPECT_EQ(unexplained([](Index l, Index n) { return n <= l && l != 6; }), 12)
        << "a query that sees nothing";
    EXPECT_EQ(unexplained([](Index, Index) { return false; }), 144) << "nothing is seen at all";
    EXPECT_GT(unexplained([](Index l, Index n) { return n % 2 == l % 2; }), 0) << "every other";
}

}  // namespace
}  // namespace ropescope::diagnosis
