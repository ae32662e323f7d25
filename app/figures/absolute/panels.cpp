#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/absolute/state.h"
#include "app/figures/text.h"

namespace ropescope::figures {
namespace {

using plot::Role;

constexpr std::int64_t kMostColumns = 256;
constexpr std::int64_t kMostRows = 256;

plot::Line term_line(const AbsoluteState& state, double AdditiveTerms::*term, Role role,
                     bool dashed, std::string label) {
    plot::Line line{
        .points = {}, .role = role, .width = 0.8, .dashed = dashed, .label = std::move(label)};
    for (const AbsoluteScores& at : state.scores) {
        line.points.push_back({static_cast<double>(at.m), at.additive.*term});
    }
    return line;
}

}  // namespace

plot::Panel sinusoidal_panel(const AbsoluteState& state) {
    const std::int64_t columns = std::min(state.count, kMostColumns);
    const std::int64_t channels = state.spec.rotary_dim;
    const std::int64_t rows = std::min(channels, kMostRows);
    plot::HeatMap map{.columns = columns,
                      .rows = rows,
                      .values = {},
                      .x0 = -0.5,
                      .y0 = -0.5,
                      .dx = static_cast<double>(state.count) / static_cast<double>(columns),
                      .dy = static_cast<double>(channels) / static_cast<double>(rows),
                      .min = -1,
                      .max = 1,
                      .map = plot::ColorMap::diverging,
                      .label = "p_{m}"};
    // Of a wide table every n-th pair, its sine and its cosine.
    Spectrum shown;
    for (std::int64_t pair = 0; pair < rows / 2; ++pair) {
        const std::int64_t of = pair * (channels / 2) / (rows / 2);
        shown.inv_freq_rad.push_back(state.spectrum.inv_freq_rad[static_cast<std::size_t>(of)]);
    }
    map.values.assign(static_cast<std::size_t>(rows * columns), 0.0F);
    for (std::int64_t column = 0; column < columns; ++column) {
        const auto p = sinusoidal_row(shown, column * state.count / columns);
        for (std::int64_t row = 0; row < rows; ++row) {
            map.values[static_cast<std::size_t>(row * columns + column)] =
                static_cast<float>(p[static_cast<std::size_t>(row)]);
        }
    }
    plot::Panel panel{.id = "sinusoidal",
                      .title = "sinusoidal table p_{m}",
                      .x = {.label = "position m",
                            .min = -0.5,
                            .max = static_cast<double>(state.count) - 0.5,
                            .integers = true},
                      .y = {.label = "channel: sin, cos",
                            .min = -0.5,
                            .max = static_cast<double>(channels) - 0.5,
                            .integers = true},
                      .color_bar = true};
    panel.marks.emplace_back(std::move(map));
    return panel;
}

plot::Panel shift_panel(const AbsoluteState& state) {
    Spectrum shown{.inv_freq_rad = state.spectrum.inv_freq_rad};
    shown.inv_freq_rad.resize(std::min(shown.inv_freq_rad.size(), kMapChannels / 2));
    const std::vector<double> map = shift_map(shown, state.shift);
    const std::size_t size = 2 * shown.inv_freq_rad.size();
    plot::HeatMap heat{.columns = static_cast<std::int64_t>(size),
                       .rows = static_cast<std::int64_t>(size),
                       .values = {},
                       .min = -1,
                       .max = 1,
                       .map = plot::ColorMap::diverging};
    for (std::size_t row = 0; row < size; ++row) {
        for (std::size_t column = 0; column < size; ++column) {
            // Row 0 of the matrix on top.
            heat.values.push_back(static_cast<float>(map[(size - 1 - row) * size + column]));
        }
    }
    const auto end = static_cast<double>(size);
    plot::Panel panel{.id = "shift",
                      .title = fmt::format("shift map M_{{{}}}", state.shift),
                      .corners = {.top_right = fmt::format("channels 0 to {}", size - 1),
                                  .bottom_left = "p_{m+s} = M_{s} p_{m}, every m"},
                      // Room for the words above and below.
                      .x = {.min = -0.15 * end, .max = 1.15 * end, .visible = false},
                      .y = {.min = -0.15 * end, .max = 1.15 * end, .visible = false},
                      .equal_aspect = true,
                      .column = 1};
    panel.marks.emplace_back(std::move(heat));
    return panel;
}

plot::Panel terms_panel(const AbsoluteState& state) {
    plot::Line sum{.points = {}, .role = Role::wrong, .width = 1.2, .label = "their sum"};
    plot::Line rope{.points = {}, .role = Role::query, .width = 1.6, .label = "RoPE"};
    double least = 0, most = 0;
    for (const AbsoluteScores& at : state.scores) {
        const auto m = static_cast<double>(at.m);
        sum.points.push_back({m, at.additive.sum()});
        rope.points.push_back({m, at.rope});
        for (const double value :
             {at.rope, at.additive.sum(), at.additive.content_content, at.additive.content_position,
              at.additive.position_content, at.additive.position_position}) {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    }
    const double margin = 0.08 * (most - least) + 1e-9;
    plot::Panel panel{.id = "terms",
                      .title = "score at one distance, slid along the sequence",
                      .corners = {.top_right = "n − m = " + whole_text(state.delta)},
                      .x = {.label = "position m of the query",
                            .min = static_cast<double>(state.scores.front().m),
                            .max = std::max(static_cast<double>(state.scores.back().m),
                                            static_cast<double>(state.scores.front().m) + 1),
                            .integers = true},
                      .y = {.min = least - margin, .max = most + margin},
                      .row = 1,
                      .column_span = 2};
    panel.marks = {
        term_line(state, &AdditiveTerms::content_content, Role::text, true, "content · content"),
        term_line(state, &AdditiveTerms::content_position, Role::key, false, "content · position"),
        term_line(state, &AdditiveTerms::position_content, Role::key, true, "position · content"),
        term_line(state, &AdditiveTerms::position_position, Role::dim, false,
                  "position · position"),
        std::move(sum),
        std::move(rope)};
    return panel;
}

}  // namespace ropescope::figures
