// Marks as no figure should have them.
#pragma once

#include <limits>
#include <vector>

#include "app/plot/figure.h"

namespace ropescope::test {

/// One of each mark with every kind of wild number.
inline std::vector<plot::Mark> wild_marks() {
    using namespace plot;
    constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
    constexpr double kEndless = std::numeric_limits<double>::infinity();
    std::vector<Mark> marks;
    const std::vector<double> wild = {kNoNumber, kEndless, -kEndless, 0, -1, 1e300, -1e308, 1e-320};
    for (const double a : wild) {
        for (const double b : wild) {
            marks.emplace_back(Line{.points = {{0, 0}, {a, b}, {b, a}, {1, 1}}, .label = "line"});
            marks.emplace_back(Line{.points = {{a, b}, {0.5, 0.5}}, .dash = Dash::dashed});
            marks.emplace_back(Points{.points = {{a, b}}, .radius_px = 5, .ring = true});
            marks.emplace_back(Vector{.from = {0, 0}, .to = {a, b}, .label = "v"});
            marks.emplace_back(Arc{.center = {a, 0}, .radius = b});
            marks.emplace_back(Arc{.center = {0, 0}, .radius = 1, .first_rad = a, .last_rad = b});
            marks.emplace_back(Rule{.vertical = a > b, .at = a, .label = "rule"});
            marks.emplace_back(Band{.vertical = a < b, .first = a, .last = b, .label = "band"});
            marks.emplace_back(
                Area{.low = {{0, 0}, {a, b}, {1, 0}}, .high = {{0, 1}, {b, a}, {1, b}}});
            marks.emplace_back(Label{.at = {a, b}, .text = "label"});
            marks.emplace_back(HeatMap{.columns = 2,
                                       .rows = 1,
                                       .values = {static_cast<float>(kNoNumber), 1},
                                       .x0 = a,
                                       .dx = b,
                                       .min = a,
                                       .max = b});
        }
    }
    marks.emplace_back(Line{});
    marks.emplace_back(Points{});
    marks.emplace_back(HeatMap{});
    marks.emplace_back(HeatMap{.columns = 1000, .rows = 1000, .values = {1}});
    return marks;
}

}  // namespace ropescope::test
