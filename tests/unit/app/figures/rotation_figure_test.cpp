// The numbers in the rotation figure, each against another way to the same number.
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

#include "app/figures/rotation/rotation.h"
#include "app/figures/shared/content.h"
#include "app/figures/shared/text.h"
#include "app/figures/view.h"
#include "tests/unit/app/figures/figure_parts.h"

namespace ropescope::figures {
namespace {

using ::testing::HasSubstr;

// Table entries are within 1e-7 of exact (rotation_table.h); a turned coordinate adds two of them
// times content coordinates of a unit vector: at most sqrt(2) * 1e-7.
constexpr double kArrow = 1.5e-7;

const plot::Vector& arrow(const std::vector<plot::Vector>& arrows, plot::Role role) {
    return arrows.at(0).role == role ? arrows.at(0) : arrows.at(1);
}

TEST(RotationFigure, ArrowsStandAtContentPlusPositionTimesTheta) {
    Scene scene;
    scene.query_position = 100003;
    scene.key_position = 77;
    const plot::Figure figure = figure_of(scene, "rotation");
    const Content content = make_content(scene);
    for (const std::int64_t pair : scene.pairs) {
        const plot::Panel& panel = panel_of(figure, fmt::format("pair.{}", pair));
        const auto arrows = marks_of<plot::Vector>(panel);
        const long double theta = std::pow(10000.0L, -2.0L * pair / 128);
        const auto i = static_cast<std::size_t>(pair);
        const long double q = content.q_rad[i] + 100003 * theta;
        const long double k = content.k_rad[i] + 77 * theta;
        // inv_freq is rounded to double: 100003 * 2^-53 more.
        EXPECT_NEAR(arrow(arrows, plot::Role::query).to.x, static_cast<double>(std::cos(q)), kArrow)
            << pair;
        EXPECT_NEAR(arrow(arrows, plot::Role::query).to.y, static_cast<double>(std::sin(q)), kArrow)
            << pair;
        EXPECT_NEAR(arrow(arrows, plot::Role::key).to.x, static_cast<double>(std::cos(k)), kArrow)
            << pair;
        EXPECT_NEAR(arrow(arrows, plot::Role::key).to.y, static_cast<double>(std::sin(k)), kArrow)
            << pair;
        EXPECT_EQ(panel.selected, pair == scene.selected_pair);
    }
}

TEST(RotationFigure, ArcRunsFromQToKTheShortWay) {
    const plot::Figure figure = figure_of({}, "rotation");
    for (const std::int64_t pair : Scene{}.pairs) {
        const plot::Panel& panel = panel_of(figure, fmt::format("pair.{}", pair));
        const auto arrows = marks_of<plot::Vector>(panel);
        const plot::Arc arc = marks_of<plot::Arc>(panel).at(1);
        const plot::Point q = arrow(arrows, plot::Role::query).to;
        const plot::Point k = arrow(arrows, plot::Role::key).to;
        EXPECT_NEAR(std::cos(arc.first_rad), q.x, kArrow);
        EXPECT_NEAR(std::sin(arc.last_rad), k.y, kArrow);
        EXPECT_NEAR(std::cos(arc.last_rad - arc.first_rad), q.x * k.x + q.y * k.y, 4 * kArrow);
        EXPECT_LE(std::abs(arc.last_rad - arc.first_rad), std::numbers::pi);
    }
}

TEST(RotationFigure, MovingBothPositionsLeavesTheScoreAndTheArcs) {
    Scene moved;
    moved.query_position += 70000;
    moved.key_position += 70000;
    const plot::Figure here = figure_of({}, "rotation"), there = figure_of(moved, "rotation");
    const auto score = [](const plot::Figure& figure) {
        return marks_of<plot::Points>(panel_of(figure, "score")).at(0).points.at(0);
    };
    EXPECT_EQ(score(here), score(there)) << "computed from the distance alone";
    for (const std::int64_t pair : Scene{}.pairs) {
        const std::string id = fmt::format("pair.{}", pair);
        const auto arc = [&](const plot::Figure& figure) {
            const plot::Arc mark = marks_of<plot::Arc>(panel_of(figure, id)).at(1);
            return mark.last_rad - mark.first_rad;
        };
        // Two reduced angles of position 70012, each within 70012 * 2^-52.
        EXPECT_NEAR(arc(here), arc(there), 4 * 70012 * 0x1p-52) << id;
    }
}

/// q_m . k_n of the head vectors rotated by the engine, over their lengths.
double score_by_engine(const Scene& scene) {
    const RopeSpec spec = rope_spec(scene);
    const Content content = make_content(scene);
    const auto rotated = [&](const std::vector<double>& angles, std::int64_t position) {
        const std::vector<double> head = head_vector(spec, angles);
        std::vector<float> x(head.begin(), head.end());
        const auto cpu = engine();
        const RotationTable table = cpu->table(make_spectrum(spec), position, 1);
        cpu->rotate_in_place(bhld_view(x.data(), 1, 1, 1, spec.head_dim), table.view(),
                             {.layout = spec.layout});
        return x;
    };
    const std::vector<float> q = rotated(content.q_rad, scene.query_position);
    const std::vector<float> k = rotated(content.k_rad, scene.key_position);
    double dot = 0;
    for (std::size_t c = 0; c < q.size(); ++c) {
        dot += static_cast<double>(q[c]) * static_cast<double>(k[c]);
    }
    return dot / to_double(spec.pairs());
}

TEST(RotationFigure, MarkedScoreIsTheDotProductOfTheRotatedVectors) {
    for (const Layout layout : {Layout::interleaved, Layout::half_split}) {
        for (const auto& [m, n] : {std::pair{12, 5}, {0, 0}, {131071, 3}, {5, 1 << 20}}) {
            Scene scene;
            scene.layout = layout;
            scene.rotary_dim = 96;
            scene.query_position = m;
            scene.key_position = n;
            scene.pairs = {0, 47};
            const plot::Figure figure = figure_of(scene, "rotation");
            const plot::Panel& panel = panel_of(figure, "score");
            const plot::Point marked = marks_of<plot::Points>(panel).at(0).points.at(0);
            EXPECT_EQ(marked.x, n - m);
            EXPECT_LE(std::abs(marked.x), panel.x.max) << "inside the panel";
            // Every coordinate of the unit vectors is within 1e-7 of the table and 2^-23 of fp32
            // rounding on the way: the mean of the pairs' dot products within four of each.
            EXPECT_NEAR(marked.y, score_by_engine(scene), 4 * (1e-7 + 0x1p-23)) << m << " " << n;
            EXPECT_THAT(marks_of<plot::Label>(panel).at(0).text,
                        HasSubstr("→ " + fixed_text(marked.y, 3)));
        }
    }
}

TEST(RotationFigure, CurvePassesThroughTheScoreOfEveryDistance) {
    for (const std::int64_t range : {1, 64, 1000, 1 << 20}) {
        Scene scene;
        scene.distance_range = range;
        const plot::Figure figure = figure_of(scene, "rotation");
        const auto line = marks_of<plot::Line>(panel_of(figure, "score")).at(0);
        const Spectrum spectrum = make_spectrum(rope_spec(scene));
        EXPECT_LE(line.points.size(), 1025U);
        EXPECT_EQ(line.points.front().x, -line.points.back().x);
        for (const plot::Point& point : line.points) {
            if (point.x == std::floor(point.x)) {
                const double score =
                    score_cosine(make_content(scene), spectrum, static_cast<std::int64_t>(point.x));
                // Mean of table entries with weights of at most cos + sin <= sqrt(2).
                ASSERT_NEAR(point.y, score, kArrow) << point.x;
            }
        }
    }
}

TEST(RotationFigure, TheMarkedScoresTextStandsClearOfTheCurve) {
    for (const auto& [rotary_dim, delta] : {std::pair{128, -7}, {128, -1}, {128, 60}, {2, -7}}) {
        Scene scene;
        scene.rotary_dim = rotary_dim;
        scene = with_existing_pairs(scene);
        scene.query_position = 100;
        scene.key_position = 100 + delta;
        const plot::Figure figure = figure_of(scene, "rotation");
        const plot::Panel& panel = panel_of(figure, "score");
        const plot::Label label = marks_of<plot::Label>(panel).at(0);
        // The text is about a sixth of the panel wide and 0.25 of a score high.
        const double bottom = label.at.y - 0.25 * label.anchor_y;
        const double left = label.at.x - 20 * label.anchor_x;
        EXPECT_LE(bottom + 0.25, panel.y.max);
        const plot::Line curve = marks_of<plot::Line>(panel).at(0);
        for (const plot::Point& point : curve.points) {
            const bool beside = point.x >= left && point.x <= left + 20;
            EXPECT_FALSE(beside && point.y > bottom && point.y < bottom + 0.25)
                << rotary_dim << " " << delta << " at " << point.x;
        }
    }
}

TEST(RotationFigure, SameContentScoresOneAtDistanceZero) {
    Scene scene;
    scene.content_angle_deg = 0;
    scene.key_position = scene.query_position;
    const plot::Figure figure = figure_of(scene, "rotation");
    EXPECT_DOUBLE_EQ(marks_of<plot::Points>(panel_of(figure, "score")).at(0).points.at(0).y, 1.0);
}

TEST(RotationFigure, PairKeepsItsContentWhenOthersComeAndGo) {
    Scene wide, narrow;
    narrow.rotary_dim = 16;
    const Content a = make_content(wide), b = make_content(narrow);
    for (std::size_t i = 0; i < b.q_rad.size(); ++i) {
        EXPECT_EQ(a.q_rad[i], b.q_rad[i]);
        EXPECT_EQ(a.k_rad[i], b.k_rad[i]);
        EXPECT_LE(std::abs(a.k_rad[i] - a.q_rad[i]), std::numbers::pi / 3 + 1e-15);
    }
}

/// Between two steps of what plays, arrows turn by the part of the step, each at its own speed.
TEST(RotationFigure, BetweenTwoStepsArrowsGoOn) {
    const auto engine = make_cpu_engine(1);
    Scene scene;
    const Picture picture = make_picture(scene, *engine);
    ASSERT_TRUE(picture.between);
    scene.query_position += 1;
    scene.key_position += 1;
    const plot::Figure next = figure_of(scene, "rotation");
    const plot::Figure there = picture.between(1.0), begin = picture.between(0.0);
    for (const std::int64_t pair : scene.pairs) {
        const std::string id = fmt::format("pair.{}", pair);
        const auto arrows = marks_of<plot::Vector>(panel_of(there, id));
        const auto wanted = marks_of<plot::Vector>(panel_of(next, id));
        const auto before = marks_of<plot::Vector>(panel_of(begin, id));
        const auto own = marks_of<plot::Vector>(panel_of(picture.figure, id));
        for (std::size_t i = 0; i < arrows.size(); ++i) {
            EXPECT_NEAR(arrows[i].to.x, wanted[i].to.x, 2 * kArrow) << id;
            EXPECT_NEAR(arrows[i].to.y, wanted[i].to.y, 2 * kArrow) << id;
            EXPECT_EQ(before[i].to, own[i].to) << id;
        }
        const plot::Arc arc = marks_of<plot::Arc>(panel_of(there, id)).at(1);
        const plot::Arc after = marks_of<plot::Arc>(panel_of(next, id)).at(1);
        EXPECT_NEAR(std::remainder(arc.first_rad - after.first_rad, 2 * std::numbers::pi), 0, 1e-9);
    }
}

}  // namespace
}  // namespace ropescope::figures
