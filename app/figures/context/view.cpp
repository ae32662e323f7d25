// Puts the context view together: its words, its figure, the values under the cursor and clicks.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "app/figures/context/panels.h"
#include "app/figures/describe.h"
#include "app/figures/text.h"
#include "app/figures/views.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"
#include "app/scene/parameters.h"
#include "core/scaling/scaling.h"

namespace ropescope::figures {
namespace {

/// A name at the begin of a sentence: "Linear".
std::string at_begin(std::string name) {
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    return name;
}

std::string title(const ContextState& state) {
    const std::string target = counted(state.scene.target_length, "position");
    if (state.factor == 1.0) {
        return fmt::format("The target is the trained length, {}: nothing to extend", target);
    }
    const std::string way = whole_text(state.scene.original_length) + " to " + target;
    if (const MethodRow& row = state.marked_row(); row.name == state.scene.scaling) {
        return fmt::format("{} from {}: {} unchanged, {} slower{}",
                           at_begin(scaling_name(row.name)), way, counted(row.kept, "pair"),
                           whole_text(row.slower()),
                           row.faster > 0 ? fmt::format(", {} faster", row.faster) : "");
    }
    const MethodRow& plain = state.rows().front();
    return fmt::format("Unscaled from {}: {} of {} {} angles that training never showed", way,
                       plain.unseen, counted(plain.spec.pairs(), "pair"),
                       agreeing(plain.unseen, "meets", "meet"));
}

std::string subtitle(const ContextState& state) {
    return fmt::format("How much each method slows each pair. Factor {} = {} / {}, base {}.",
                       plot::number_text(state.factor), whole_text(state.scene.target_length),
                       whole_text(state.scene.original_length),
                       plot::exact_number_text(state.scene.base));
}

/// Row weights by the lines that each panel has, with 1 for the slowdowns; a note often has two.
std::vector<double> row_weights(const ContextState& state) {
    const auto lines = [](const auto& of) { return to_double(std::ssize(of)); };
    return {1.0, 0.09 * (lines(state.rows()) + 1), 0.07 + 0.06 * lines(state.block),
            0.02 + 0.13 * lines(state.notes)};
}

plot::Figure figure(const ContextState& state) {
    plot::Figure figure;
    figure.view = "context";
    figure.title = title(state);
    figure.subtitle = subtitle(state);
    figure.row_weights = row_weights(state);
    figure.column_weights = {1.0};
    figure.data = context_data(state);
    figure.report = report_head(figure, unscaled_rope_spec(state.scene)) + context_report(state);
    return figure;
}

Index pair_at(const ContextState& state, plot::Point at) {
    return plot::pick_index(at.x, state.rows().front().spec.pairs());
}

/// The row of the table that is nearest to the cursor; the header has none of its own.
const MethodRow& row_at(const ContextState& state, plot::Point at) {
    return state.rows()[plot::pick_index(-at.y - 1, std::ssize(state.rows()))];
}

std::vector<plot::Readout> readouts_of_method(const MethodRow& row) {
    const std::vector<std::string> names = method_header(), values = method_cells(row);
    std::vector<plot::Readout> readouts;
    for (Index i = 0; i < std::ssize(names); ++i) {
        readouts.push_back({names[i], values[i]});
    }
    return readouts;
}

std::vector<plot::Readout> row_readouts(const ContextState& state, plot::Point at) {
    return readouts_of_method(row_at(state, at));
}

std::vector<plot::Readout> marked_readouts(const ContextState& state, plot::Point) {
    return readouts_of_method(state.marked_row());
}

std::vector<plot::Readout> pair_readouts(const ContextState& state, plot::Point at) {
    const Index pair = pair_at(state, at);
    std::vector<plot::Readout> values = {{"pair", fmt::format("{}", pair)}};
    for (const MethodRow& row : state.rows()) {
        values.push_back(
            {shown_name(row) + " λ", plot::number_text(row.spectrum.wavelength_positions(pair))});
    }
    return values;
}

Scene select_pair(const ContextState& state, Scene scene, plot::Point at) {
    scene.selected_pair = pair_at(state, at);
    return scene;
}

Scene choose_method(const ContextState& state, Scene scene, plot::Point at) {
    if (at.y < -0.5) {  // below the header
        scene.scaling = row_at(state, at).name;
    }
    return scene;
}

Picture make(const Scene& scene, Engine&, const Work&) {
    const auto state = std::make_shared<const ContextState>(make_context_state(scene));
    Picture picture{.figure = figure(*state)};
    picture.add(slowdown_panel(*state), {state, pair_readouts, select_pair});
    picture.add(methods_panel(*state), {state, row_readouts, choose_method});
    picture.add(block_panel(*state), {state, marked_readouts});
    picture.add(notes_panel(*state), {state, marked_readouts});
    return picture;
}

/// The factor and the length of the sequence follow from the target, so they are not read.
std::vector<std::string> read_parameters() {
    std::vector<std::string> names = {"model", "target_length", "original_length", "scaling"};
    const auto extends = [](const std::string& type) {
        return facts(scaling_of_type(type).value()).extends;
    };
    for (const Parameter& parameter : parameters()) {
        const bool follows = parameter.name == kScalingFactor.name || parameter.name == "seq_len";
        const bool listed = std::ranges::find(names, parameter.name) != names.end();
        if (!follows && !listed && std::ranges::any_of(parameter.methods(), extends)) {
            names.push_back(parameter.name);
        }
    }
    names.insert(names.end(), {"head_dim", "rotary_dim", "base", "layout", "selected_pair"});
    return names;
}

}  // namespace

View context_view() {
    return {
        .id = "context",
        .key = '9',
        .name = "Context",
        .group = "Real models",
        .question = "How do I extend a model?",
        .parameters = read_parameters(),
        .make = make,
        .what_you_see =
            "How much slower each pair turns. Linear slows all alike; NTK slows the first pair not "
            "at all and the last by the whole factor; YaRN and Llama 3 slow a pair the less, the "
            "more it turned in training. The table counts pairs: some \"never turn\" round within "
            "the target; some meet \"new angles\" there, which training never showed. Below: the "
            "block for config.json.",
        .what_to_try =
            "Click a method in the table. Double the target: NTK's base grows, YaRN's ramp stays "
            "where it is. Watch the new angles: beyond the trained length the row \"none\" counts "
            "every pair that finished no turn in training.",
        .formulas = {"s = target / trained", "linear: θ_{i} / s", "NTK: base s^{d/(d−2)}",
                     "YaRN: θ_{i} (1 − r_{i} + r_{i}/s)"},
        .formula_source = "arXiv:2306.15595; arXiv:2309.00071, sections 3.1–3.4",
    };
}

}  // namespace ropescope::figures
