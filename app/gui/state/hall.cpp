// Chooses type and controls of a presentation.
#include "app/gui/state/hall.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "app/gui/state/finder.h"
#include "app/scene/values.h"

namespace ropescope::gui {
namespace {

/// Of the window's height, for the smallest letters. At 720 pixels they have 16.
constexpr double kSmallestLetters = 0.022;
/// A window that is narrower than this times its height is measured by its width.
constexpr double kUsualShape = 1.3;
/// In units: below it the projector theme shows the main panels alone, and so does a lesson.
constexpr double kWidthForAll = 1300, kHeightForAllInALesson = 840;
constexpr std::size_t kMostControls = 3, kMostBesideALesson = 2;
constexpr std::array<std::string_view, 3> kFirstControls = {"query_position", "key_position",
                                                            "base"};

}  // namespace

bool in_hall(const AppState& state) {
    return state.presenting && state.hall;
}

bool has_hall_type(const AppState& state) {
    const bool reads = state.explanation == RegionOptions::Explanation::open;
    return in_hall(state) ||
           (!state.presenting && !reads && state.theme.name == plot::projector_theme().name);
}

double hall_scale(double width, double height, const plot::Theme& theme) {
    return kSmallestLetters * std::min(height, width / kUsualShape) / theme.small_px;
}

bool shows_main_panels(const AppState& state, plot::Pixel size) {
    if (state.presenting) {
        return in_hall(state);
    }
    const double unit = design_unit(state);
    const bool lesson = state.lessons.open() && !state.lesson_outside;
    return (lesson && size.y < kHeightForAllInALesson * unit) ||
           (state.theme.name == plot::projector_theme().name && size.x < kWidthForAll * unit);
}

std::vector<const Parameter*> hall_controls(const AppState& state) {
    const std::vector<const Parameter*> all = shown_controls(state.scene);
    std::vector<const Parameter*> chosen;
    const lessons::Step* const step = state.lessons.open() ? &state.lessons.current() : nullptr;
    std::size_t most = step != nullptr ? kMostBesideALesson : kMostControls;
    const auto add = [&](const Parameter* parameter) {
        if (chosen.size() < most && std::ranges::count(chosen, parameter) == 0) {
            chosen.push_back(parameter);
        }
    };
    for (const Parameter* parameter : all) {
        if (parameter->name == state.found_control) {
            chosen.push_back(parameter);  // beside those of the step
            ++most;
        }
    }
    for (const Parameter* parameter : all) {
        const auto sets = [&](const std::string& setting) {
            return setting.starts_with(parameter->name + "=");
        };
        if (step != nullptr && step->task && std::ranges::any_of(step->task->solution, sets)) {
            add(parameter);
        }
    }
    const auto add_named = [&](std::string_view name) {
        const auto found =
            std::ranges::find(all, name, [](const Parameter* each) { return each->name; });
        if (found != all.end()) {
            add(*found);
        }
    };
    add_named(figures::view_by_id(state.scene.view).played);
    std::ranges::for_each(kFirstControls, add_named);
    for (const Parameter* parameter : all) {
        if (is_number(*parameter)) {
            add(parameter);
        }
    }
    return chosen;
}

}  // namespace ropescope::gui
