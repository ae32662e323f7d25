#include "app/figures/table_view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "app/figures/describe.h"
#include "app/figures/table_grid.h"
#include "app/figures/text.h"
#include "app/plot/layout.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;

std::int64_t last_position(const Scene& scene) {
    return scene.first_position + scene.position_count - 1;
}

std::string title(const Scene& scene, const Spectrum& spectrum) {
    const int pairs = spectrum.pairs();
    int repeating = 0;
    for (int pair = 0; pair < pairs; ++pair) {
        const double turn = spectrum.wavelength_positions(pair);
        repeating += turn <= static_cast<double>(scene.position_count) ? 1 : 0;
    }
    const std::string within = counted(scene.position_count, "position");
    if (pairs == 1) {
        return fmt::format("The only pair is a wave {} positions long",
                           plot::number_text(spectrum.wavelength_positions(0)));
    }
    const char* waves = scene.base == 1.0 ? "Every pair is the same wave"
                                          : "Every pair is a wave of its own length";
    return fmt::format("{}: {} of {} {} within {}", waves, repeating, pairs,
                       repeating == 1 ? "repeats" : "repeat", within);
}

std::string subtitle(const Scene& scene, const TableGrid& grid) {
    std::string text =
        fmt::format("{} at positions {} to {}", quantity_text(grid.quantity),
                    whole_text(scene.first_position), whole_text(last_position(scene)));
    if (grid.block == 1) {
        text += grid.quantity == TableQuantity::angle ? ", from the fp32 cache."
                                                      : ", fp32 as a cache holds it.";
    } else {
        text += fmt::format("; a cell is the mean of {} positions{}.", grid.block,
                            grid.quantity == TableQuantity::angle
                                ? ", blank where a pair turns too far within it"
                                : "");
    }
    return text + fmt::format(" Below: pair {}.", scene.selected_pair);
}

/// Positions on the x axis: whole positions in the middle of their cells.
plot::Axis position_axis(const TableGrid& grid) {
    const double first = static_cast<double>(grid.first) - 0.5;
    return {.label = "position",
            .min = first,
            .max = first + static_cast<double>(grid.columns * grid.block),
            .integers = true};
}

double value_limit(TableQuantity quantity) {
    return quantity == TableQuantity::angle ? std::numbers::pi : 1.0;
}

bool shows_query(const Scene& scene) {
    return scene.query_position >= scene.first_position &&
           scene.query_position <= last_position(scene);
}

void add_query_rule(std::vector<plot::Mark>& marks, const Scene& scene, bool labelled) {
    if (shows_query(scene)) {
        marks.emplace_back(
            plot::Rule{.at = static_cast<double>(scene.query_position),
                       .role = Role::query,
                       .label = labelled ? "m = " + whole_text(scene.query_position) : ""});
    }
}

plot::Panel heat_panel(const Scene& scene, const TableGrid& grid) {
    const double limit = value_limit(grid.quantity);
    plot::Panel panel{
        .id = "table",
        .x = position_axis(grid),
        .y = {.label = "pair", .min = -0.5, .max = grid.pairs - 0.5, .integers = true},
        .color_bar = true};
    panel.marks.emplace_back(plot::HeatMap{.columns = grid.columns,
                                           .rows = grid.pairs,
                                           .values = grid.values,
                                           .x0 = panel.x.min,
                                           .y0 = -0.5,
                                           .dx = static_cast<double>(grid.block),
                                           .dy = 1,
                                           .min = -limit,
                                           .max = limit,
                                           .map = plot::ColorMap::diverging,
                                           .label = quantity_text(grid.quantity)});
    add_query_rule(panel.marks, scene, true);
    for (const double edge : {-0.5, 0.5}) {
        const double y = static_cast<double>(scene.selected_pair) + edge;
        panel.marks.emplace_back(plot::Line{
            .points = {{panel.x.min, y}, {panel.x.max, y}}, .role = Role::query, .width = 0.75});
    }
    return panel;
}

/// The selected pair between whole positions too where the table is not thinned, so that a wave
/// looks like one: samples 1/4 position apart. A thinned table gives its own row.
std::vector<Point> trace(const Scene& scene, const TableGrid& grid, const Spectrum& spectrum,
                         Engine& engine) {
    const int pair = static_cast<int>(scene.selected_pair);
    std::vector<Point> points;
    if (grid.block > 1) {
        const double middle = 0.5 * static_cast<double>(grid.block - 1);
        for (std::int64_t column = 0; column < grid.columns; ++column) {
            points.push_back({static_cast<double>(grid.first + column * grid.block) + middle,
                              static_cast<double>(grid.at(pair, column))});
        }
        return points;
    }
    constexpr std::int64_t kFiner = 4;
    const Spectrum one{.inv_freq_rad = {spectrum.inv_freq_rad[static_cast<std::size_t>(pair)] /
                                        static_cast<double>(kFiner)},
                       .attention_factor = spectrum.attention_factor};
    // The finer positions of a distant table lie beyond the engine's last one; whole ones do not.
    const std::int64_t finer = last_position(scene) * kFiner <= kMaxPosition ? kFiner : 1;
    const Spectrum whole{.inv_freq_rad = {spectrum.inv_freq_rad[static_cast<std::size_t>(pair)]},
                         .attention_factor = spectrum.attention_factor};
    const RotationTable table =
        engine.table(finer == 1 ? whole : one, grid.first * finer, (grid.columns - 1) * finer + 1);
    for (std::size_t row = 0; row < table.cos.size(); ++row) {
        const double x =
            static_cast<double>(grid.first) + static_cast<double>(row) / static_cast<double>(finer);
        points.push_back({x, quantity_value(grid.quantity, static_cast<double>(table.cos[row]),
                                            static_cast<double>(table.sin[row]))});
    }
    return points;
}

/// The trace as lines that break where an angle wraps around or a cell is blank.
void add_trace(std::vector<plot::Mark>& marks, const std::vector<Point>& points, Role role) {
    plot::Line line{.points = {}, .role = role};
    const auto finish = [&] {
        if (line.points.size() > 1) {
            marks.emplace_back(line);
        }
        line.points.clear();
    };
    for (const Point& point : points) {
        const bool wraps =
            !line.points.empty() && std::abs(point.y - line.points.back().y) > std::numbers::pi;
        if (wraps || std::isnan(point.y)) {
            finish();
        }
        if (!std::isnan(point.y)) {
            line.points.push_back(point);
        }
    }
    finish();
}

double exact_value(TableQuantity quantity, const Spectrum& spectrum, int pair,
                   std::int64_t position) {
    const double angle =
        reduced_angle_rad(position, spectrum.inv_freq_rad[static_cast<std::size_t>(pair)]);
    return quantity_value(quantity, std::cos(angle), std::sin(angle));
}

plot::Panel trace_panel(const Scene& scene, const TableGrid& grid, const Spectrum& spectrum,
                        Engine& engine) {
    const double limit = 1.15 * value_limit(grid.quantity);
    const int pair = static_cast<int>(scene.selected_pair);
    plot::Panel panel{
        .id = "trace",
        .title = fmt::format("pair {}", pair),
        .corners = {.top_right = "λ " + plot::number_text(spectrum.wavelength_positions(pair)) +
                                 " positions"},
        .x = position_axis(grid),
        .y = {.min = -limit, .max = limit},
        .row = 1};
    const Role role = grid.quantity == TableQuantity::cos   ? Role::cos_part
                      : grid.quantity == TableQuantity::sin ? Role::sin_part
                                                            : Role::text;
    add_query_rule(panel.marks, scene, false);
    add_trace(panel.marks, trace(scene, grid, spectrum, engine), role);
    if (shows_query(scene)) {
        const double value = exact_value(grid.quantity, spectrum, pair, scene.query_position);
        const auto x = static_cast<double>(scene.query_position);
        panel.marks.emplace_back(plot::Points{
            .points = {{x, value}}, .role = Role::query, .radius_px = 5, .ring = true});
    }
    return panel;
}

/// Long form: one row a drawn cell.
plot::DataTable data(const TableGrid& grid) {
    std::vector<std::int64_t> position, averaged, pairs;
    std::vector<double> values;
    const std::size_t cells = grid.values.size();
    position.reserve(cells);
    averaged.reserve(cells);
    pairs.reserve(cells);
    values.reserve(cells);
    for (std::int64_t column = 0; column < grid.columns; ++column) {
        for (int pair = 0; pair < grid.pairs; ++pair) {
            position.push_back(grid.first + column * grid.block);
            averaged.push_back(grid.block);
            pairs.push_back(pair);
            values.push_back(static_cast<double>(grid.at(pair, column)));
        }
    }
    return {{{"position", std::move(position)},
             {"positions_averaged", std::move(averaged)},
             {"pair", std::move(pairs)},
             {column_name(grid.quantity), std::move(values)}}};
}

/// Up to 16 positions by up to 16 pairs, in double.
std::string report(const Scene& scene, const TableGrid& grid, const Spectrum& spectrum) {
    const auto spread = [](std::int64_t count) {
        constexpr std::int64_t kMost = 16;
        const std::int64_t shown = std::min<std::int64_t>(count, kMost);
        std::vector<std::int64_t> chosen;
        for (std::int64_t i = 0; i < shown; ++i) {
            chosen.push_back(shown == 1 ? 0 : i * (count - 1) / (shown - 1));
        }
        return chosen;
    };
    const std::vector<std::int64_t> pairs = spread(grid.pairs);
    std::vector<std::string> header = {"position"};
    for (const std::int64_t pair : pairs) {
        header.push_back(fmt::format("pair {}", pair));
    }
    std::vector<std::vector<std::string>> rows;
    for (const std::int64_t offset : spread(scene.position_count)) {
        const std::int64_t position = scene.first_position + offset;
        rows.push_back({fmt::format("{}", position)});
        for (const std::int64_t pair : pairs) {
            rows.back().push_back(signed_text(
                exact_value(grid.quantity, spectrum, static_cast<int>(pair), position), 4));
        }
    }
    return text_table(header, rows) + "positions and pairs evenly chosen\n";
}

plot::Figure figure(const Scene& scene, Engine& engine) {
    const RopeSpec spec = rope_spec(scene);
    const Spectrum spectrum = make_spectrum(spec);
    const TableGrid grid = make_table_grid(scene, spectrum, engine);
    plot::Figure figure;
    figure.view = "table";
    figure.title = title(scene, spectrum);
    figure.subtitle = subtitle(scene, grid);
    figure.panels = {heat_panel(scene, grid), trace_panel(scene, grid, spectrum, engine)};
    figure.row_weights = {1.0, 0.32};
    figure.column_weights = {1.0};
    figure.data = data(grid);
    figure.report = report_head(figure, spec) + report(scene, grid, spectrum);
    return figure;
}

int pair_at(const RopeSpec& spec, double y) {
    const double last = spec.pairs() - 1;
    return std::isfinite(y) ? static_cast<int>(std::clamp(std::round(y), 0.0, last)) : 0;
}

std::int64_t position_at(const Scene& scene, double x) {
    const auto first = static_cast<double>(scene.first_position);
    const auto last = static_cast<double>(last_position(scene));
    return std::isfinite(x) ? static_cast<std::int64_t>(std::clamp(std::round(x), first, last))
                            : scene.first_position;
}

std::vector<plot::Readout> readouts(const Scene& scene, std::string_view panel, plot::Point at) {
    if (panel != "table" && panel != "trace") {
        return {};
    }
    const RopeSpec spec = rope_spec(scene);
    const Spectrum spectrum = make_spectrum(spec);
    const int pair = panel == "table" ? pair_at(spec, at.y) : static_cast<int>(scene.selected_pair);
    const std::int64_t position = position_at(scene, at.x);
    std::vector<plot::Readout> readouts = describe_pair(spec, spectrum, pair);
    readouts.push_back({"position", whole_text(position)});
    const auto add = [&](const char* name, TableQuantity quantity, const char* unit) {
        readouts.push_back(
            {name, signed_text(exact_value(quantity, spectrum, pair, position), 4) + unit});
    };
    add("angle", TableQuantity::angle, " rad");
    add("cos", TableQuantity::cos, "");
    add("sin", TableQuantity::sin, "");
    return readouts;
}

/// A cell selects its pair; the trace moves the query.
Scene clicked(const Scene& scene, std::string_view panel, plot::Point at) {
    Scene next = scene;
    if (panel == "table") {
        next.selected_pair = pair_at(rope_spec(scene), at.y);
    } else if (panel == "trace") {
        next.query_position = position_at(scene, at.x);
    }
    return next;
}

}  // namespace

View table_view() {
    return {
        .id = "table",
        .name = "Table",
        .group = "One pair, many speeds",
        .question = "What does the cache hold?",
        .parameters = {"table_quantity", "first_position", "position_count", "query_position",
                       "head_dim", "rotary_dim", "base", "layout", "selected_pair"},
        .figure = figure,
        .readouts = readouts,
        .clicked = clicked,
        .what_you_see =
            "The table that every implementation computes once and keeps: a column a position, a "
            "row a pair. The fast pairs at the bottom are short waves, the slow ones at the top "
            "hardly leave cos 0 = 1. A position is told by its whole column.",
        .what_to_try =
            "Raise the base: the waves stretch upwards. Show more positions: fast waves average "
            "to nothing, slow ones come into sight. Start far out: the table looks much the same, "
            "which is why precision there matters. Click a row to follow its pair.",
        .formulas = {"cos(m θ_{i}),  sin(m θ_{i})", "θ_{i} = base^{−2i/d}"},
        .formula_source = "RoFormer, eq. 34",
    };
}

}  // namespace ropescope::figures
