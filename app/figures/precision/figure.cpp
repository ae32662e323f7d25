// Puts the precision view together: its words, its panels, the values under the cursor and clicks.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <string_view>
#include <vector>

#include "app/figures/precision/precision.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"
#include "core/base/memo.h"

namespace ropescope::figures {
namespace {

using plot::Role;
using plot::say;

using plot::Dash;

struct Look {
    Role role;
    Dash dash = Dash::none;
};

/// In the order of precision_chains().
constexpr std::array<Look, 8> kLooks = {{{Role::text},
                                         {Role::text, Dash::dashed},
                                         {Role::first},
                                         {Role::first, Dash::dashed},
                                         {Role::second, Dash::dotted},
                                         {Role::second, Dash::long_dash},
                                         {Role::third, Dash::dash_dot},
                                         {Role::text, Dash::dotted}}};

plot::Axis position_axis(const PrecisionState& state, std::string label) {
    return {.label = std::move(label),
            .min = 1,
            .max = to_double(state.positions.back()),
            .scale = plot::AxisScale::log10};
}

plot::Line curve_line(const PrecisionState& state, Index chain, const std::vector<double>& values) {
    const ChainCurves& curves = state.chains[chain];
    const Look look = kLooks[chain % std::ssize(kLooks)];
    plot::Line line{.points = {},
                    .role = look.role,
                    .width = curves.chain == state.selected ? 1.6 : 0.8,
                    .dash = look.dash,
                    .opacity = curves.chain == state.selected ? 1.0 : 0.85};
    for (Index i = 0; i < std::ssize(values); ++i) {
        line.points.push_back(
            {to_double(state.positions[i]), std::max(values[i], kPrecisionFloor)});
    }
    return line;
}

/// The places of the chains that have a line. Unless all are asked for, these are three: the
/// selected one, and the first two others of three that differ most: the error of one stays as it
/// is, that of the next jumps early, and that of the last grows slowly.
std::vector<Index> chains_with_a_line(const PrecisionState& state) {
    constexpr std::array<std::string_view, 3> kFirst = {"bf16_table", "bf16_positions",
                                                        "fp32_angle"};
    constexpr std::size_t kFew = 3;
    std::vector<const PrecisionChain*> chosen = {state.selected};
    for (const std::string_view id : kFirst) {
        const PrecisionChain* const chain = &precision_chain(id);
        if (chosen.size() < kFew && std::ranges::count(chosen, chain) == 0) {
            chosen.push_back(chain);
        }
    }
    std::vector<Index> places;
    for (Index i = 0; i < std::ssize(state.chains); ++i) {
        if (state.lines == PrecisionLines::all ||
            std::ranges::count(chosen, state.chains[i].chain) > 0) {
            places.push_back(i);
        }
    }
    return places;
}

/// Adds the curves, the selected one on top.
void add_curves(plot::Panel& panel, const PrecisionState& state,
                std::vector<double> ChainCurves::*values) {
    Index selected = 0;
    for (const Index i : chains_with_a_line(state)) {
        if (state.chains[i].chain == state.selected) {
            selected = i;
        } else {
            panel.marks.emplace_back(curve_line(state, i, state.chains[i].*values));
        }
    }
    panel.marks.emplace_back(curve_line(state, selected, state.chains[selected].*values));
}

plot::Axis error_axis() {
    return {.label = "", .min = kPrecisionFloor, .max = 10, .scale = plot::AxisScale::log10};
}

/// One line for each chain.
std::vector<plot::LegendEntry> chain_legend(const PrecisionState& state) {
    using Kind = plot::LegendEntry::Kind;
    std::vector<plot::LegendEntry> legend;
    for (const Index i : chains_with_a_line(state)) {
        const Look look = kLooks[i % std::ssize(kLooks)];
        legend.push_back({state.chains[i].chain->title, look.role, Kind::line, look.dash});
    }
    return legend;
}

/// The selected chain's error at the query's position, on its curve and in words.
void mark_query_position(plot::Panel& panel, const PrecisionState& state) {
    const double error = std::ranges::max(chain_error(*state.selected, state.spectrum, state.m));
    panel.corners.top_right = say("at m = {}: {}", whole_text(state.m), plot::number_text(error));
    if (state.m > 0) {  // zero has no place on a logarithmic axis
        panel.marks.emplace_back(plot::Rule{.at = to_double(state.m), .of_selection = true});
        panel.marks.emplace_back(
            plot::Points{.points = {{to_double(state.m), std::max(error, kPrecisionFloor)}},
                         .role = Role::text,
                         .radius_px = 4.5,
                         .ring = true,
                         .of_selection = true});
    }
}

plot::Panel error_panel(const PrecisionState& state) {
    plot::Panel panel{.id = "error",
                      .title = "largest error of cos and sin, sampled",
                      .x = position_axis(state, ""),
                      .y = error_axis()};
    add_curves(panel, state, &ChainCurves::error);
    mark_query_position(panel, state);
    return panel;
}

plot::Panel violation_panel(const PrecisionState& state) {
    plot::Panel panel{.id = "violation",
                      .title = "largest change of a score",
                      .corners = {.top_right = "both moved, over |q| |k|"},
                      .x = position_axis(state, "position, or shift of both positions (tokens)"),
                      .y = error_axis(),
                      .row = 1};
    add_curves(panel, state, &ChainCurves::worst);
    return panel;
}

plot::Panel by_pair_panel(const PrecisionState& state) {
    const Index steps = std::ssize(state.positions);
    const Index pairs = state.sampled.pairs();
    const double last = to_double(state.spec.pairs() - 1);
    plot::Panel panel{.id = "by_pair",
                      .title = say("error by pair: {}", state.selected->title),
                      .x = {.label = "position, 2^{x}", .min = 0, .max = 20, .integers = true},
                      .y = {.label = "pair", .min = -0.5, .max = last + 0.5, .integers = true},
                      .color_bar = true,
                      .column = 1,
                      .row_span = 2};
    panel.marks.emplace_back(plot::HeatMap{.columns = steps,
                                           .rows = pairs,
                                           .values = state.by_pair,
                                           .x0 = 0,
                                           .y0 = -0.5,
                                           .dx = 20.0 / to_double(steps),
                                           .dy = (last + 1) / to_double(pairs),
                                           .min = -10,
                                           .max = 0.3,
                                           .label = "log_{10} of the error"});
    return panel;
}

/// With as many digits, but at least two, as show that the value lies below the limit.
plot::Number text_below(double value, double limit) {
    int digits = 2;
    while (digits < 17 &&
           std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr) >= limit) {
        ++digits;
    }
    return plot::few_digits_text(value, digits);
}

plot::Text title(const PrecisionState& state) {
    const ChainCurves& curves = state.curves();
    const Reached& off = curves.reached[1];
    static_assert(kErrorLevels[1] == 1e-2);
    const std::string chain = curves.chain->title;
    const plot::Number level = plot::number_text(kErrorLevels[1]), at = whole_text(off.position);
    if (off.position >= 0) {
        return off.exact
                   ? say("{}: cos and sin are first off by {} at position {}", chain, level, at)
                   : say("{}: cos and sin are off by {} at position {} or earlier", chain, level,
                         at);
    }
    const plot::Number last = whole_text(state.positions.back());
    const plot::Number largest =
        text_below(*std::ranges::max_element(curves.error), kErrorLevels[1]);
    return off.exact
               ? say("{}: cos and sin are off by less than {} up to position {}; largest seen {}",
                     chain, level, last, largest)
               : say("{}: no error of {} seen up to position {}; largest seen {}", chain, level,
                     last, largest);
}

/// The values of all curves of a panel at a position, drawn there or not.
using ValuesAt = std::vector<double> (PrecisionState::*)(Index position) const;

Index position_at(double x) {
    return plot::pick_whole(x, 1, kMaxPosition);
}

plot::Figure figure(const Scene& scene, const PrecisionState& state) {
    plot::Figure figure;
    figure.view = "precision";
    figure.title = title(state);
    figure.subtitle =
        say("Sampled positions to {}, each rounding as hardware does it. Scores: m = {}, n = {}, "
            "moved together.",
            whole_text(state.positions.back()), whole_text(state.m), whole_text(state.n));
    figure.subtitle += without_scaling_text(scene_scaling(scene));
    figure.legend = chain_legend(state);
    figure.row_weights = {1.0, 1.0};
    figure.column_weights = {1.6, 1.0};
    figure.data = precision_data(state);
    figure.report = report_head(figure, state.spec) + precision_report(state);
    return figure;
}

/// The pair and the position under the cursor of the map, whose x axis is log2 of the position.
std::vector<plot::Readout> pair_readouts(const PrecisionState& state, plot::Point at) {
    const Index pair = plot::pick_index(at.y, state.spec.pairs());
    const Index position = position_at(std::exp2(std::clamp(at.x, 0.0, 20.0)));
    const auto errors = chain_error(*state.selected, state.spectrum, position);
    std::vector<plot::Readout> readouts = describe_pair(state.spec, state.spectrum, pair);
    readouts.push_back({"position", whole_text(position)});
    readouts.push_back({"error", plot::number_text(errors[pair])});
    return readouts;
}

/// Of a panel of curves. A click selects the chain whose curve is nearest to the cursor.
Answers curve_answers(const std::shared_ptr<const PrecisionState>& state, const char* x_name,
                      ValuesAt values_at) {
    const auto readouts = [=](const PrecisionState& of, plot::Point at) {
        const Index position = position_at(at.x);
        std::vector<plot::Readout> found = {{x_name, whole_text(position)}};
        const std::vector<double> values = (of.*values_at)(position);
        for (const Index i : chains_with_a_line(of)) {
            found.push_back({precision_chains()[i].title, plot::number_text(values[i])});
        }
        return found;
    };
    const auto clicked = [=](const PrecisionState& of, Scene scene, plot::Point at) {
        if (at.y > 0) {
            const std::vector<double> values = (of.*values_at)(position_at(at.x));
            const auto far = [&](Index i) {
                return std::abs(std::log10(std::max(values[i], kPrecisionFloor)) -
                                std::log10(at.y));
            };
            const std::vector<Index> drawn = chains_with_a_line(of);
            scene.precision_chain =
                precision_chains()[*std::ranges::min_element(drawn, {}, far)].id;
        }
        return scene;
    };
    return {state, readouts, clicked};
}

Picture make(const Scene& scene, Engine&, const Work& work) {
    const auto state = make_precision_state(scene, work);
    Picture picture{.figure = figure(scene, *state), .draft = state->draft};
    picture.add(error_panel(*state), curve_answers(state, "position", &PrecisionState::errors_at));
    picture.add(violation_panel(*state),
                curve_answers(state, "both moved by", &PrecisionState::violations_at));
    picture.add(by_pair_panel(*state), {state, pair_readouts});
    return picture;
}

}  // namespace

View precision_view() {
    return {
        .id = "precision",
        .key = '7',
        .name = "Precision",
        .group = "Where it breaks",
        .question = "When do low bits hurt?",
        .parameters = {"precision_chain", "precision_lines", "query_position", "key_position",
                       "head_dim", "rotary_dim", "base", "layout"},
        .also_read = {"scaling"},
        .make = make,
        .carries_results = true,
        .what_you_see =
            "A line is one way to compute the table, with each rounding as hardware does it. "
            "The panels show how far cos and sin are off, which pairs are off, and whether a score "
            "still depends on the distance alone.",
        .what_to_try =
            "Click a line, or show the lines of all ways. A 16-bit table costs the same at every "
            "position; 16-bit frequencies or "
            "positions get worse with distance. Frequencies in bf16 are wrong, but scores still "
            "depend on the distance; in bf16, position 257 is the same number as 256.",
        .formulas = {"error ≤ m θ_{i} (u_{m} + u_{θ} + u_{angle}) + u_{cos} + u_{table}",
                     "z_{m+s}^{*} z_{n+s} = z_{m}^{*} z_{n}"},
        .formula_source =
            "u: half a unit of each format, to first order; pair i of a running "
            "product has 2i times that of the angle more; z = cos + i sin, computed",
    };
}

}  // namespace ropescope::figures
