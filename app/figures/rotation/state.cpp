// Computes the state of the rotation view.
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <numbers>
#include <span>

#include "app/figures/rotation/rotation.h"
#include "app/figures/shared/text.h"
#include "app/figures/shared/turned_rows.h"

namespace ropescope::figures {
namespace {

constexpr Index kTrail = 24;  ///< earlier positions that leave a dot

void add_curve(RotationState& state, Engine& engine) {
    const int half = static_cast<int>(state.range / state.step);
    const std::vector<double> scores =
        score_curve(state.content, state.spectrum, state.step, half, engine);
    for (Index i = 0; i < std::ssize(scores); ++i) {
        state.curve.push_back({to_double(i - half) * state.step, scores[i]});
    }
}

Trail make_trail(TensorOps& ops, const RotationState& state, const std::vector<double>& angles_rad,
                 Index position, bool live) {
    Spectrum shown{.inv_freq_rad = {}, .attention_factor = 1.0};
    std::vector<std::complex<double>> contents;
    for (const Index pair : state.shown) {
        shown.inv_freq_rad.push_back(state.inv_freq(pair));
        contents.push_back(std::polar(1.0, angles_rad[pair]));
    }
    const Index first = std::max<Index>(0, position - kTrail);
    Trail trail{turned_rows(ops, contents, shown, consecutive(first, position - first + 1)), {}};
    if (live) {
        ops.publish(trail.points);
    } else {
        trail.values = ops.download(trail.points);
    }
    return trail;
}

}  // namespace

double RotationState::q_rad(Index pair) const {
    return content.q_rad[pair] + reduced_angle_rad(m, inv_freq(pair));
}

double RotationState::k_rad(Index pair) const {
    return content.k_rad[pair] + reduced_angle_rad(n, inv_freq(pair));
}

double RotationState::between_rad(Index pair) const {
    return std::remainder(k_rad(pair) - q_rad(pair), 2 * std::numbers::pi);
}

double RotationState::logit(double score) const {
    return score * to_double(spec.pairs()) / std::sqrt(to_double(spec.head_dim));
}

RotationState make_rotation_state(const Scene& scene, Engine& engine) {
    const ShownEncoding shown = shown_encoding(scene);
    RotationState state{.spec = shown.spec,
                        .spectrum = shown.spectrum,
                        .along = shown.along,
                        .content = make_content(shown.scene),
                        .m = scene.query_position,
                        .n = scene.key_position,
                        .shown = {},
                        .selected = shown.scene.selected_pair,
                        .curve = {}};
    for (const Index pair : shown.scene.pairs) {
        state.shown.push_back(pair);
    }
    const Index range = drawn_range(scene, state.delta());
    state.range = to_double(range);
    state.step = sample_step(range);
    add_curve(state, engine);
    return state;
}

plot::Point Trail::at(Index row, Index pair) const {
    const Index i = row * points.columns + 2 * pair;
    return {values.values[i], values.values[i + 1]};
}

plot::LivePoints Trail::live(Index row, Index pair, Index count) const {
    return {points, row * points.columns + 2 * pair, points.columns, count};
}

Trails make_trails(const RotationState& state, TensorOps& ops, bool live) {
    return {make_trail(ops, state, state.content.q_rad, state.m, live),
            make_trail(ops, state, state.content.k_rad, state.n, live)};
}

// Writes the rotation view's table for CSV and its text report.

namespace {

/// The columns of the CSV while they grow.
struct Rows {
    std::vector<std::string> panel, series;
    std::vector<double> position, x, y;

    void add(const std::string& in, const std::string& name, double at, plot::Point point) {
        panel.push_back(in);
        series.push_back(name);
        position.push_back(at);
        x.push_back(point.x);
        y.push_back(point.y);
    }
};

/// A mark's points as rows; dots end just before the position of their arrow.
void add_mark(Rows& rows, const RotationState& state, const std::string& panel,
              const plot::Mark& mark) {
    const auto is_query = [](plot::Role role) { return role == plot::Role::query; };
    const auto position = [&](plot::Role role) {
        return to_double(is_query(role) ? state.m : state.n);
    };
    if (const auto* arrow = std::get_if<plot::Vector>(&mark)) {
        rows.add(panel, is_query(arrow->role) ? "q" : "k", position(arrow->role), arrow->to);
    } else if (const auto* dots = std::get_if<plot::Points>(&mark); dots && !dots->ring) {
        double at = position(dots->role) - to_double(std::ssize(dots->points));
        for (const plot::Point& point : dots->points) {
            rows.add(panel, is_query(dots->role) ? "q_earlier" : "k_earlier", at++, point);
        }
    } else if (const auto* line = std::get_if<plot::Line>(&mark); line && panel == "score") {
        for (const plot::Point& point : line->points) {
            rows.add(panel, "score", point.x, point);
        }
    }
}

std::vector<std::string> pair_row(const RotationState& state, Index pair) {
    const ChannelPair channels = channels_of(state.spec, state.along, pair);
    const double q = state.q_rad(pair), k = state.k_rad(pair);
    return {fmt::format("{}", pair),
            fmt::format("{}, {}", channels.first, channels.second),
            fmt::format("{:.4g}", state.inv_freq(pair)),
            state.inv_freq(pair) == 0.0
                ? "stands still"
                : fmt::format("{:.4g}", state.spectrum.wavelength_positions(pair)),
            point_text(std::cos(q), std::sin(q)),
            point_text(std::cos(k), std::sin(k)),
            small_text(to_double(state.delta()) * state.inv_freq(pair), 4),
            small_text(state.between_rad(pair), 4),
            signed_text(state.part(pair, state.delta()), 5)};
}

}  // namespace

plot::DataTable rotation_data(const RotationState& state, const std::vector<plot::Panel>& panels) {
    Rows rows;
    for (const plot::Panel& panel : panels) {
        for (const plot::Mark& mark : panel.marks) {
            add_mark(rows, state, panel.id, mark);
        }
    }
    return {{{"panel", std::move(rows.panel)},
             {"series", std::move(rows.series)},
             {"position", std::move(rows.position)},
             {"x", std::move(rows.x)},
             {"y", std::move(rows.y)}}};
}

plot::Text rotation_report(const RotationState& state) {
    std::vector<std::vector<std::string>> rows;
    rows.reserve(state.shown.size());
    for (const Index pair : state.shown) {
        rows.push_back(pair_row(state, pair));
    }
    const double score = state.score(state.delta());
    return plot::say("query at m = {}, key at n = {}, distance n − m = {}", state.m, state.n,
                     fixed_text(to_double(state.delta()), 0)) +
           "\n\n" +
           text_table({"pair", "channels", "θ rad/position", "λ positions", "q at m", "k at n",
                       "(n−m)θ rad", "angle q to k", "part of score"},
                      rows) +
           "\n" +
           plot::say(
               "score at this distance: {} (mean cosine between q and k over {}),\nwhich is {} as "
               "q_m · k_n / sqrt(head_dim)\n",
               fixed_text(score, 6), counted(state.spec.pairs(), "pair"),
               fixed_text(state.logit(score), 6));
}

}  // namespace ropescope::figures
