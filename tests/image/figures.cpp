#include "tests/image/figures.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace ropescope::test {

using namespace plot;

Figure lines_figure(double shift) {
    Figure figure{.view = "lines",
                  .title = "Slow pairs see far, fast ones see near",
                  .subtitle = "θ_{i} = base^{−2i/d}, three bases"};
    figure.legend = {{"missing values", Role::wrong, LegendEntry::Kind::line, Dash::dashed}};
    Panel panel{.id = "spectrum", .title = "spectrum"};
    panel.x = {.label = "pair i", .min = 0, .max = 31, .integers = true};
    panel.y = {.label = "wavelength (positions)", .min = 5, .max = 2e6, .scale = AxisScale::log10};
    panel.marks.emplace_back(Band{.first = 20, .last = 31, .label = "slow"});
    panel.marks.emplace_back(Rule{.vertical = false, .at = 4096, .label = "context"});
    const std::vector<std::pair<double, Role>> bases = {
        {1e4, Role::query}, {1e5, Role::key}, {1e6, Role::sin_part}};
    for (const auto& [base, role] : bases) {
        Line line{.role = role, .label = "base 10^{" + std::to_string(int(std::log10(base))) + "}"};
        for (int i = 0; i < 32; ++i) {
            line.points.push_back(
                {i + (base == 1e4 ? shift : 0), 2 * std::numbers::pi * std::pow(base, i / 32.0)});
        }
        panel.marks.emplace_back(line);
    }
    Panel wave{.id = "wave", .row = 1};
    wave.x = {.min = -16, .max = 16, .integers = true, .signs = true};
    wave.y = {.min = -1.2, .max = 1.2};
    Line cosine{.role = Role::cos_part, .width = 1.5, .label = "cos"};
    Line broken{.role = Role::wrong, .dash = Dash::dashed, .label = "missing values"};
    Points rings{.role = Role::query, .radius_px = 4, .ring = true};
    for (int i = -64; i <= 64; ++i) {
        const double x = i / 4.0;
        cosine.points.push_back({x, std::cos(x / 2)});
        broken.points.push_back(
            {x, i % 16 == 0 ? std::numeric_limits<double>::quiet_NaN() : std::sin(x / 2)});
        if (i % 16 == 8) {
            rings.points.push_back({x, std::cos(x / 2)});
        }
    }
    wave.marks = {Rule{.at = 3, .label = "n − m"}, cosine, broken, rings,
                  Label{.at = {-15, -1}, .text = "label −0.5", .mono = true}};
    figure.panels = {panel, wave};
    figure.row_weights = {1.4, 1};
    return figure;
}

Figure planes_figure() {
    Figure figure{.view = "planes",
                  .title = "Each pair turns at its own speed",
                  .subtitle = "two of many pairs",
                  .legend = {{"q", Role::query, LegendEntry::Kind::arrow},
                             {"k", Role::key, LegendEntry::Kind::arrow},
                             {"trail", Role::dim, LegendEntry::Kind::point},
                             {"band", Role::selected, LegendEntry::Kind::box}}};
    for (int i = 0; i < 2; ++i) {
        Panel panel{.id = "pair", .equal_aspect = true, .selected = i == 1};
        panel.corners = {"pair " + std::to_string(8 * i), "λ 19.87", "θ 0.3162", "−2.214"};
        panel.x = {.min = -1.2, .max = 1.2, .visible = false};
        panel.y = panel.x;
        panel.column = i;
        Points trail{.role = Role::query, .opacity = 0.8, .opacity_first = 0.1};
        for (int m = 0; m <= 12; ++m) {
            const double angle = 0.3 + m * (i == 0 ? 0.5 : 0.15);
            trail.points.push_back({std::cos(angle), std::sin(angle)});
        }
        panel.marks = {Line{.points = {{-1.1, 0}, {1.1, 0}}, .role = Role::grid, .width = 0.5},
                       Arc{},
                       Arc{.radius = 0.4, .first_rad = -1, .last_rad = 2, .role = Role::dim},
                       trail,
                       Vector{.to = {0.54, -0.84}, .role = Role::key, .label = "k"},
                       Vector{.to = trail.points.back()}};
        figure.panels.push_back(panel);
    }
    Panel wide{.id = "score", .title = "score", .row = 1, .column_span = 2};
    wide.x = {.min = 0, .max = 1};
    wide.y = {.min = 0, .max = 1};
    wide.marks = {Line{.points = {{0, 0.1}, {0.4, 0.9}, {1, 0.5}}, .role = Role::text}};
    figure.panels.push_back(wide);
    figure.row_weights = {1.6, 1};
    return figure;
}

Figure heat_figure(int columns) {
    Figure figure{.view = "heat", .title = "Cells stay cells", .subtitle = "cos and its square"};
    for (const ColorMap map : {ColorMap::diverging, ColorMap::viridis}) {
        HeatMap heat{.columns = columns, .rows = 12, .map = map, .label = "cos(mθ)"};
        heat.min = map == ColorMap::diverging ? -1 : 0;
        for (int row = 0; row < 12; ++row) {
            for (int column = 0; column < columns; ++column) {
                const double value = std::cos(column * std::pow(10, -row / 6.0));
                heat.values.push_back(
                    static_cast<float>(map == ColorMap::diverging ? value : value * value));
            }
        }
        heat.values[30] = std::numeric_limits<float>::quiet_NaN();
        Panel panel{.id = "heat", .color_bar = true, .column = map == ColorMap::viridis ? 1 : 0};
        panel.x = {
            .label = "position", .min = 0, .max = static_cast<double>(columns), .integers = true};
        panel.y = {.label = "pair", .min = 12, .max = 0, .integers = true};
        panel.marks = {heat};
        figure.panels.push_back(panel);
    }
    return figure;
}

}  // namespace ropescope::test
