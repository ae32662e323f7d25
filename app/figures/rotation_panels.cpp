#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "app/figures/rotation_parts.h"
#include "app/figures/text.h"
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

/// The content's unit vector of every shown pair at the positions up to `position`: the trail, and
/// the arrow as its last point.
std::vector<std::vector<Point>> turned(const Spectrum& shown, const std::vector<double>& angles,
                                       std::int64_t position, Engine& engine) {
    const std::int64_t first = std::max<std::int64_t>(0, position - kTrail);
    const RotationTable table = engine.table(shown, first, position - first + 1);
    const std::size_t pairs = angles.size();
    std::vector<std::vector<Point>> paths(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
        const double x = std::cos(angles[i]), y = std::sin(angles[i]);
        for (std::size_t at = i; at < table.cos.size(); at += pairs) {
            const auto c = static_cast<double>(table.cos[at]);
            const auto s = static_cast<double>(table.sin[at]);
            paths[i].push_back({x * c - y * s, x * s + y * c});
        }
    }
    return paths;
}

/// The dots of the earlier positions, fading with age, and the arrow.
void add_arrow(std::vector<plot::Mark>& marks, std::vector<Point> path, Role role,
               const char* name) {
    const Point tip = path.back();
    path.pop_back();
    if (!path.empty()) {
        marks.emplace_back(plot::Points{.points = std::move(path),
                                        .role = role,
                                        .radius_px = 2.2,
                                        .opacity = 0.65,
                                        .opacity_first = 0.08});
    }
    marks.emplace_back(plot::Vector{.from = {}, .to = tip, .role = role, .label = name});
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
                                     Engine& engine) {
    Spectrum shown{.inv_freq_rad = {}, .attention_factor = 1.0};
    std::vector<double> q_angles, k_angles;
    for (const std::int64_t pair : scene.pairs) {
        const auto i = static_cast<std::size_t>(pair);
        shown.inv_freq_rad.push_back(state.spectrum.inv_freq_rad[i]);
        q_angles.push_back(state.content.q_rad[i]);
        k_angles.push_back(state.content.k_rad[i]);
    }
    auto q_paths = turned(shown, q_angles, state.m, engine);
    auto k_paths = turned(shown, k_angles, state.n, engine);

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
        add_arrow(panel.marks, std::move(k_paths[at]), Role::key, "k");
        add_arrow(panel.marks, std::move(q_paths[at]), Role::query, "q");
        panels.push_back(std::move(panel));
    }
    return panels;
}

}  // namespace ropescope::figures
