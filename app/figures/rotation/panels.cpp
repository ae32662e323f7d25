#include <algorithm>
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <numbers>
#include <span>

#include "app/figures/rotation/state.h"
#include "app/figures/text.h"
#include "app/figures/turned_rows.h"
#include "app/plot/layout.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;

constexpr std::int64_t kTrail = 24;  ///< earlier positions that leave a dot
constexpr double kReach = 1.2;       ///< of a pair's plane, in radii

double reduced(double angle) {
    return std::remainder(angle, 2 * std::numbers::pi);
}

/// The unit vectors of the shown pairs at the positions up to the query's or the key's: a dot for
/// each earlier one, and the arrow's tip last.
struct Trail {
    DeviceTensor points;  ///< [positions, 2 * shown pairs]
    HostFloats values;    ///< none where it is drawn from the engine's memory

    Point at(std::int64_t row, std::int64_t pair) const {
        const auto i = static_cast<std::size_t>(row * points.columns + 2 * pair);
        return {static_cast<double>(values.values[i]), static_cast<double>(values.values[i + 1])};
    }
    plot::LivePoints live(std::int64_t row, std::int64_t pair, std::int64_t count) const {
        return {points, row * points.columns + 2 * pair, points.columns, count};
    }
};

Trail make_trail(TensorOps& ops, const Spectrum& shown, std::span<const double> angles,
                 std::int64_t position, bool live) {
    std::vector<std::complex<double>> contents;
    for (const double angle : angles) {
        contents.push_back(std::polar(1.0, angle));
    }
    const std::int64_t first = std::max<std::int64_t>(0, position - kTrail);
    Trail trail{turned_rows(ops, contents, shown, consecutive(first, position - first + 1)), {}};
    if (live) {
        ops.publish(trail.points);
    } else {
        trail.values = ops.download(trail.points);
    }
    return trail;
}

/// The dots of the earlier positions, fading with age, and the arrow; `tip_rad` is where its label
/// goes when nobody has read where the engine put the tip.
void add_arrow(std::vector<plot::Mark>& marks, const Trail& trail, std::int64_t pair,
               double tip_rad, Role role, const char* name) {
    const std::int64_t last = trail.points.rows - 1;
    const bool live = trail.values.values.empty();
    plot::Points dots{.role = role, .radius_px = 2.2, .opacity = 0.65, .opacity_first = 0.08};
    plot::Vector arrow{.role = role, .label = name};
    if (live) {
        dots.live = trail.live(0, pair, last);
        arrow.live_to = trail.live(last, pair, 1);
        arrow.to = {std::cos(tip_rad), std::sin(tip_rad)};
    } else {
        for (std::int64_t row = 0; row < last; ++row) {
            dots.points.push_back(trail.at(row, pair));
        }
        arrow.to = trail.at(last, pair);
    }
    if (last > 0) {
        marks.emplace_back(std::move(dots));
    }
    marks.emplace_back(std::move(arrow));
}

std::vector<plot::Mark> plane_marks(const RotationState& state, int pair) {
    const auto cross = [](Point from, Point to) {
        return plot::Line{.points = {from, to}, .role = Role::grid, .width = 0.5};
    };
    std::vector<plot::Mark> marks;
    marks.emplace_back(cross({-1.1, 0}, {1.1, 0}));
    marks.emplace_back(cross({0, -1.1}, {0, 1.1}));
    marks.emplace_back(plot::Arc{.center = {}, .role = Role::line});
    const double first = reduced(state.q_rad(pair));
    marks.emplace_back(plot::Arc{.center = {},
                                 .radius = 0.4,
                                 .first_rad = first,
                                 .last_rad = first + state.between_rad(pair),
                                 .role = Role::dim,
                                 .width = 0.75});
    return marks;
}

plot::CornerTexts corner_texts(const RotationState& state, int pair) {
    const double turned_rad = static_cast<double>(state.delta()) * state.inv_freq(pair);
    return {.top_left = fmt::format("pair {}", pair),
            .top_right = "λ " + plot::number_text(state.spectrum.wavelength_positions(pair)),
            .bottom_left = "θ " + plot::number_text(state.inv_freq(pair)),
            .bottom_right = fmt::format("(n−m)θ {}", std::abs(turned_rad) < 1e4
                                                         ? small_text(turned_rad, 2)
                                                         : plot::number_text(turned_rad))};
}

}  // namespace

RotationState make_rotation_state(const Scene& scene) {
    const RopeSpec spec = rope_spec(scene);
    return {.spec = spec,
            .spectrum = make_spectrum(spec),
            .content = make_content(scene),
            .m = scene.query_position,
            .n = scene.key_position};
}

double RotationState::q_rad(int pair) const {
    return content.q_rad[static_cast<std::size_t>(pair)] + reduced_angle_rad(m, inv_freq(pair));
}

double RotationState::k_rad(int pair) const {
    return content.k_rad[static_cast<std::size_t>(pair)] + reduced_angle_rad(n, inv_freq(pair));
}

double RotationState::between_rad(int pair) const {
    return reduced(k_rad(pair) - q_rad(pair));
}

int grid_columns(int count) {
    constexpr double kAspect = 2.0;
    int best = 1;
    double best_side = 0;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const double side = std::min(kAspect / columns, 1.0 / rows);
        // Equal sides: the grid with fewer empty places, that is with fewer columns.
        if (side > best_side + 1e-9) {
            best = columns;
            best_side = side;
        }
    }
    return best;
}

std::vector<plot::Panel> pair_panels(const Scene& scene, const RotationState& state, int columns,
                                     Engine& engine, const Work& work) {
    Spectrum shown{.inv_freq_rad = {}, .attention_factor = 1.0};
    std::vector<double> q_angles, k_angles;
    for (const std::int64_t pair : scene.pairs) {
        const auto i = static_cast<std::size_t>(pair);
        shown.inv_freq_rad.push_back(state.spectrum.inv_freq_rad[i]);
        q_angles.push_back(state.content.q_rad[i]);
        k_angles.push_back(state.content.k_rad[i]);
    }
    const std::unique_ptr<TensorOps> ops = engine.tensor_ops();
    const bool live = work.draws_from(engine);
    const Trail q_trail = make_trail(*ops, shown, q_angles, state.m, live);
    const Trail k_trail = make_trail(*ops, shown, k_angles, state.n, live);

    std::vector<plot::Panel> panels;
    for (std::size_t at = 0; at < scene.pairs.size(); ++at) {
        const int pair = static_cast<int>(scene.pairs[at]);
        const plot::Axis plane{.min = -kReach, .max = kReach, .visible = false};
        plot::Panel panel{.id = fmt::format("pair.{}", pair),
                          .corners = corner_texts(state, pair),
                          .x = plane,
                          .y = plane,
                          .equal_aspect = true,
                          .selected = pair == scene.selected_pair,
                          .marks = plane_marks(state, pair),
                          .row = static_cast<int>(at) / columns,
                          .column = static_cast<int>(at) % columns};
        const auto shown_at = static_cast<std::int64_t>(at);
        add_arrow(panel.marks, k_trail, shown_at, state.k_rad(pair), Role::key, "k");
        add_arrow(panel.marks, q_trail, shown_at, state.q_rad(pair), Role::query, "q");
        panels.push_back(std::move(panel));
    }
    return panels;
}

}  // namespace ropescope::figures
