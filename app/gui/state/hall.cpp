// Chooses the panels and the controls of a presentation.
#include "app/gui/state/hall.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "app/figures/view.h"
#include "app/gui/state/finder.h"
#include "app/plot/draw_figure.h"
#include "app/scene/values.h"

namespace ropescope::gui {
namespace {

/// Of the window's height, for the smallest letters. At 720 pixels they have 16.
constexpr double kSmallestLetters = 0.022;
/// A window that is narrower than this times its height is measured by its width.
constexpr double kUsualShape = 1.3;
/// In units: below it the projector theme shows the main panels alone, and so does a lesson.
constexpr double kWidthForAll = 1300, kHeightForAllInALesson = 840;
constexpr std::size_t kMostControls = 3, kMostBesideALesson = 2, kMostPlanes = 2;
constexpr std::array<std::string_view, 3> kFirstControls = {"query_position", "key_position",
                                                            "base"};

/// A name that ends in a dot means all panels whose ids begin with it.
struct MainPanels {
    std::string_view view;
    std::array<std::string_view, 2> panels;
    bool below_each_other = false;
    std::array<double, 2> shares = {1, 1};  ///< of the room
    bool for_a_step = false;  ///< only if the step speaks of the first panel: another has no room
};

/// Of the rows of a view, that holds whose first panel the step speaks of, or the figure has.
constexpr std::array<MainPanels, 26> kMain = {{
    {"rotation", {"pair.", "score"}, false, {1.7, 1}},
    {"spectrum", {"spectrum"}},
    {"table", {"table", "trace"}, true},
    {"layouts", {"matrix", "outputs"}, false, {1.4, 1}},
    {"layouts", {"walk"}},
    {"layouts", {"score"}},
    {"scores", {"parts"}},
    {"decay", {"score"}},
    {"decay", {"bound", "score"}, true},
    {"precision", {"error"}},
    {"absolute", {"sinusoidal", "shift"}},
    {"absolute", {"terms"}},
    {"context", {"slowdown"}},
    {"context", {"bases", "facts"}, true, {1.8, 1}},
    {"model", {"spectrum"}},
    {"attention", {"map", "predictions"}},
    {"stretch", {"accuracy"}},
    {"encodings", {"added.", "distance"}, false, {1.3, 1}},
    {"encodings", {"answers"}, false, {1, 1}, true},
    {"encodings", {"answers", "costs"}, true},
    {"cache", {"slots", "sinks"}, true},
    {"axes", {"map", "turns"}},
    {"positions", {"right", "below"}, true},
    {"diagnose", {"spectrum", "findings"}, true},
    {"diagnose", {"positions", "findings"}, true},
    {"checks", {"families"}},
}};

bool is_meant(std::string_view name, std::string_view id) {
    return name.ends_with('.') ? id.starts_with(name) : id == name;
}

/// Whether a text speaks of the panel: panel "right answers".
bool speaks_of(std::string_view text, const plot::Panel& panel) {
    constexpr std::string_view kBefore = "panel \"";
    for (std::size_t at = text.find(kBefore); at != std::string_view::npos;
         at = text.find(kBefore, at + 1)) {
        const std::string_view rest = text.substr(at + kBefore.size());
        const std::string_view name = rest.substr(0, rest.find('"'));
        if (!name.empty() && (panel.title.starts_with(name) || panel.id == name)) {
            return true;
        }
    }
    return false;
}

bool speaks_of(const lessons::Step& step, const plot::Panel& panel) {
    const auto in = [&](const std::string& text) { return speaks_of(text, panel); };
    return (step.task &&
            (step.task->point_at == panel.id || in(step.task->text) || in(step.task->hint))) ||
           std::ranges::any_of(step.text,
                               [&](const lessons::Passage& passage) { return in(passage.text); });
}

/// The panels of one name, of many planes the selected one and the first of the others, so that
/// there are at most so many.
std::vector<plot::Panel> panels_of(const plot::Figure& figure, std::string_view name,
                                   std::size_t most) {
    std::vector<plot::Panel> found;
    std::ranges::copy_if(figure.panels, std::back_inserter(found),
                         [&](const plot::Panel& panel) { return is_meant(name, panel.id); });
    if (found.size() > most) {
        const auto chosen = std::ranges::find(found, true, &plot::Panel::selected);
        // In their order, with the selected one among them, if there is one.
        if (chosen != found.end() && static_cast<std::size_t>(chosen - found.begin()) >= most) {
            found[most - 1] = *chosen;
        }
        found.resize(most);
    }
    return found;
}

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

namespace {

/// The row of the table for the step and the form that the figure has; null if it has none.
const MainPanels* main_panels(const plot::Figure& figure, const lessons::Step* step) {
    const auto row_where = [&](bool speaking, const auto& holds) -> const MainPanels* {
        const auto found = std::ranges::find_if(kMain, [&](const MainPanels& row) {
            return row.view == figure.view && (speaking || !row.for_a_step) &&
                   std::ranges::any_of(figure.panels, [&](const plot::Panel& panel) {
                       return is_meant(row.panels.front(), panel.id) && holds(panel);
                   });
        });
        return found == kMain.end() ? nullptr : &*found;
    };
    const auto spoken_of = [&](const plot::Panel& panel) {
        return step != nullptr && speaks_of(*step, panel);
    };
    const MainPanels* const row = row_where(true, spoken_of);
    return row != nullptr ? row : row_where(false, [](const plot::Panel&) { return true; });
}

plot::Figure main_figure(const plot::Figure& figure, const lessons::Step* step,
                         std::size_t most_planes) {
    plot::Figure shown{.view = figure.view, .title = figure.title, .legend = figure.legend};
    const MainPanels* const main = main_panels(figure, step);
    if (main == nullptr) {
        shown.panels = figure.panels;
        shown.row_weights = figure.row_weights;
        shown.column_weights = figure.column_weights;
        return shown;
    }
    // What the step speaks of stands beside the first of the main panels, in place of the second.
    std::vector<std::vector<plot::Panel>> groups;
    for (const std::string_view name : main->panels) {
        groups.push_back(panels_of(figure, name, most_planes));
    }
    const std::string beside = std::string(main->panels.front()) + ".other";
    for (const plot::Panel& panel : figure.panels) {
        if (panel.id == beside) {  // what the first is compared with
            groups.back() = {panel};
        }
    }
    for (const plot::Panel& panel : figure.panels) {
        const auto has = [&](const std::vector<plot::Panel>& group) {
            return std::ranges::find(group, panel.id, &plot::Panel::id) != group.end();
        };
        if (step != nullptr && speaks_of(*step, panel) && std::ranges::none_of(groups, has)) {
            groups.back() = {panel};
        }
    }
    int place = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        for (plot::Panel& panel : groups[i]) {
            panel.row = main->below_each_other ? place : 0;
            panel.column = main->below_each_other ? 0 : place;
            panel.row_span = panel.column_span = 1;
        }
        if (!groups[i].empty()) {
            // One plane needs no more room than a panel of another kind.
            const bool one_plane = groups[i].size() == 1 && main->panels[i].ends_with('.');
            (main->below_each_other ? shown.row_weights : shown.column_weights)
                .push_back(one_plane ? 1 : main->shares[i]);
            ++place;
        }
        shown.panels.insert(shown.panels.end(), groups[i].begin(), groups[i].end());
    }
    plot::keep_legend_of_panels(shown, figure);
    return shown;
}

}  // namespace

std::string main_panel(const plot::Figure& figure) {
    const MainPanels* const main = main_panels(figure, nullptr);
    return main == nullptr ? "" : panels_of(figure, main->panels.front(), 1).front().id;
}

plot::Figure hall_figure(const plot::Figure& figure, const lessons::Step* step) {
    return main_figure(figure, step, kMostPlanes);
}

plot::Figure fitting_figure(const plot::Figure& figure, const lessons::Step* step,
                            const PanelRoom& room) {
    const auto fits = [&](const plot::Figure& tried) {
        return std::ranges::none_of(
            plot::left_out(tried, room.area, room.theme, room.scale, room.metrics, room.dress),
            [&](const std::string& part) {
                return part.starts_with("the title of ") ||
                       (room.numbers && part.starts_with("the numbers at the axes of "));
            });
    };
    if (room.all_panels && fits(figure)) {
        return figure;
    }
    plot::Figure some = hall_figure(figure, step);
    return fits(some) ? some : main_figure(figure, step, 1);
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
