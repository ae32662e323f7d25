// Puts the stretching view together: its words, its figure, the values under the cursor and clicks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "app/figures/describe.h"
#include "app/figures/stretch/panels.h"
#include "app/figures/text.h"
#include "app/figures/views.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"

namespace ropescope::figures {
namespace {

std::string title(const StretchState& state) {
    const std::string unscaled = percent_text(state.unscaled().count.share());
    if (state.factor == 1.0) {
        return fmt::format("In texts of {} tokens, as in training: {} % right",
                           whole_text(state.length), unscaled);
    }
    return fmt::format("In texts of {} tokens: {} % right unscaled, {} % with {}",
                       whole_text(state.length), unscaled, percent_text(state.best().count.share()),
                       scaling_name(state.best().type));
}

std::string subtitle(const StretchState& state) {
    return fmt::format(
        "A model trained on {} tokens names hidden pieces, {} in all. Factor {} = {} / {}.",
        whole_text(demo::kTrainedLength), whole_text(state.unscaled().count.of),
        plot::number_text(state.factor), whole_text(state.length),
        whole_text(demo::kTrainedLength));
}

plot::Figure figure(const StretchState& state) {
    plot::Figure figure;
    figure.view = "stretch";
    figure.title = title(state);
    figure.subtitle = subtitle(state);
    figure.legend = stretch_legend(state);
    figure.row_weights = {1.0, 0.68};
    figure.column_weights = {1.0, 1.0};
    figure.data = stretch_data(state);
    figure.report = report_head(figure, state.unscaled().spec) + stretch_report(state);
    return figure;
}

/// The measured length that is nearest on the logarithmic axis.
Index length_at(const StretchState& state, plot::Point at) {
    const double doublings = at.x > 0 ? std::log2(at.x / to_double(state.lengths.front())) : 0.0;
    return state.lengths[plot::pick_index(doublings, std::ssize(state.lengths))];
}

std::vector<plot::Readout> accuracy_readouts(const StretchState& state, plot::Point at) {
    const Index length = length_at(state, at);
    std::vector<plot::Readout> values = {{"tokens", whole_text(length)}};
    for (const StretchRow& row : state.rows) {
        values.push_back({scaling_name(row.type), percent_text(state.share(row, length)) + " %"});
    }
    return values;
}

std::vector<plot::Readout> turns_readouts(const StretchState& state, plot::Point at) {
    const Index pair = plot::pick_index(at.x, state.unscaled().spectrum.pairs());
    std::vector<plot::Readout> values = {
        {"pair", fmt::format("{}", pair)},
        {"turns in training", plot::number_text(state.trained_turns(pair))}};
    for (const StretchRow& row : state.rows) {
        values.push_back(
            {scaling_name(row.type), plot::number_text(row.turns(pair, state.length))});
    }
    return values;
}

std::vector<plot::Readout> method_readouts(const StretchState& state, plot::Point at) {
    const StretchRow& row = state.rows[plot::pick_index(-at.y - 1, std::ssize(state.rows))];
    const std::vector<std::string> names = stretch_header(), cells = stretch_cells(state, row);
    std::vector<plot::Readout> values;
    for (std::size_t i = 0; i < names.size(); ++i) {
        values.push_back({names[i], cells[i]});
    }
    return values;
}

/// Chooses the measured length that is nearest.
Scene choose_length(const StretchState& state, Scene scene, plot::Point at) {
    scene.stretch_length = fmt::format("{}", length_at(state, at));
    return scene;
}

Picture make(const Scene& scene, Engine&, const Work&) {
    const auto state = std::make_shared<const StretchState>(make_stretch_state(scene));
    Picture picture{.figure = figure(*state)};
    picture.add(accuracy_panel(*state), {state, accuracy_readouts, choose_length});
    picture.add(turns_panel(*state), {state, turns_readouts});
    picture.add(stretch_methods_panel(*state), {state, method_readouts});
    return picture;
}

}  // namespace

View stretch_view() {
    return {
        .id = "stretch",
        .key = 'S',
        .name = "Stretching",
        .group = "Real models",
        .question = "What does a trained model make of longer texts?",
        .parameters = {"stretch_length"},
        .make = make,
        .what_you_see =
            "A small model was trained on short texts: \"right answers\" shows how many hidden "
            "pieces it names rightly in longer ones. \"Turns\" shows how often each pair turns "
            "within a text of the chosen length; in the shaded area lie angles that no text of the "
            "training had. The table compares the methods at that length.",
        .what_to_try =
            "Click a length. Linear scaling meets no new angle and still fails: it slows every "
            "pair, the fast ones too. Twice the trained length needs no scaling. At eight times, "
            "YaRN loses least.",
        .formulas = {"s = length / trained", "linear: θ_{i} / s", "NTK: base s^{d/(d−2)}",
                     "YaRN, Llama 3: θ_{i} (1 − r_{i} + r_{i}/s)"},
        .formula_source = "arXiv:2306.15595; arXiv:2309.00071; Llama 3.1",
    };
}

}  // namespace ropescope::figures
