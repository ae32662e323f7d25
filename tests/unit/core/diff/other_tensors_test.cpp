// What two dumps hold beside q and k: scores are held to what was multiplied, caches and values to
// the rotation, weights to their rounding; what nobody can judge is said.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diff/difference_map.h"
#include "core/diff/dump_diff.h"
#include "tests/unit/core/diff/planted_dump.h"

namespace ropescope::diff {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

DumpDifference beside(const MadeDump& a, const MadeDump& b) {
    return compare_dumps(a.file("reference"), b.file("mine"));
}

/// Scores of one layer as products in float32, added up from the front or from behind.
void add_scores(MadeDump& dump, const Recipe& recipe, bool from_behind) {
    const std::vector<double>&q = dump.at("layers.0.q_rot"), &k = dump.at("layers.0.k_rot");
    std::vector<double> scores;
    const auto factor = static_cast<float>(1.0 / std::sqrt(to_double(recipe.channels)));
    for (Index head = 0; head < recipe.heads; ++head) {
        for (Index query = 0; query < recipe.tokens; ++query) {
            for (Index key = 0; key < recipe.tokens; ++key) {
                float sum = 0.0F;
                for (Index i = 0; i < recipe.channels; ++i) {
                    const Index c = from_behind ? recipe.channels - 1 - i : i;
                    const auto at = [&](Index token) {
                        return (head * recipe.tokens + token) * recipe.channels + c;
                    };
                    sum += to_float(q[at(query)]) * to_float(k[at(key)]);
                }
                scores.push_back(key > query ? -1e9 : static_cast<double>(sum * factor));
            }
        }
    }
    dump.tensors.push_back(
        {"layers.0.scores", {1, recipe.heads, recipe.tokens, recipe.tokens}, scores, Dtype::f32});
}

const Recipe kOneLayer{.layers = 1, .heads = 2, .tokens = 12, .channels = 64};

TEST(ScoresOfTwoDumps, OtherOrdersOfTheSumAreEqual) {
    MadeDump a = made(kOneLayer), b = a;
    add_scores(a, kOneLayer, false);
    add_scores(b, kOneLayer, true);
    ASSERT_NE(a.at("layers.0.scores"), b.at("layers.0.scores"));
    const DumpDifference found = beside(a, b);
    EXPECT_EQ(report_of(found).verdict, Sameness::equal) << report_of(found).summary;
    EXPECT_GT(found.layers.front().within.value_or(0.0), 0.0);
    EXPECT_THAT(found.layers.front().left_out, IsEmpty());
}

TEST(ScoresOfTwoDumps, OneOtherScoreIsFound) {
    MadeDump a = made(kOneLayer);
    add_scores(a, kOneLayer, false);
    MadeDump b = a;
    const Index place = (1 * kOneLayer.tokens + 7) * kOneLayer.tokens + 3;
    b.at("layers.0.scores")[static_cast<std::size_t>(place)] += 1e-3;
    const DumpDifference found = beside(a, b);
    ASSERT_THAT(found.layers.front().different, SizeIs(1));
    const Spot expected{.row = 0, .token = 7, .head = 1, .channel = 3};
    EXPECT_EQ(found.layers.front().different.front().first->spot, expected);
    const DiffReport report = report_of(found);
    EXPECT_EQ(report.summary,
              "different: they part in the scores: layer 0, scores, head 1, query 7, key 3");
    EXPECT_THAT(report.remarks, Contains(HasSubstr("look at the factor, the mask")));
}

TEST(ScoresOfTwoDumps, WithoutWhatWasMultipliedTheyAreSaidAndNotJudged) {
    MadeDump a = made(kOneLayer);
    add_scores(a, kOneLayer, false);
    std::erase_if(a.tensors, [](const auto& each) { return each.name.starts_with("layers.0.k"); });
    MadeDump b = a;
    b.at("layers.0.scores")[kOneLayer.tokens] += 0.25;
    const DiffReport report = report_of(beside(a, b));
    EXPECT_EQ(report.verdict, Sameness::equal);
    EXPECT_THAT(report.remarks,
                Contains(StartsWith("not judged: layer 0: scores differs by up to")));
}

TEST(OtherTensors, OfBothAreComparedOrSaid) {
    MadeDump a = made(kOneLayer);
    const std::vector<std::int64_t> shape = {1, 2, 12, 64};
    const std::vector<double> values = a.at("layers.0.k");
    for (const char* name : {"layers.0.v", "layers.0.v_rot", "layers.0.hidden"}) {
        a.tensors.push_back({name, shape, values, Dtype::f32});
    }
    a.tensors.push_back({"layers.0.q_norm", {64}, std::vector<double>(64, 1.0), Dtype::f32});
    MadeDump b = a;
    EXPECT_EQ(report_of(beside(a, b)).summary, "equal: 8 tensors of 1 layers, bit for bit");

    b.at("layers.0.q_norm")[3] = 1.5;
    EXPECT_EQ(report_of(beside(a, b)).summary,
              "different: they part before the rotation: layer 0, q_norm, number 3");
    b = a;
    b.at("layers.0.v_rot")[70] += 0.5;
    EXPECT_EQ(report_of(beside(a, b)).summary,
              "different: they part in the rotation: layer 0, v_rot, head 0, token 1, channel 6");
    b = a;
    b.at("layers.0.hidden")[70] += 0.5;
    b.tensors.push_back({"layers.0.mask", {1}, {0.0}, Dtype::f32});
    const DiffReport report = report_of(beside(a, b));
    EXPECT_EQ(report.verdict, Sameness::equal);
    EXPECT_THAT(report.remarks,
                Contains(StartsWith("not judged: layers.0.hidden differs by up to 0.5")));
    EXPECT_THAT(report.remarks, Contains(HasSubstr("first at [0, 0, 1, 6]")));
    EXPECT_THAT(report.remarks, Contains(HasSubstr("which one of the two alone has")));
}

TEST(OtherTensors, CachesMayDifferAsRotationsDo) {
    Recipe recipe = kOneLayer;
    MadeDump a = made(recipe);
    recipe.in_float = true;
    MadeDump b = made(recipe);
    const std::vector<std::int64_t> shape = {1, 2, 12, 64};
    a.tensors.push_back({"layers.0.k_cache_after", shape, a.at("layers.0.k_rot"), Dtype::f32});
    b.tensors.push_back({"layers.0.k_cache_after", shape, b.at("layers.0.k_rot"), Dtype::f32});
    EXPECT_EQ(report_of(beside(a, b)).verdict, Sameness::equal);
    b.at("layers.0.k_cache_after")[64] += 0.5;
    EXPECT_EQ(report_of(beside(a, b)).verdict, Sameness::different);
}

TEST(DifferenceMaps, ShowThePlaceThatDiffers) {
    const Recipe recipe{.layers = 3, .heads = 2, .tokens = 9, .channels = 16};
    const MadeDump a = made(recipe);
    MadeDump b = a;
    // Layer 1, head 1, token 4, channel 10: pair 2 of the half-split layout.
    b.at("layers.1.k_rot")[(1 * 9 + 4) * 16 + 10] += 0.5;
    const DumpDifference found = beside(a, b);
    const DifferenceMaps maps = map_differences(a.file("reference"), b.file("mine"), found);
    EXPECT_EQ(maps.layer, 1);
    ASSERT_THAT(maps.maps, SizeIs(2));
    EXPECT_EQ(maps.maps[0].tensor, "k");
    const DifferenceMap& map = maps.maps[1];
    EXPECT_EQ(map.tensor, "k_rot");
    EXPECT_EQ(map.head, 1);
    ASSERT_TRUE(map.by_pair);
    ASSERT_THAT(map.of_head, SizeIs(8 * 9));
    for (Index pair = 0; pair < 8; ++pair) {
        for (Index token = 0; token < 9; ++token) {
            const double apart = map.of_head[static_cast<std::size_t>(pair * 9 + token)];
            EXPECT_EQ(apart > 1.0, pair == 2 && token == 4) << pair << " " << token;
        }
    }
    EXPECT_GT(map.of_heads[9 + 4], 1.0);
    EXPECT_EQ(map.of_heads[4], 0.0);
}

}  // namespace
}  // namespace ropescope::diff
