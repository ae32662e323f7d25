// Draws where two dumps part.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

#include "app/figures/difference/difference.h"
#include "app/plot/number_text.h"

namespace ropescope::figures {
namespace {

using diff::DifferenceMap;
using plot::Role;

/// "before the rotation", "behind it"
std::string_view stage_words(const DifferenceMap& map) {
    return map.tensor.ends_with("_rot") ? "behind the rotation" : "before the rotation";
}

double largest_of(const std::vector<double>& values) {
    double largest = 0.0;
    for (const double value : values) {
        largest = std::isnan(value) ? largest : std::max(largest, value);
    }
    return largest;
}

/// "; nothing differs", "; at most 37 times what rounding explains"
plot::Text largest_text(double largest) {
    if (largest == 0.0) {
        return plot::say("the same bit for bit");
    }
    if (!std::isfinite(largest)) {
        return plot::say("some numbers are not finite, or differ where nothing may");
    }
    return plot::say("at most {} times what rounding explains", plot::few_digits_text(largest, 3));
}

plot::Axis tokens_of(const DifferenceMap& map) {
    return {.label = "token", .min = -0.5, .max = to_double(map.tokens) - 0.5, .integers = true};
}

plot::Axis counted_axis(std::string label, Index count) {
    return {
        .label = std::move(label), .min = -0.5, .max = to_double(count) - 0.5, .integers = true};
}

plot::Panel head_panel(const DifferenceMap& map, int row, double decades) {
    plot::Panel panel{.id = map.tensor, .row = row};
    panel.title = plot::say("{}, {}, head {}: {}", map.tensor, stage_words(map), map.head,
                            largest_text(largest_of(map.of_head)));
    panel.x = tokens_of(map);
    panel.y = counted_axis(map.by_pair ? "pair" : "channel", map.places);
    add_difference_map(panel, map.of_head, map.columns(), to_double(map.together), decades);
    return panel;
}

plot::Panel heads_panel(const DifferenceMap& map, double decades) {
    plot::Panel panel{.id = "heads", .column = 1};
    panel.title =
        plot::say("{}, all heads: {}", map.tensor, largest_text(largest_of(map.of_heads)));
    panel.x = tokens_of(map);
    panel.y = counted_axis("head", map.heads);
    add_difference_map(panel, map.of_heads, map.columns(), to_double(map.together), decades);
    return panel;
}

/// How many vectors of each tensor differ in each layer.
plot::Panel layers_panel(const diff::DumpDifference& difference, int row) {
    plot::Panel panel{
        .id = "layers", .title = "share of the vectors that differ", .row = row, .column = 1};
    constexpr std::string_view kDrawn[] = {"q", "k", "q_rot", "k_rot"};
    constexpr Role kRoles[] = {Role::query, Role::key, Role::query, Role::key};
    for (std::size_t i = 0; i < std::size(kDrawn); ++i) {
        const bool behind = kDrawn[i].ends_with("_rot");
        plot::Points points{
            .points = {}, .role = kRoles[i], .radius_px = behind ? 3.0 : 5.0, .ring = !behind};
        for (const diff::LayerDifference& layer : difference.layers) {
            const auto found =
                std::ranges::find(layer.different, kDrawn[i], &diff::TensorDifference::name);
            const double share = found == layer.different.end()
                                     ? 0.0
                                     : to_double(found->different) / to_double(found->vectors);
            points.points.push_back({to_double(layer.layer.value_or(0)), share});
        }
        panel.marks.emplace_back(std::move(points));
    }
    const auto [first, last] =
        std::ranges::minmax(difference.layers, {}, &diff::LayerDifference::layer);
    panel.x = {.label = "layer",
               .min = to_double(first.layer.value_or(0)) - 0.5,
               .max = to_double(last.layer.value_or(0)) + 0.5,
               .integers = true};
    panel.y = {.label = "share", .min = -0.06, .max = 1.06};
    return panel;
}

std::vector<plot::LegendEntry> layers_legend() {
    using Kind = plot::LegendEntry::Kind;
    return {{"q before", Role::query, Kind::ring},
            {"k before", Role::key, Kind::ring},
            {"q_rot", Role::query, Kind::point},
            {"k_rot", Role::key, Kind::point}};
}

/// A row for each cell of the maps of one head.
plot::DataTable map_data(const diff::DifferenceMaps& maps) {
    std::vector<std::string> tensor;
    std::vector<std::int64_t> token, place;
    std::vector<double> apart;
    for (const DifferenceMap& map : maps.maps) {
        for (Index i = 0; i < map.places; ++i) {
            for (Index column = 0; column < map.columns(); ++column) {
                tensor.push_back(map.tensor);
                token.push_back(column * map.together);
                place.push_back(i);
                apart.push_back(map.of_head[i * map.columns() + column]);
            }
        }
    }
    const bool by_pair = !maps.maps.empty() && maps.maps.front().by_pair;
    return {{{"tensor", std::move(tensor)},
             {"first_token", std::move(token)},
             {by_pair ? "pair" : "channel", std::move(place)},
             {"difference_allowances", std::move(apart)}}};
}

plot::Text shown_part(const diff::DifferenceMaps& maps) {
    plot::Text text;
    if (maps.layer) {
        text += plot::say("The maps show layer {}. ", *maps.layer);
    }
    if (!maps.maps.empty() && maps.maps.front().row > 0) {
        text += plot::say("They show row {} of the batch. ", maps.maps.front().row);
    }
    return text;
}

}  // namespace

plot::Figure titled_difference(const diff::DiffReport& report, plot::Text subtitle) {
    std::string title = report.summary;
    if (!title.empty()) {
        title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    }
    plot::Figure figure;
    figure.view = "difference";
    figure.title = plot::say("{}", title);
    figure.subtitle = std::move(subtitle);
    figure.column_weights = {1.0};
    figure.report = plot::say("{}", report_text(report));
    return figure;
}

double decades_above(const std::vector<double>& allowances) {
    double most = 1.0;
    for (const double value : allowances) {
        most = value > 1.0 && std::isfinite(value) ? std::max(most, std::ceil(std::log10(value)))
                                                   : most;
    }
    return most;
}

void add_difference_map(plot::Panel& panel, const std::vector<double>& allowances,
                        std::int64_t columns, double column_width, double decades) {
    constexpr double kLeast = -2.0;  // what is below a hundredth of an allowance is drawn alike
    plot::HeatMap map{.columns = columns,
                      .rows = std::ssize(allowances) / std::max<std::int64_t>(columns, 1),
                      .x0 = panel.x.min,
                      .y0 = panel.y.min,
                      .dx = column_width,
                      .min = kLeast,
                      .max = decades,
                      .label = "log_{10} of the difference in allowances"};
    for (const double value : allowances) {
        map.values.push_back(
            static_cast<float>(std::isnan(value) ? value : std::max(std::log10(value), kLeast)));
    }
    panel.color_bar = true;
    panel.marks.emplace_back(std::move(map));
}

plot::Figure difference_figure(const diff::DumpDifference& difference,
                               const diff::DifferenceMaps& maps) {
    plot::Figure figure = titled_difference(
        report_of(difference), plot::say("A is {} and B is {}. ", difference.a, difference.b) +
                                   shown_part(maps) +
                                   plot::say("One allowance is what rounding explains."));
    double decades = 1.0;  // one range of colours for all maps
    for (const DifferenceMap& map : maps.maps) {
        decades = std::max(decades, decades_above(map.of_heads));
    }
    int row = 0;
    for (const DifferenceMap& map : maps.maps) {
        figure.panels.push_back(head_panel(map, row++, decades));
        figure.row_weights.push_back(1.0);
    }
    const bool heads = !maps.maps.empty() && maps.maps.back().heads > 1;
    const bool layers = difference.layers.size() > 1 || maps.maps.empty();
    if (heads) {
        figure.panels.push_back(heads_panel(maps.maps.back(), decades));
        figure.panels.back().row_span = layers ? 1 : std::max(row, 1);
    }
    if (layers) {
        figure.panels.push_back(layers_panel(difference, heads ? 1 : 0));
        figure.legend = layers_legend();
    }
    if (figure.row_weights.size() < 2 && heads && layers) {
        figure.row_weights.resize(2, 1.0);
        figure.panels.front().row_span = 2;
    }
    if (figure.row_weights.empty()) {
        figure.row_weights = {1.0};
    }
    if (heads || layers) {
        figure.column_weights = {1.3, 1.0};
    }
    figure.data = map_data(maps);
    return figure;
}

}  // namespace ropescope::figures
