#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>

#include "app/plot/shapes.h"
#include "tests/support/special_values.h"

namespace ropescope::plot {
namespace {

using test::kInf;
using test::kNan;

constexpr Rect kWindow{0, 0, 100, 50};

TEST(VisibleRuns, BreakWhereAValueIsMissing) {
    const Path points = {{0, 1}, {10, 2}, {20, kNan}, {30, 3}, {40, 4}, {50, kInf}, {60, 1}};
    const std::vector<Path> runs = visible_runs(points, kWindow);
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].size(), 2U);
    EXPECT_EQ(runs[1].front().x, 30);
    EXPECT_EQ(runs[1].back().x, 40);
}

TEST(VisibleRuns, AreCutAtTheWindow) {
    const Path points = {{-10, 25}, {110, 25}, {110, 100}, {50, 100}, {50, -1e300}};
    const std::vector<Path> runs = visible_runs(points, kWindow);
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_NEAR(runs[0].front().x, 0, 1e-12);
    EXPECT_NEAR(runs[0].back().x, 100, 1e-12);
    EXPECT_EQ(runs[1].front().x, 50);
    EXPECT_NEAR(runs[1].front().y, 50, 1e-9);
    EXPECT_NEAR(runs[1].back().y, 0, 1e-9);
}

TEST(VisibleRuns, OfNothingAreNone) {
    EXPECT_TRUE(visible_runs({}, kWindow).empty());
    EXPECT_TRUE(visible_runs(Path{{1, 1}}, kWindow).empty());
    EXPECT_TRUE(visible_runs(Path{{200, 1}, {300, 1}}, kWindow).empty());
}

TEST(Decimated, KeepsTheExtremesOfEveryColumn) {
    Path path;
    for (int i = 0; i < 200000; ++i) {
        const double x = 300.0 * i / 200000;
        path.push_back({x, std::sin(i * 0.37) + (i == 77777 ? 40 : 0)});
    }
    std::map<double, std::pair<double, double>> extremes;
    const auto note = [](auto& map, Pixel p) {
        auto [at, fresh] = map.try_emplace(std::floor(p.x), p.y, p.y);
        at->second.first = std::min(at->second.first, p.y);
        at->second.second = std::max(at->second.second, p.y);
    };
    for (const Pixel& p : path) {
        note(extremes, p);
    }
    const Path thin = decimated(path);
    std::map<double, std::pair<double, double>> kept;
    for (const Pixel& p : thin) {
        note(kept, p);
    }
    EXPECT_EQ(kept, extremes);
    EXPECT_LE(thin.size(), 4U * 300U);
    EXPECT_EQ(thin.front().x, path.front().x);
    EXPECT_EQ(thin.back().x, path.back().x);
}

TEST(Decimated, LeavesShortLinesAlone) {
    const Path path = {{0, 0}, {0.5, 3}, {1.5, 2}, {0.2, 9}, {7, 1}};
    const Path thin = decimated(path);
    ASSERT_EQ(thin.size(), path.size());
    for (std::size_t i = 0; i < path.size(); ++i) {
        EXPECT_EQ(thin[i].x, path[i].x);
        EXPECT_EQ(thin[i].y, path[i].y);
    }
}

TEST(Dashes, ShareTheLength) {
    const Path corner = {{0, 0}, {10, 0}, {10, 20}};
    double drawn = 0;
    for (const Path& stroke : dashes(corner, std::array{3.0, 2.0})) {
        for (std::size_t i = 1; i < stroke.size(); ++i) {
            drawn += std::hypot(stroke[i].x - stroke[i - 1].x, stroke[i].y - stroke[i - 1].y);
        }
    }
    EXPECT_NEAR(drawn, 18, 1e-9) << "six whole dashes on 30 px";
}

}  // namespace
}  // namespace ropescope::plot
