// Makes the table view's picture: title, panels, values under the cursor, clicks.
#include <fmt/format.h>

#include "app/figures/describe.h"
#include "app/figures/table/panels.h"
#include "app/figures/text.h"
#include "app/figures/views.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"

namespace ropescope::figures {
namespace {

std::string title(const TableState& state) {
    const Spectrum& spectrum = state.spectrum;
    const Index pairs = spectrum.pairs();
    Index finished = 0;
    for (Index pair = 0; pair < pairs; ++pair) {
        const double turn = spectrum.wavelength_positions(pair);
        finished += turn <= to_double(state.count) ? 1 : 0;
    }
    const std::string within = counted(state.count, "position");
    if (state.along) {
        return fmt::format("{} of {} {} {}, and {} of them {} a turn within {}",
                           state.along->turning, counted(pairs, "pair"),
                           agreeing(state.along->turning, "turns", "turn"), state.along->words(),
                           finished, agreeing(finished, "finishes", "finish"), within);
    }
    if (pairs == 1) {
        return fmt::format("The only pair is a wave {} positions long",
                           plot::number_text(spectrum.wavelength_positions(0)));
    }
    const Index lengths = different_speeds(spectrum);
    const std::string waves = lengths == 1       ? "Every pair is the same wave"
                              : lengths == pairs ? "Every pair is a wave of its own length"
                                                 : fmt::format("Waves of {} lengths", lengths);
    return fmt::format("{}: {} of {} {} a turn within {}", waves, finished, pairs,
                       agreeing(finished, "finishes", "finish"), within);
}

std::string subtitle(const TableState& state) {
    const TableGrid& grid = state.grid;
    const std::string first = whole_text(state.first);
    std::string text = quantity_text(grid.quantity, state.spectrum.attention_factor);
    text += state.count == 1 ? " at position " + first
                             : " at positions " + first + " to " + whole_text(state.last());
    if (grid.block == 1) {
        text += grid.quantity == TableQuantity::angle ? ", from the fp32 cache."
                                                      : ", fp32 as a cache holds it.";
    } else {
        text += fmt::format("; a cell is the mean of {} positions{}.", whole_text(grid.block),
                            grid.quantity == TableQuantity::angle
                                ? ", blank where a pair turns too far within it"
                                : "");
    }
    return text + fmt::format(" Below: pair {}.", state.selected) + along_sentence(state.along);
}

plot::Figure draw(const TableState& state) {
    plot::Figure figure;
    figure.view = "table";
    figure.title = title(state);
    figure.subtitle = subtitle(state);
    figure.row_weights = {1.0, 0.4};
    figure.column_weights = {1.0};
    if (!state.grid.live()) {
        figure.data = table_data(state.grid);
        figure.report = report_head(figure, state.spec, state.along) + table_report(state);
    }
    return figure;
}

Index pair_at(const TableState& state, plot::Point at) {
    return plot::pick_index(at.y, state.spec.pairs());
}

Index position_at(const TableState& state, plot::Point at) {
    return plot::pick_whole(at.x, state.first, state.last());
}

std::vector<plot::Readout> pair_readouts(const TableState& state, Index pair, plot::Point at) {
    const Index position = position_at(state, at);
    std::vector<plot::Readout> readouts =
        describe_pair(state.spec, state.spectrum, state.along, pair);
    readouts.push_back({"position", whole_text(position)});
    const auto add = [&](const char* name, TableQuantity quantity, const char* unit) {
        const double value = exact_value(quantity, state.spectrum, pair, position);
        readouts.push_back({name, signed_text(value, 4) + unit});
    };
    add("angle", TableQuantity::angle, " rad");
    add("cos", TableQuantity::cos, "");
    add("sin", TableQuantity::sin, "");
    return readouts;
}

std::vector<plot::Readout> cell_readouts(const TableState& state, plot::Point at) {
    return pair_readouts(state, pair_at(state, at), at);
}

std::vector<plot::Readout> trace_readouts(const TableState& state, plot::Point at) {
    return pair_readouts(state, state.selected, at);
}

Scene select_pair(const TableState& state, Scene scene, plot::Point at) {
    scene.selected_pair = pair_at(state, at);
    return scene;
}

Scene move_query(const TableState& state, Scene scene, plot::Point at) {
    scene.query_position = position_at(state, at);
    return scene;
}

Picture make(const Scene& scene, Engine& engine, const Work& work) {
    const auto state = std::make_shared<const TableState>(make_table_state(scene, engine, work));
    Picture picture{.figure = draw(*state)};
    picture.add(heat_panel(*state), {state, cell_readouts, select_pair});
    picture.add(trace_panel(*state), {state, trace_readouts, move_query});
    return picture;
}

}  // namespace

View table_view() {
    return {
        .id = "table",
        .key = '3',
        .name = "Table",
        .group = "One pair, many speeds",
        .question = "What does the cache hold?",
        .parameters = with_scaling_parameters({"table_quantity", "first_position", "position_count",
                                               "query_position", "head_dim", "rotary_dim", "base",
                                               "layout", "selected_pair", "axis"}),
        .also_read = {"axes_model", "axes_part", "axes_head"},
        .make = make,
        .what_you_see =
            "The table that implementations compute once and keep: one column per position, one "
            "row per pair. The fast pairs at the bottom are short waves; the slow ones at the top "
            "change little from column to column. Each position has its own column of values.",
        .what_to_try =
            "Raise the base: all waves but the first get longer. Show more positions: fast waves "
            "average out, slow ones come into sight. Start far out: the waves go on as before, but "
            "their angles are large, and low precision shows. Click a row to follow it.",
        .formulas = {"cos(m θ_{i}),  sin(m θ_{i})", "θ_{i} = base^{−2i/d}"},
        .formula_source = "RoFormer, eq. 34",
    };
}

}  // namespace ropescope::figures
