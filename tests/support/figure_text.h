// A figure as text, every number exact: two figures are equal when their texts are.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>

#include "app/plot/figure.h"

namespace ropescope::plot {

struct MarkText {
    std::string& out;

    static std::string text(const std::vector<Point>& points) {
        std::string joined;
        for (const Point& point : points) {
            joined += fmt::format("{} {}, ", point.x, point.y);
        }
        return joined;
    }
    void operator()(const Line& m) const {
        out += fmt::format("line {} {} {} {} {} {}\n", text(m.points), static_cast<int>(m.role),
                           m.width, static_cast<int>(m.dash), m.opacity, m.label);
    }
    void operator()(const Points& m) const {
        out +=
            fmt::format("points {} {} {} {} {} {} {}\n", text(m.points), static_cast<int>(m.role),
                        m.radius_px, m.ring, m.opacity, m.opacity_first, m.label);
    }
    void operator()(const Vector& m) const {
        out += fmt::format("vector {} {} {}\n", text({m.from, m.to}), static_cast<int>(m.role),
                           m.label);
    }
    void operator()(const Arc& m) const {
        out += fmt::format("arc {} {} {} {} {} {}\n", text({m.center}), m.radius, m.first_rad,
                           m.last_rad, static_cast<int>(m.role), m.width);
    }
    void operator()(const Rule& m) const {
        out += fmt::format("rule {} {} {} {} {}\n", m.vertical, m.at, static_cast<int>(m.role),
                           m.dashed, m.label);
    }
    void operator()(const Band& m) const {
        out += fmt::format("band {} {} {} {} {} {}\n", m.vertical, m.first, m.last,
                           static_cast<int>(m.role), m.opacity, m.label);
    }
    void operator()(const Area& m) const {
        out += fmt::format("area {} {} {} {}\n", text(m.low), text(m.high),
                           static_cast<int>(m.role), m.opacity);
    }
    void operator()(const Label& m) const {
        out += fmt::format("label {} {} {} {} {} {} {}\n", text({m.at}), m.text,
                           static_cast<int>(m.role), m.anchor_x, m.anchor_y, m.mono, m.width);
    }
    void operator()(const Facts& m) const {
        for (const Facts::Fact& fact : m.rows) {
            out +=
                fmt::format("fact {} {} {}\n", fact.name, fact.text, static_cast<int>(fact.role));
        }
    }
    void operator()(const HeatMap& m) const {
        out += fmt::format("heat {} {} {} {} {} {} {} {} {} {} {}\n", m.columns, m.rows,
                           fmt::join(m.values, ","), m.x0, m.y0, m.dx, m.dy, m.min, m.max,
                           static_cast<int>(m.map), m.label);
    }
};

inline std::string axis_text(const Axis& axis) {
    return fmt::format("{} {} {} {} {} {} {}", axis.label, axis.min, axis.max,
                       static_cast<int>(axis.scale), axis.visible, axis.integers, axis.signs);
}

inline std::string figure_text(const Figure& figure) {
    std::string out = fmt::format("{}\n{}\n{}\n{} {}\n{}\n", figure.view, figure.title,
                                  figure.subtitle, fmt::join(figure.row_weights, ","),
                                  fmt::join(figure.column_weights, ","), figure.report);
    for (const LegendEntry& entry : figure.legend) {
        out += fmt::format("legend {} {} {}\n", entry.label, static_cast<int>(entry.role),
                           static_cast<int>(entry.kind));
    }
    for (const Panel& panel : figure.panels) {
        out +=
            fmt::format("panel {} {} {} {} {} {} x[{}] y[{}] {} {} {} at {} {} {} {}\n", panel.id,
                        panel.title, panel.corners.top_left, panel.corners.top_right,
                        panel.corners.bottom_left, panel.corners.bottom_right, axis_text(panel.x),
                        axis_text(panel.y), panel.equal_aspect, panel.selected, panel.color_bar,
                        panel.row, panel.column, panel.row_span, panel.column_span);
        for (const Mark& mark : panel.marks) {
            std::visit(MarkText{out}, mark);
        }
    }
    for (const Column& column : figure.data.columns) {
        out += column.name + ":";
        std::visit([&](const auto& values) { out += fmt::format("{}\n", fmt::join(values, ",")); },
                   column.values);
    }
    return out;
}

}  // namespace ropescope::plot
