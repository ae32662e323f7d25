#include "app/figures/precision/view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/describe.h"
#include "app/figures/precision/state.h"
#include "app/figures/text.h"

namespace ropescope::figures {
namespace {

constexpr PrecisionEffort kFrame{.steps_per_octave = 2, .entries = 0, .most_pairs = 64};
constexpr PrecisionEffort kBackground{
    .steps_per_octave = 4, .entries = 1 << 20, .most_pairs = kMaxHeadDim / 2, .search = 1 << 22};

std::string title(const PrecisionState& state) {
    const ChainCurves& curves = state.curves();
    const Reached& off = curves.reached[1];
    static_assert(kErrorLevels[1] == 1e-2);
    if (off.position < 0) {
        return fmt::format("{}: cos and sin are never off by more than {:.1e}", curves.chain->title,
                           *std::ranges::max_element(curves.error));
    }
    return fmt::format("{}: cos and sin are {} position {}", curves.chain->title,
                       off.exact ? "first off by 0.01 at" : "off by 0.01 by",
                       whole_text(off.position));
}

plot::Figure build(const Scene& scene, const PrecisionEffort& effort, const std::stop_token& stop) {
    const PrecisionState state = make_precision_state(scene, effort, stop);
    plot::Figure figure;
    figure.view = "precision";
    figure.title = title(state);
    figure.subtitle = fmt::format(
        "Positions to {}, every rounding bit-true. Scores: m = {}, n = {}, moved "
        "together.",
        whole_text(state.positions.back()), whole_text(state.m), whole_text(state.n));
    figure.subtitle += without_scaling_text(scene.scaling);
    figure.legend = chain_legend(state);
    figure.panels = {error_panel(state), violation_panel(state), by_pair_panel(state)};
    figure.row_weights = {1.0, 1.0};
    figure.column_weights = {1.6, 1.0};
    figure.data = precision_data(state);
    figure.report = report_head(figure, state.spec) + precision_report(state);
    return figure;
}

plot::Figure figure(const Scene& scene, Engine&, const Work&) {
    return build(scene, kFrame, {});
}

plot::Figure refined(const Scene& scene, Engine&, const Work& work) {
    return build(scene, kBackground, work.stop);
}

std::int64_t position_at(double x) {
    const double most = static_cast<double>(kMaxPosition);
    return std::isfinite(x) ? std::llround(std::clamp(x, 1.0, most)) : 1;
}

/// What every chain does at one position: its error there, or the change of the score.
std::vector<double> chain_values(const Scene& scene, bool violations, std::int64_t position) {
    const RopeSpec spec = unscaled_rope_spec(scene);
    const Spectrum spectrum = make_spectrum(spec);
    std::vector<double> values;
    for (const PrecisionChain& chain : precision_chains()) {
        values.push_back(violations ? relative_violation(chain, spectrum, spec.head_dim,
                                                         scene.query_position, scene.key_position,
                                                         position)
                                          .worst
                                    : std::ranges::max(chain_error(chain, spectrum, position)));
    }
    return values;
}

std::vector<plot::Readout> pair_readouts(const Scene& scene, plot::Point at) {
    const RopeSpec spec = unscaled_rope_spec(scene);
    const Spectrum spectrum = make_spectrum(spec);
    const double last = spec.pairs() - 1;
    const int pair =
        std::isfinite(at.y) ? static_cast<int>(std::clamp(std::round(at.y), 0.0, last)) : 0;
    const std::int64_t position = position_at(std::exp2(std::clamp(at.x, 0.0, 20.0)));
    const auto errors = chain_error(precision_chain(scene.precision_chain), spectrum, position);
    std::vector<plot::Readout> readouts = describe_pair(spec, spectrum, pair);
    readouts.push_back({"position", whole_text(position)});
    readouts.push_back({"error", fmt::format("{:.2e}", errors[static_cast<std::size_t>(pair)])});
    return readouts;
}

std::vector<plot::Readout> readouts(const Scene& scene, std::string_view panel, plot::Point at) {
    if (panel == "by_pair") {
        return pair_readouts(scene, at);
    }
    if (panel != "error" && panel != "violation") {
        return {};
    }
    const std::int64_t position = position_at(at.x);
    std::vector<plot::Readout> readouts = {
        {panel == "error" ? "position" : "both moved by", whole_text(position)}};
    const std::vector<double> values = chain_values(scene, panel == "violation", position);
    for (std::size_t i = 0; i < values.size(); ++i) {
        readouts.push_back({precision_chains()[i].title, fmt::format("{:.2e}", values[i])});
    }
    return readouts;
}

/// Takes the chain whose curve is nearest to the cursor.
Scene clicked(const Scene& scene, std::string_view panel, plot::Point at) {
    Scene next = scene;
    if ((panel == "error" || panel == "violation") && at.y > 0) {
        const std::vector<double> values =
            chain_values(scene, panel == "violation", position_at(at.x));
        const auto far = [&](double value) {
            return std::abs(std::log10(std::max(value, kPrecisionFloor)) - std::log10(at.y));
        };
        const auto nearest = std::ranges::min_element(values, {}, far);
        next.precision_chain =
            precision_chains()[static_cast<std::size_t>(nearest - values.begin())].id;
    }
    return next;
}

}  // namespace

View precision_view() {
    return {
        .id = "precision",
        .name = "Precision",
        .group = "Where it breaks",
        .question = "When do low bits hurt?",
        .parameters = {"precision_chain", "query_position", "key_position", "head_dim",
                       "rotary_dim", "base", "layout"},
        .also_read = {"scaling"},
        .figure = figure,
        .refined = refined,
        .readouts = readouts,
        .clicked = clicked,
        .what_you_see =
            "A line is one way to compute the table, every rounding as hardware does it. Top: "
            "how far cos and sin are off. Below: whether a score still depends on the distance "
            "alone. Right: which pairs.",
        .what_to_try =
            "Click a line. 16 bits in the table cost the same everywhere; 16 bits before the "
            "angle ruin it with the position. Frequencies in bf16 are wrong, yet relative; "
            "positions in bf16 collide from 257 on.",
        .formulas = {"error ≤ m θ_{i} (u_{θ} + u_{angle}) + u_{table}",
                     "z_{m+s}^{*} z_{n+s} = z_{m}^{*} z_{n}"},
        .formula_source = "u: half a unit of each format; z = cos + i sin, computed",
    };
}

}  // namespace ropescope::figures
