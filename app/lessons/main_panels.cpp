// Which panels of a figure are shown where not all of them have room.
#include "app/lessons/main_panels.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>

#include "app/plot/draw_figure.h"
#include "app/plot/look.h"

namespace ropescope::lessons {
namespace {

constexpr std::size_t kMostPlanes = 2;  // panels_of() keeps no more

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

/// The names of panels in a text: panel "right answers", curve "score against distance".
void add_names(std::string_view text, std::vector<std::string>& names) {
    for (const std::string_view before : {"panel \"", "curve \"", "map \""}) {
        for (std::size_t at = text.find(before); at != std::string_view::npos;
             at = text.find(before, at + 1)) {
            const std::string_view rest = text.substr(at + before.size());
            const std::string_view name = rest.substr(0, rest.find('"'));
            if (!name.empty()) {
                names.emplace_back(name);
            }
        }
    }
}

/// Whether the step speaks of the panel; null speaks of none.
bool speaks_of(const Step* step, const plot::Panel& panel) {
    return step != nullptr && ((step->task && step->task->point_at == panel.id) ||
                               std::ranges::any_of(names_of_panels(*step), [&](const auto& name) {
                                   return panel.title.starts_with(name) || panel.id == name;
                               }));
}

/// The panels of one name, of many at most so many, in their order: of planes the selected one and
/// the one farthest from it, which turns at the most different speed, else the first ones.
std::vector<plot::Panel> panels_of(const plot::Figure& figure, std::string_view name,
                                   std::size_t most) {
    std::vector<plot::Panel> found;
    std::ranges::copy_if(figure.panels, std::back_inserter(found),
                         [&](const plot::Panel& panel) { return is_meant(name, panel.id); });
    if (found.size() > most) {
        const auto chosen = std::ranges::find(found, true, &plot::Panel::selected);
        if (chosen != found.end()) {
            const bool in_front = 2 * (chosen - found.begin()) >= std::ssize(found) - 1;
            std::vector<plot::Panel> kept = {*chosen};
            if (most > 1) {
                kept.insert(in_front ? kept.begin() : kept.end(),
                            in_front ? found.front() : found.back());
            }
            return kept;
        }
        found.resize(most);
    }
    return found;
}

}  // namespace

namespace {

/// The row of the table for the step and the form that the figure has; null if it has none.
const MainPanels* main_panels(const plot::Figure& figure, const Step* step) {
    const auto row_where = [&](bool speaking, const auto& holds) -> const MainPanels* {
        const auto found = std::ranges::find_if(kMain, [&](const MainPanels& row) {
            return row.view == figure.view && (speaking || !row.for_a_step) &&
                   std::ranges::any_of(figure.panels, [&](const plot::Panel& panel) {
                       return is_meant(row.panels.front(), panel.id) && holds(panel);
                   });
        });
        return found == kMain.end() ? nullptr : &*found;
    };
    const auto spoken_of = [&](const plot::Panel& panel) { return speaks_of(step, panel); };
    const MainPanels* const row = row_where(true, spoken_of);
    return row != nullptr ? row : row_where(false, [](const plot::Panel&) { return true; });
}

struct Arrangement {
    std::size_t most_planes = kMostPlanes;
    bool below = false;         ///< whatever the row says, the panels stand below each other
    bool planes_alone = false;  ///< without the second of the main panels, beside which they stand
};

plot::Figure arranged(const plot::Figure& figure, const Step* step, const Arrangement& how) {
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
        groups.push_back(panels_of(figure, name, how.most_planes));
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
        if (speaks_of(step, panel) && std::ranges::none_of(groups, has)) {
            groups.back() = {panel};
        }
    }
    const auto meant = [&](const plot::Panel& panel) { return speaks_of(step, panel); };
    if (how.planes_alone && main->panels.front().ends_with('.') &&
        std::ranges::none_of(groups.back(), meant)) {
        groups.back().clear();
    }
    const bool below = main->below_each_other || how.below;
    int place = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        for (plot::Panel& panel : groups[i]) {
            panel.row = below ? place : 0;
            panel.column = below ? 0 : place;
            panel.row_span = panel.column_span = 1;
        }
        if (!groups[i].empty()) {
            // Beside a panel of another kind one plane needs no more room than that.
            const bool one_plane =
                !how.below && groups[i].size() == 1 && main->panels[i].ends_with('.');
            (below ? shown.row_weights : shown.column_weights)
                .push_back(one_plane ? 1 : main->shares[i]);
            ++place;
        }
        shown.panels.insert(shown.panels.end(), groups[i].begin(), groups[i].end());
    }
    plot::keep_legend_of_panels(shown, figure);
    return shown;
}

/// Whether a panel would be without its name or, where whole texts are wanted, without the names
/// and the numbers of its axes or with the end of one of them cut off.
bool lacks_texts(const plot::Figure& figure, const PanelRoom& room) {
    constexpr std::array<std::string_view, 6> kTexts = {
        "the title of ",       "the end of the title of ",     "the numbers at the axes of ",
        "the axis labels of ", "the end of an axis label of ", "the names of lines of "};
    constexpr std::size_t kNames = 2;
    const auto parts = std::span(kTexts).first(room.whole_texts ? kTexts.size() : kNames);
    return std::ranges::any_of(
        plot::left_out(figure, room.area, room.theme, room.scale, room.metrics, room.dress),
        [&](const std::string& part) {
            return std::ranges::any_of(
                parts, [&](std::string_view begin) { return part.starts_with(begin); });
        });
}

bool changes(const plot::Panel& panel, const PanelRoom& room) {
    return std::ranges::find(room.changing, panel.id) != room.changing.end();
}

/// Of the main panels that of which the step speaks, or else the first that changes, or else the
/// first; if none of them changes, one of the others that does.
plot::Figure panel_alone(const plot::Figure& figure, const Step* step, const PanelRoom& room) {
    const plot::Figure main = arranged(figure, step, {.most_planes = 1});
    const auto id_where = [](const plot::Figure& of, const auto& holds) {
        const auto found = std::ranges::find_if(of.panels, holds);
        return found == of.panels.end() ? std::string() : found->id;
    };
    const auto meant = [&](const plot::Panel& panel) { return speaks_of(step, panel); };
    const auto moves = [&](const plot::Panel& panel) { return changes(panel, room); };
    std::string id = id_where(main, meant);
    if (id.empty()) {
        id = id_where(main, moves);
    }
    if (id.empty()) {
        id = id_where(figure, moves);
    }
    return plot::as_seen(figure, {.panel = id.empty() ? main.panels.front().id : id});
}

/// Whether one of the panels is what the control beside the figure changes, or the step speaks of
/// one, or nothing changes any.
bool shows_the_change(const plot::Figure& figure, const Step* step, const PanelRoom& room) {
    return room.changing.empty() ||
           std::ranges::any_of(figure.panels, [&](const plot::Panel& panel) {
               return changes(panel, room) || speaks_of(step, panel);
           });
}

}  // namespace

std::vector<std::string> names_of_panels(const Step& step) {
    std::vector<std::string> names;
    if (step.task) {
        add_names(step.task->text, names);
        add_names(step.task->hint, names);
    }
    for (const Passage& passage : step.text) {
        add_names(passage.text, names);
    }
    return names;
}

std::string main_panel(const plot::Figure& figure) {
    const MainPanels* const main = main_panels(figure, nullptr);
    return main == nullptr ? "" : panels_of(figure, main->panels.front(), 1).front().id;
}

plot::Figure main_figure(const plot::Figure& figure, const Step* step) {
    return arranged(figure, step, {});
}

plot::Figure fitting_figure(const plot::Figure& figure, const Step* step, const PanelRoom& room) {
    if (room.all_panels && !lacks_texts(figure, room)) {
        return figure;
    }
    constexpr std::array<Arrangement, 5> kFewer = {{{},
                                                    {.below = true},
                                                    {.most_planes = 1},
                                                    {.most_planes = 1, .below = true},
                                                    {.planes_alone = true}}};
    for (const Arrangement& how : kFewer) {
        plot::Figure some = arranged(figure, step, how);
        if (!lacks_texts(some, room) && shows_the_change(some, step, room)) {
            return some;
        }
    }
    return panel_alone(figure, step, room);
}

}  // namespace ropescope::lessons
