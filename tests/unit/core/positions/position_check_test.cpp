#include "core/positions/position_check.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "core/base/uniform.h"
#include "tests/support/input_error.h"
#include "tests/unit/core/positions/segments.h"

namespace ropescope {
namespace {

using test::codes;
using test::image;
using test::kNewer;
using test::kOlder;
using test::text;
using test::video;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::array kFamilies = {
    MultimodalFamily::qwen2_vl,     MultimodalFamily::qwen2_5_vl, MultimodalFamily::qwen3_vl,
    MultimodalFamily::glm4v,        MultimodalFamily::videorope,  MultimodalFamily::ernie4_5_vl,
    MultimodalFamily::qwen2_5_omni, MultimodalFamily::qwen3_omni, MultimodalFamily::hunyuan_vl};

/// Whole numbers from a seed.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : seed_(seed) {}
    Index roll(Index least, Index most) {
        const double share = uniform(seed_, ++rolls_);
        return least + static_cast<Index>(share * to_double(most - least + 1));
    }

  private:
    std::uint64_t seed_, rolls_ = 0;
};

Segment random_block(MultimodalFamily family, Dice& dice) {
    const Index rows = 2 * dice.roll(1, 4), columns = 2 * dice.roll(1, 4);
    const bool single = family == MultimodalFamily::qwen3_vl || family == MultimodalFamily::glm4v;
    if (dice.roll(0, 1) == 0 || family == MultimodalFamily::hunyuan_vl) {
        return image(rows, columns);
    }
    if (single) {
        return {.kind = SegmentKind::frame, .grid = {1, rows, columns}};
    }
    constexpr std::array kSeconds = {0.08, 0.5, 1.0, 1.5, 2.0, 3.7};
    const Index merged = family == MultimodalFamily::ernie4_5_vl ? 2 : 1;
    const bool whole = family == MultimodalFamily::qwen3_omni;  // its ids are not cut
    Segment made = video(merged * dice.roll(1, 5), rows, columns,
                         whole ? to_double(dice.roll(0, 3)) : kSeconds[dice.roll(0, 5)]);
    const bool is_omni = whole || family == MultimodalFamily::qwen2_5_omni;
    made.sound = is_omni ? dice.roll(0, 20) : 0;
    return made;
}

/// Frames of a row as those of one video.
void number_frames(std::vector<Segment>& row) {
    Index number = 0;
    for (Segment& segment : row) {
        segment.number = segment.kind == SegmentKind::frame ? number++ : 0;
    }
}

/// Packed documents with padding, or shared out each by itself.
void arrange_documents(IdPlan& plan, Dice& dice) {
    TokenLayout& layout = plan.layout;
    const Index way = dice.roll(0, 2);
    layout.decode_steps = way == 2 ? layout.decode_steps : 0;
    if (way == 0) {
        layout.padding = dice.roll(0, 1) == 0 ? Padding::left : Padding::right;
        layout.filled_length = tokens_of_rows(plan) + dice.roll(1, 4);
    } else if (way == 1) {
        for (Index row = 0; row < std::ssize(layout.rows); ++row) {
            layout.rows[row].front().text += (4 - own_tokens(plan, row) % 4) % 4;
        }
        layout.shards = ContextShards{2, {}, dice.roll(0, 1) == 0};
    }
}

/// A layout of everything that there is, by chance.
IdPlan random_plan(MultimodalFamily family, PositionVersion version, std::uint64_t seed) {
    Dice dice(seed);
    IdPlan plan{.rule = {.family = family,
                         .tokens_per_second = to_double(dice.roll(1, 4)),
                         .chunk_steps = dice.roll(1, 8)},
                .version = version};
    TokenLayout& layout = plan.layout;
    const Index rows = dice.roll(1, 3);
    for (Index row = 0; row < rows; ++row) {
        std::vector<Segment> segments = {text(dice.roll(0, 6))};
        for (Index block = dice.roll(0, 2); block > 0; --block) {
            segments.push_back(random_block(family, dice));
            segments.push_back(text(dice.roll(1, 5)));
        }
        segments.front().text += segments.size() == 1 ? 1 : 0;
        number_frames(segments);
        layout.rows.push_back(segments);
    }
    layout.packed = dice.roll(0, 3) == 0;
    layout.padding = layout.packed          ? Padding::none
                     : dice.roll(0, 1) == 0 ? Padding::left
                                            : Padding::right;
    layout.decode_steps = dice.roll(0, 2);
    if (layout.packed) {
        arrange_documents(plan, dice);
    }
    if (layout.shards) {
        return plan;
    }
    const Index length = layout_ids(plan).length;
    const Index part = dice.roll(0, 4);
    if (part == 4) {
        for (Index token = dice.roll(0, 2); token < length; token += dice.roll(1, 3)) {
            layout.kept.push_back(token);
        }
    } else if (part == 0) {
        const Index first = dice.roll(0, length - 1);
        layout.chunk = TokenRange{first, dice.roll(1, length - first)};
    } else if (part == 1 && length % 4 == 0) {
        layout.shards = ContextShards{2, {}};
        if (dice.roll(0, 1) == 0) {
            layout.shards->rank = dice.roll(0, 1);
        }
    }
    return plan;
}

/// Whether all tokens but padding have the same ids.
bool same_tokens(const IdPlan& plan, const MultimodalIds& a, const MultimodalIds& b) {
    const std::vector<TokenOrigin> origins = layout_origins(plan);
    const Index tokens = a.batch * a.length;
    for (Index i = 0; i < a.axes * tokens; ++i) {
        if (origins[i % tokens].kind != TokenKind::padding && a.ids[i] != b.ids[i]) {
            return false;
        }
    }
    return true;
}

MultimodalIds without_deltas(MultimodalIds ids) {
    ids.deltas.clear();
    return ids;
}

TEST(IdCheck, RightIdsNeverRaiseAnAlarm) {
    for (const MultimodalFamily family : kFamilies) {
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            SCOPED_TRACE(fmt::format("{} {}", to_string(family), seed));
            const IdPlan plan = random_plan(family, seed % 2 == 0 ? kOlder : kNewer, seed);
            const PositionVerdict verdict = judge_positions(plan, layout_ids(plan));
            EXPECT_TRUE(verdict.right());
            EXPECT_THAT(verdict.findings, IsEmpty());
            EXPECT_FALSE(verdict.others_differ);
        }
    }
}

/// Judges the ids of every variation of every fault, and notes the variations that changed an id.
void judge_all(const IdPlan& plan, std::set<std::string_view>& shown) {
    const MultimodalIds right = layout_ids(plan);
    for (const IdFault& fault : id_faults()) {
        for (const IdVariation& variation : fault.variations) {
            const auto wrong = variation.make(plan);
            if (!wrong) {
                continue;
            }
            const PositionVerdict verdict = judge_positions(plan, without_deltas(*wrong));
            ASSERT_EQ(verdict.right(), same_tokens(plan, right, *wrong)) << variation.how;
            if (verdict.right()) {
                continue;
            }
            shown.insert(variation.how);
            EXPECT_THAT(codes(verdict), Contains(fault.code)) << variation.how;
            for (const IdFault& other : id_faults()) {
                const bool equal = std::ranges::any_of(other.variations, [&](const IdVariation& v) {
                    const auto ids = v.make(plan);
                    return ids && same_tokens(plan, *ids, *wrong);
                });
                EXPECT_EQ(std::ranges::count(codes(verdict), other.code), equal ? 1 : 0)
                    << fault.code << ", " << other.code;
            }
        }
    }
}

TEST(IdCheck, EachFaultIsNamedAndNoOtherThatDiffers) {
    std::set<std::string_view> shown;
    for (const MultimodalFamily family : kFamilies) {
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            SCOPED_TRACE(fmt::format("{} {}", to_string(family), seed));
            judge_all(random_plan(family, seed % 2 == 0 ? kOlder : kNewer, 1000 + seed), shown);
        }
    }
    for (const IdFault& fault : id_faults()) {
        for (const IdVariation& variation : fault.variations) {
            // Zero deltas change no id.
            EXPECT_TRUE(shown.contains(variation.how) || variation.how == "The deltas are 0.")
                << fault.code << ": " << variation.how;
        }
    }
}

/// Ids of one row of text and blocks, written out without the program: how text goes on behind a
/// block is next(start, frames, rows, columns), after merging.
template <typename Next>
MultimodalIds by_hand(const std::vector<Segment>& row, Next next) {
    std::array<std::vector<Index>, 3> axes;
    Index at = 0;
    for (const Segment& segment : row) {
        if (segment.kind == SegmentKind::text) {
            for (Index i = 0; i < segment.text; ++i) {
                std::ranges::for_each(axes, [at](auto& axis) { axis.push_back(at); });
                ++at;
            }
            continue;
        }
        const Index rows = segment.grid.rows / 2, columns = segment.grid.columns / 2;
        for (Index i = 0; i < segment.grid.frames * rows * columns; ++i) {
            axes[0].push_back(at + i / (rows * columns));
            axes[1].push_back(at + i / columns % rows);
            axes[2].push_back(at + i % columns);
        }
        at = next(at, segment.grid.frames, rows, columns);
    }
    MultimodalIds ids{1, std::ssize(axes[0]), {}, {}};
    for (const auto& axis : axes) {
        ids.ids.insert(ids.ids.end(), axis.begin(), axis.end());
    }
    return ids;
}

Index newer(Index at, Index, Index rows, Index columns) {
    return at + std::max(rows, columns);
}

std::vector<std::string> judged(const IdPlan& plan, const MultimodalIds& given) {
    return codes(judge_positions(plan, given));
}

TEST(IdCheck, NamesFaultsThatWereMadeByHand) {
    const std::vector<Segment> row = {text(3), image(4, 6), text(2), video(4, 4, 4), text(2)};
    const IdPlan plan{.layout = {.rows = {row}}};
    EXPECT_TRUE(judge_positions(plan, by_hand(row, newer)).right());
    EXPECT_THAT(judged(plan, by_hand(row,
                                     [](Index at, Index f, Index h, Index w) {
                                         return at + std::max({f, h, w});
                                     })),
                ElementsAre("ids.other_version"));
    EXPECT_THAT(judged(plan, by_hand(row, [](Index at, Index f, Index h,
                                             Index w) { return at + f * h * w; })),
                ElementsAre("ids.counted_by_tokens"));
    EXPECT_THAT(judged(plan, by_hand(row, [](Index at, Index, Index h,
                                             Index w) { return at + 2 * std::max(h, w); })),
                ElementsAre("ids.merge_missing"));
    EXPECT_THAT(judged(plan, by_hand(row, [](Index at, Index, Index h,
                                             Index w) { return at + std::max(h, w) - 1; })),
                ElementsAre("ids.off_by_one"));
    MultimodalIds ids = by_hand(row, newer);
    for (Index i = 0; i < 3 * ids.length; ++i) {
        ids.ids[i] = i % ids.length;
    }
    EXPECT_THAT(judged(plan, ids), ElementsAre("ids.text_positions"));
    ids = by_hand(row, newer);
    std::swap_ranges(ids.ids.begin() + ids.length, ids.ids.begin() + 2 * ids.length,
                     ids.ids.begin() + 2 * ids.length);
    EXPECT_THAT(judged(plan, ids), ElementsAre("ids.axes_swapped"));
}

/// Ids that are the same on all axes.
MultimodalIds text_ids(const std::vector<Index>& once) {
    MultimodalIds ids{1, std::ssize(once), {}, {}};
    for (int axis = 0; axis < 3; ++axis) {
        ids.ids.insert(ids.ids.end(), once.begin(), once.end());
    }
    return ids;
}

TEST(IdCheck, TimeThatCountsTheFramesOfQwen3IsNamed) {
    const auto frame = [](Index number) {
        return Segment{.kind = SegmentKind::frame, .grid = {1, 2, 4}, .number = number};
    };
    const IdPlan plan{.rule = {.family = MultimodalFamily::qwen3_vl},
                      .layout = {.rows = {{text(2), frame(0), text(2), frame(1), text(1)}}}};
    // Frames of 1 x 2 tokens at 2 and at 6, and text at 4, 5 and 8.
    MultimodalIds ids{1,
                      9,
                      {0, 1, 2, 2, 4, 5, 6, 6, 8,  //
                       0, 1, 2, 2, 4, 5, 6, 6, 8,  //
                       0, 1, 2, 3, 4, 5, 6, 7, 8},
                      {}};
    EXPECT_TRUE(judge_positions(plan, ids).right());
    ids.ids[6] = ids.ids[7] = 7;
    EXPECT_THAT(judged(plan, ids), ElementsAre("ids.time_over_frames"));
    ids.ids[6] = ids.ids[7] = 3;
    EXPECT_THAT(judged(plan, ids), ElementsAre("ids.time_over_frames"));
}

TEST(IdCheck, ErnieMergesFramesBeforeItCountsThem) {
    const IdPlan plan{.rule = {.family = MultimodalFamily::ernie4_5_vl},
                      .layout = {.rows = {{text(1), video(6, 2, 2), text(1)}}}};
    const auto with_times = [](std::vector<Index> times, Index next) {
        MultimodalIds ids{1,
                          5,
                          {0, times[0], times[1], times[2], next,  //
                           0, 1, 1, 1, next,                       //
                           0, 1, 1, 1, next},
                          {}};
        return ids;
    };
    EXPECT_TRUE(judge_positions(plan, with_times({1, 2, 3}, 2)).right());
    EXPECT_THAT(judged(plan, with_times({1, 3, 5}, 2)), ElementsAre("ids.frames_unmerged"));
    IdPlan older = plan;
    older.version = kOlder;
    EXPECT_TRUE(judge_positions(older, with_times({1, 2, 3}, 4)).right());
}

TEST(IdCheck, PackedDocumentsMayHavePadding) {
    IdPlan plan{.layout = {.padding = Padding::left,
                           .rows = {{text(2)}, {text(3)}},
                           .packed = true,
                           .filled_length = 7}};
    EXPECT_TRUE(judge_positions(plan, text_ids({9, 9, 0, 1, 0, 1, 2})).right());
    EXPECT_THAT(judged(plan, text_ids({0, 1, 2, 3, 0, 1, 2})), ElementsAre("ids.padding_counted"));
    EXPECT_THAT(judged(plan, text_ids({0, 0, 0, 1, 2, 3, 4})), ElementsAre("ids.restart_missing"));
    plan.layout.padding = Padding::right;
    EXPECT_TRUE(judge_positions(plan, text_ids({0, 1, 0, 1, 2, 9, 9})).right());
}

TEST(IdCheck, DocumentsMayBeSharedOutEachByItself) {
    IdPlan plan{.layout = {.rows = {{text(4)}, {text(8)}},
                           .packed = true,
                           .shards = ContextShards{2, 0, true}}};
    const MultimodalIds alone = text_ids({0, 3, 0, 1, 6, 7});
    EXPECT_TRUE(judge_positions(plan, alone).right());
    const MultimodalIds whole = text_ids({0, 1, 2, 5, 6, 7});
    EXPECT_THAT(judged(plan, whole), ElementsAre("ids.shards_order"));
    plan.layout.shards->per_document = false;
    EXPECT_TRUE(judge_positions(plan, whole).right());
    EXPECT_THAT(judged(plan, alone), ElementsAre("ids.shards_order"));
    plan.layout.shards->per_document = true;
    plan.layout.rows[0] = {text(5)};
    EXPECT_THAT(test::input_error([&] { layout_ids(plan); }),
                ::testing::HasSubstr("rows[0]: shards: rank 0 of 2 for 5 tokens"));
}

/// "ids.a ids.b", in the order of the alphabet, for each two faults that are named together.
std::vector<std::string> pairs_of(const PositionVerdict& verdict) {
    std::vector<std::string> pairs;
    for (const FaultPair& pair : verdict.pairs) {
        const auto [least, most] = std::minmax(pair.first.code, pair.second.code);
        pairs.push_back(fmt::format("{} {}", least, most));
    }
    return pairs;
}

/// The second fault is made by hand, on ids that a first one has made.
TEST(IdCheck, TwoFaultsAtOnceAreNamedTogether) {
    const IdPlan plan{.rule = {.family = MultimodalFamily::qwen2_5_vl, .tokens_per_second = 2},
                      .layout = {.padding = Padding::left,
                                 .rows = {{text(4), image(4, 8), text(3)},
                                          {text(2), video(4, 4, 2, 1.5), text(3)}}}};
    const auto together = [](std::string_view one, std::string_view other) {
        return fmt::format("{} {}", std::min(one, other), std::max(one, other));
    };
    const auto with_fault = [&](std::string_view code) {
        return *find_id_fault(code)->variations.front().make(plan);
    };
    for (const char* code :
         {"ids.other_version", "ids.time_rounded", "ids.padding_counted", "ids.block_at_zero"}) {
        SCOPED_TRACE(code);
        MultimodalIds larger = without_deltas(with_fault(code));
        std::ranges::for_each(larger.ids, [](Index& id) { ++id; });
        EXPECT_THAT(judge_positions(plan, larger).findings, IsEmpty());
        EXPECT_THAT(pairs_of(judge_positions(plan, larger)),
                    Contains(together(code, "ids.one_based")));
        MultimodalIds swapped = without_deltas(with_fault(code));
        const Index each = swapped.batch * swapped.length;
        std::rotate(swapped.ids.begin() + each, swapped.ids.begin() + 2 * each, swapped.ids.end());
        EXPECT_THAT(pairs_of(judge_positions(plan, swapped)),
                    Contains(together(code, "ids.axes_swapped")));
    }
}

TEST(IdCheck, AFaultThatIsNotKnownIsNoPairEither) {
    const IdPlan plan{.layout = {.rows = {{text(4), image(4, 8), text(3)}}}};
    MultimodalIds ids = without_deltas(layout_ids(plan));
    ids.ids[2] += 17;
    const PositionVerdict verdict = judge_positions(plan, ids);
    EXPECT_FALSE(verdict.right());
    EXPECT_THAT(verdict.findings, IsEmpty());
    EXPECT_THAT(verdict.pairs, IsEmpty());
}

TEST(IdCheck, SaysWhereUnknownIdsBeginToDiffer) {
    const std::vector<Segment> row = {text(3), image(4, 6), text(2)};
    const IdPlan plan{.layout = {.rows = {row}}};
    MultimodalIds ids = by_hand(row, newer);
    ids.ids[2 * ids.length + 5] += 7;
    const PositionVerdict verdict = judge_positions(plan, ids);
    EXPECT_THAT(verdict.findings, IsEmpty());
    ASSERT_TRUE(verdict.first.has_value());
    EXPECT_EQ(verdict.first->token, 5);
    EXPECT_EQ(verdict.first->axis, 2);
    EXPECT_EQ(verdict.first->found, verdict.first->expected + 7);
    EXPECT_EQ(verdict.first->origin.segment, 1);
    EXPECT_EQ(verdict.first->origin.index, 2);
    EXPECT_EQ(verdict.differing, 1);
    EXPECT_EQ(verdict.tokens, ids.length);
}

TEST(IdCheck, PackedTextThatRunsOnMissesItsRestart) {
    const IdPlan plan{.layout = {.rows = {{text(3)}, {text(4)}}, .packed = true}};
    MultimodalIds ids{1, 7, {}, {}};
    for (Index i = 0; i < 21; ++i) {
        ids.ids.push_back(i % 7);
    }
    EXPECT_THAT(judged(plan, ids), ElementsAre("ids.restart_missing"));
    EXPECT_EQ(judge_positions(plan, ids).first->token, 3);
}

TEST(IdCheck, CountedPaddingIsNamedAndOtherPaddingForgiven) {
    const IdPlan plan{.layout = {.padding = Padding::left, .rows = {{text(4)}, {text(2)}}}};
    MultimodalIds ids{2, 4, {}, {}};
    for (int axis = 0; axis < 3; ++axis) {
        ids.ids.insert(ids.ids.end(), {0, 1, 2, 3, 0, 1, 2, 3});
    }
    // Rows that are alike in text are also the same.
    EXPECT_THAT(judged(plan, ids), ElementsAre("ids.padding_counted", "ids.rows_repeated"));
    ids = layout_ids(plan);
    ids.ids[4] = 99;  // padding
    const PositionVerdict verdict = judge_positions(plan, ids);
    EXPECT_TRUE(verdict.right());
    EXPECT_TRUE(verdict.others_differ);
}

TEST(IdCheck, LostDeltasAreNamedInDecodeAndInChunks) {
    IdPlan plan{.layout = {.rows = {{text(2), image(4, 8), text(2)}}, .decode_steps = 2}};
    MultimodalIds ids = layout_ids(plan);  // 2 + 8 + 2 tokens, at 0 .. 7
    ASSERT_EQ(ids.at(0, 0, 12), 8);
    for (Index axis = 0; axis < 3; ++axis) {
        ids.ids[axis * 14 + 12] = 12;
        ids.ids[axis * 14 + 13] = 13;
    }
    EXPECT_THAT(judged(plan, ids), ElementsAre("ids.delta_lost"));
    plan.layout = {.rows = {{text(2), image(6, 8), text(2)}}, .chunk = TokenRange{14, 2}};
    EXPECT_THAT(judged(plan, {1, 2, {14, 15, 14, 15, 14, 15}, {}}),
                ElementsAre("ids.text_positions", "ids.counted_by_tokens", "ids.delta_lost"));
    EXPECT_THAT(judged(plan, {1, 2, {0, 1, 0, 1, 0, 1}, {}}), ElementsAre("ids.chunk_restart"));
}

TEST(IdCheck, ShardsInAnotherOrderAreNamed) {
    IdPlan plan{.layout = {.rows = {{text(8)}}, .shards = ContextShards{2, {}}}};
    const auto row = [](std::vector<Index> once) {
        MultimodalIds ids{1, std::ssize(once), {}, {}};
        for (int axis = 0; axis < 3; ++axis) {
            ids.ids.insert(ids.ids.end(), once.begin(), once.end());
        }
        return ids;
    };
    EXPECT_TRUE(judge_positions(plan, row({0, 1, 6, 7, 2, 3, 4, 5})).right());
    EXPECT_THAT(judged(plan, row({0, 1, 2, 3, 4, 5, 6, 7})), ElementsAre("ids.shards_order"));
    EXPECT_THAT(judged(plan, row({0, 2, 4, 6, 1, 3, 5, 7})), ElementsAre("ids.shards_order"));
    EXPECT_THAT(judged(plan, row({0, 1, 2, 3, 0, 1, 2, 3})), ElementsAre("ids.shards_restart"));
    plan.layout.shards->rank = 1;
    EXPECT_TRUE(judge_positions(plan, row({2, 3, 4, 5})).right());
    EXPECT_THAT(judged(plan, row({4, 5, 6, 7})), ElementsAre("ids.shards_order"));
}

TEST(IdCheck, SaysWhatALayoutCannotShow) {
    const IdPlan square{.layout = {.rows = {{text(2), image(4, 4), text(2)}}}};
    const PositionVerdict verdict = judge_positions(square, layout_ids(square));
    std::vector<std::string_view> unseen;
    for (const UnseenFault& fault : verdict.unseen) {
        unseen.push_back(fault.code);
    }
    // Height and width in other places change ids of a square, too; its sides do not.
    EXPECT_THAT(unseen, Contains("ids.other_version"));
    EXPECT_THAT(unseen, ::testing::Not(Contains("ids.text_positions")));
    const IdPlan words{.layout = {.rows = {{text(4)}}}};
    EXPECT_THAT(judge_positions(words, layout_ids(words)).unseen, IsEmpty());
    EXPECT_THAT(missing_kinds(words), ::testing::HasSubstr("images or videos"));
}

TEST(IdCheck, OneNumberThatIsAddedToAnAxisIsFound) {
    for (const MultimodalFamily family :
         {MultimodalFamily::qwen2_vl, MultimodalFamily::hunyuan_vl}) {
        const IdPlan plan{.rule = {.family = family},
                          .layout = {.rows = {{text(2), image(4, 8), text(2)}}}};
        MultimodalIds ids = layout_ids(plan);
        EXPECT_THAT(judge_positions(plan, ids).offsets, IsEmpty());
        const Index tokens = ids.batch * ids.length;
        for (Index i = 0; i < tokens; ++i) {
            ids.ids[i] += 3;
        }
        const std::vector<double> offsets = judge_positions(plan, ids).offsets;
        ASSERT_EQ(std::ssize(offsets), plan.rule.axes());
        EXPECT_EQ(offsets[0], 3.0);
        EXPECT_EQ(offsets[1], 0.0);
        ids.ids[tokens + 1] -= 1;
        EXPECT_THAT(judge_positions(plan, ids).offsets, IsEmpty());
    }
}

TEST(IdCheck, ADeltaIsJudgedIfItIsGiven) {
    const IdPlan plan{.layout = {.rows = {{text(2), image(4, 8), text(2)}}}};
    MultimodalIds ids = layout_ids(plan);
    EXPECT_TRUE(judge_positions(plan, ids).right());
    ids.deltas = {0};
    const PositionVerdict verdict = judge_positions(plan, ids);
    EXPECT_FALSE(verdict.right());
    EXPECT_EQ(verdict.delta->expected, -4);
    EXPECT_THAT(codes(verdict), ElementsAre("ids.delta_lost"));
}

}  // namespace
}  // namespace ropescope
