// Makes the spectrum view's picture: title, panel, values under the cursor, clicks.
#include <fmt/format.h>

#include "app/figures/describe.h"
#include "app/figures/spectrum/panels.h"
#include "app/figures/text.h"
#include "app/figures/views.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"

namespace ropescope::figures {
namespace {

/// Of the pairs that turn along an axis.
std::string title_along(const SpectrumState& state) {
    const AlongAxis& along = *state.along;
    const std::string turning =
        fmt::format("{} of {} {} {}", along.turning, counted(state.spec.pairs(), "pair"),
                    agreeing(along.turning, "turns", "turn"), along.words());
    return state.unfinished_count == 0
               ? turning
               : fmt::format("{}; {} of them {} a turn within {}", turning, state.unfinished_count,
                             agreeing(state.unfinished_count, "never finishes", "never finish"),
                             counted(state.context, "position"));
}

std::string title(const SpectrumState& state) {
    if (state.along) {
        return title_along(state);
    }
    const Index pairs = state.spec.pairs();
    const int unfinished = state.unfinished_count;
    const std::string within = counted(state.context, "position");
    if (unfinished == 0) {
        return fmt::format("{} at least once within {}",
                           pairs == 1 ? "The only pair turns" : "Every pair turns", within);
    }
    if (unfinished == pairs) {
        return fmt::format("{} a turn within {}",
                           pairs == 1 ? "The only pair never finishes" : "No pair ever finishes",
                           within);
    }
    return fmt::format("{} of {} {} a turn within {}", unfinished, counted(pairs, "pair"),
                       agreeing(unfinished, "never finishes", "never finish"), within);
}

std::string subtitle(const SpectrumState& state) {
    const std::string_view quantity = state.wavelengths ? "Wavelength" : "Inverse frequency";
    if (state.along) {
        return fmt::format("{} of each pair that turns.{}", quantity, along_sentence(state.along)) +
               (state.unfinished_count > 0 ? " Rings: less than one turn within the context." : "");
    }
    std::string text = fmt::format("{} of each pair, base {}.", quantity,
                                   plot::exact_number_text(state.spec.base));
    text += scaling_sentence(state.spec, state.spectrum);
    if (state.unfinished_count > 0) {
        text += " Rings: less than one turn within the context.";
    }
    if (const std::string pass_through = pass_through_text(state.spec); !pass_through.empty()) {
        text += " " + pass_through;
    }
    return text;
}

plot::Figure draw(const SpectrumState& state) {
    plot::Figure figure;
    figure.view = "spectrum";
    figure.title = title(state);
    figure.subtitle = subtitle(state);
    figure.row_weights = {1.0};
    figure.column_weights = {1.0};
    figure.data = spectrum_data(state);
    figure.report = report_head(figure, state.spec, state.along) + spectrum_report(state);
    return figure;
}

/// The pair whose point is nearest to the cursor's column.
Index pair_at(const SpectrumState& state, plot::Point at) {
    return plot::pick_index(at.x, state.spec.pairs());
}

std::vector<plot::Readout> pair_readouts(const SpectrumState& state, plot::Point at) {
    const Index pair = pair_at(state, at);
    std::vector<plot::Readout> readouts =
        describe_pair(state.spec, state.spectrum, state.along, pair);
    readouts.push_back(
        {"turns in " + whole_text(state.context), plot::number_text(state.turns(pair))});
    return readouts;
}

Scene select_pair(const SpectrumState& state, Scene scene, plot::Point at) {
    scene.selected_pair = pair_at(state, at);
    return scene;
}

Picture make(const Scene& scene, Engine&, const Work&) {
    const auto state = std::make_shared<const SpectrumState>(make_spectrum_state(scene));
    Picture picture{.figure = draw(*state)};
    picture.add(spectrum_panel(*state), {state, pair_readouts, select_pair});
    return picture;
}

}  // namespace

View spectrum_view() {
    return {
        .id = "spectrum",
        .key = '2',
        .name = "Spectrum",
        .group = "One pair, many speeds",
        .question = "Which pairs see far, which never finish a turn?",
        .parameters = with_scaling_parameters({"spectrum_quantity", "context_length",
                                               "spectrum_overlay", "head_dim", "rotary_dim", "base",
                                               "layout", "selected_pair", "axis"}),
        .also_read = {"axes_model", "axes_part", "axes_head"},
        .make = make,
        .what_you_see =
            "One point for each pair: how many positions one turn takes. Without a scaling the "
            "points lie on a straight line from 2π to nearly 2π × base, for the scale is "
            "logarithmic. Rings are pairs that never finish a turn in this context. With a scaling "
            "the dashed curve is the unscaled spectrum; shading shows which pairs YaRN and Llama 3 "
            "change.",
        .what_to_try =
            "Raise the base: the line gets steeper and more pairs never finish a turn. Lengthen "
            "the context: the line \"one turn\" moves, and more pairs finish one. Choose a "
            "scaling, and the overlay \"methods\" to see what each would do. "
            "Click a point to follow its pair in the other views.",
        .formulas = {"θ_{i} = base^{−2i/d}", "λ_{i} = 2π / θ_{i} = 2π base^{2i/d}"},
        .formula_source = "RoFormer, section 3.2.2; d is rotary_dim, i counts from 0",
    };
}

}  // namespace ropescope::figures
