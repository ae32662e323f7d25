#include "app/figures/table/view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/describe.h"
#include "app/figures/table/panels.h"
#include "app/figures/text.h"
#include "app/plot/layout.h"
#include "app/scene/scene_scaling.h"

namespace ropescope::figures {
namespace {

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
    const std::string first = whole_text(scene.first_position);
    std::string text = quantity_text(grid.quantity);
    text += scene.position_count == 1
                ? " at position " + first
                : " at positions " + first + " to " + whole_text(last_position(scene));
    if (grid.block == 1) {
        text += grid.quantity == TableQuantity::angle ? ", from the fp32 cache."
                                                      : ", fp32 as a cache holds it.";
    } else {
        text += fmt::format("; a cell is the mean of {} positions{}.", whole_text(grid.block),
                            grid.quantity == TableQuantity::angle
                                ? ", blank where a pair turns too far within it"
                                : "");
    }
    return text + fmt::format(" Below: pair {}.", scene.selected_pair);
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

plot::Figure figure(const Scene& scene, Engine& engine, const Work& work) {
    const RopeSpec spec = rope_spec(scene);
    const Spectrum spectrum = make_spectrum(spec);
    const std::unique_ptr<TensorOps> ops = engine.tensor_ops();
    const bool live = work.draws_from(engine);
    const TableGrid grid = make_table_grid(scene, spectrum, *ops, live);
    plot::Figure figure;
    figure.view = "table";
    figure.title = title(scene, spectrum);
    figure.subtitle = subtitle(scene, grid);
    figure.panels = {heat_panel(scene, grid), trace_panel(scene, grid, spectrum, *ops)};
    figure.row_weights = {1.0, 0.4};
    figure.column_weights = {1.0};
    if (!live) {
        figure.data = data(grid);
        figure.report = report_head(figure, spec) + report(scene, grid, spectrum);
    }
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
        .parameters = with_scaling_parameters({"table_quantity", "first_position", "position_count",
                                               "query_position", "head_dim", "rotary_dim", "base",
                                               "layout", "selected_pair"}),
        .figure = figure,
        .readouts = readouts,
        .clicked = clicked,
        .what_you_see =
            "The table that every implementation computes once and keeps: a column a position, a "
            "row a pair. The fast pairs at the bottom are short waves, the slow ones at the top "
            "change little from column to column. A position is told by its whole column.",
        .what_to_try =
            "Raise the base: the waves stretch. Show more positions: fast waves average to "
            "nothing, slow ones come into sight. Start far out: the waves go on the same, but "
            "their angles are large there, where low precision shows. Click a row to follow it.",
        .formulas = {"cos(m θ_{i}),  sin(m θ_{i})", "θ_{i} = base^{−2i/d}"},
        .formula_source = "RoFormer, eq. 34",
    };
}

}  // namespace ropescope::figures
