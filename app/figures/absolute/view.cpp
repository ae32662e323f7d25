#include "app/figures/absolute/view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/absolute/state.h"
#include "app/figures/describe.h"
#include "app/figures/text.h"

namespace ropescope::figures {
namespace {

plot::Figure figure(const Scene& scene, Engine&, const Work&) {
    const AbsoluteState state = make_absolute_state(scene);
    plot::Figure figure;
    figure.view = "absolute";
    figure.title = state.scores.size() < 2
                       ? std::string("Added positions leave four terms in a score, RoPE one")
                       : fmt::format(
                             "Added positions: one distance, scores from {} to {}; with "
                             "RoPE {} everywhere",
                             fixed_text(state.additive_least, 2),
                             fixed_text(state.additive_most, 2), fixed_text(state.rope_least, 2));
    figure.subtitle = fmt::format(
        "{} channels; W_{{q}} and W_{{k}} are fixed random orthogonal maps. Bottom: "
        "query and key slide together.",
        state.spec.rotary_dim);
    figure.subtitle += without_scaling_text(scene.scaling);
    figure.panels = {sinusoidal_panel(state), shift_panel(state), terms_panel(state)};
    figure.row_weights = {1.0, 1.0};
    figure.column_weights = {1.9, 1.0};
    figure.data = absolute_data(state);
    figure.report = report_head(figure, state.spec) + absolute_report(state);
    return figure;
}

std::int64_t query_at(const Scene& scene, double x) {
    const std::int64_t delta = scene.key_position - scene.query_position;
    const std::int64_t first = std::max<std::int64_t>(0, -delta);
    const std::int64_t last = std::min(kMaxPosition, kMaxPosition - delta);
    const double at = std::isfinite(x) ? std::clamp(x, -1.0, 2e6) : 0.0;
    return std::clamp<std::int64_t>(std::llround(at), first, last);
}

std::vector<plot::Readout> terms_readouts(const Scene& scene, double x) {
    const AbsoluteScores at = absolute_scores(scene, query_at(scene, x));
    const AdditiveTerms& terms = at.additive;
    return {{"query m", whole_text(at.m)},
            {"key n", whole_text(at.n)},
            {"content · content", signed_text(terms.content_content, 4)},
            {"content · position", signed_text(terms.content_position, 4)},
            {"position · content", signed_text(terms.position_content, 4)},
            {"position · position", signed_text(terms.position_position, 4)},
            {"their sum", signed_text(terms.sum(), 4)},
            {"RoPE", signed_text(at.rope, 4)}};
}

std::vector<plot::Readout> table_readouts(const Scene& scene, plot::Point at) {
    const RopeSpec spec = unscaled_rope_spec(scene);
    const Spectrum spectrum = make_spectrum(spec);
    const auto inside = [](double value, std::int64_t count) {
        const double last = static_cast<double>(count - 1);
        return std::isfinite(value) ? std::llround(std::clamp(value, 0.0, last)) : 0;
    };
    const std::int64_t position = inside(at.x, scene.position_count);
    const std::int64_t channel = inside(at.y, spec.rotary_dim);
    const auto pair = static_cast<std::size_t>(channel / 2);
    const double angle = reduced_angle_rad(position, spectrum.inv_freq_rad[pair]);
    const bool sine = channel % 2 == 0;
    return {{"position", whole_text(position)},
            {"channel", fmt::format("{}: {}", channel, sine ? "sin" : "cos")},
            {"pair", fmt::format("{}", pair)},
            {"p", signed_text(sine ? std::sin(angle) : std::cos(angle), 5)}};
}

std::vector<plot::Readout> shift_readouts(const Scene& scene, plot::Point at) {
    const RopeSpec spec = unscaled_rope_spec(scene);
    Spectrum shown{.inv_freq_rad = make_spectrum(spec).inv_freq_rad};
    shown.inv_freq_rad.resize(std::min(shown.inv_freq_rad.size(), kMapChannels / 2));
    const std::size_t size = 2 * shown.inv_freq_rad.size();
    const auto cell = [&](double value) {
        const double last = static_cast<double>(size) - 1;
        return static_cast<std::size_t>(
            std::isfinite(value) ? std::clamp(std::floor(value), 0.0, last) : 0.0);
    };
    const std::size_t column = cell(at.x), row = size - 1 - cell(at.y);
    return {{"from channel", fmt::format("{}", column)},
            {"to channel", fmt::format("{}", row)},
            {"entry", signed_text(shift_map(shown, scene.shift)[row * size + column], 5)}};
}

std::vector<plot::Readout> readouts(const Scene& scene, std::string_view panel, plot::Point at) {
    if (panel == "terms") {
        return terms_readouts(scene, at.x);
    }
    if (panel == "sinusoidal") {
        return table_readouts(scene, at);
    }
    return panel == "shift" ? shift_readouts(scene, at) : std::vector<plot::Readout>{};
}

/// Moves query and key there, their distance kept.
Scene clicked(const Scene& scene, std::string_view panel, plot::Point at) {
    Scene next = scene;
    if (panel == "terms" && std::isfinite(at.x)) {
        next.query_position = query_at(scene, at.x);
        next.key_position = next.query_position + scene.key_position - scene.query_position;
    }
    return next;
}

}  // namespace

View absolute_view() {
    return {
        .id = "absolute",
        .name = "Absolute",
        .group = "Where it breaks",
        .question = "What did RoPE replace?",
        .parameters = {"shift", "position_count", "query_position", "key_position", "head_dim",
                       "rotary_dim", "base", "layout", "content_angle_deg", "content_seed"},
        .also_read = {"scaling"},
        .figure = figure,
        .readouts = readouts,
        .clicked = clicked,
        .what_you_see =
            "Positions used to be vectors, added to the embedding. One linear map carries all "
            "of them s further: the rotation was there already. But added, they leave four "
            "terms in a score, and three change along the sequence.",
        .what_to_try =
            "Shift 0 is the identity; raise it and the blocks turn. Move query and key apart: "
            "their sum moves up and down with m, RoPE's line stays level. Another seed is "
            "another content.",
        .formulas = {"(x + p_{m})^{T} W_{q}^{T} W_{k} (y + p_{n})",
                     "x^{T} W_{q}^{T} R(n − m) W_{k} y"},
        .formula_source = "RoFormer, eq. 3 and 6–7; Vaswani et al. 2017, section 3.5",
    };
}

}  // namespace ropescope::figures
