// Makes the window's figure again when something that its view reads has changed.
#include "app/gui/state/shown_figure.h"

#include <algorithm>
#include <utility>

#include "app/scene/parameters.h"
#include "core/base/error.h"

namespace ropescope::gui {
namespace {

/// Whether everything that the view reads is the same in both.
bool same_for_view(const Scene& a, const Scene& b) {
    const figures::View& view = figures::view_by_id(a.view);
    return a.view == b.view && std::ranges::all_of(parameters(), [&](const Parameter& parameter) {
               return !view.reads(parameter.name) ||
                      std::visit([&](auto member) { return a.*member == b.*member; },
                                 parameter.member);
           });
}

std::int64_t results_shown(const Scene& scene, const CheckRun& run) {
    return shows_checks(scene) ? std::ssize(run.results) : 0;
}

/// The window keeps room for the panel with the most values, so that nothing jumps when the mouse
/// moves.
std::int64_t most_readouts(const figures::Picture& picture) {
    std::size_t most = 0;
    for (const plot::Panel& panel : picture.figure.panels) {
        const plot::Point middle{(panel.x.min + panel.x.max) / 2, (panel.y.min + panel.y.max) / 2};
        most = std::max(most, picture.readouts_at(panel.id, middle).size());
    }
    return static_cast<std::int64_t>(most);
}

}  // namespace

bool shows_checks(const Scene& scene) {
    return figures::view_by_id(scene.view).shows_check_run;
}

bool ShownFigure::is_of(const Scene& wanted, const Engine& on, const CheckRun& run) const {
    return scene == wanted && engine == on.kind() && check_results == results_shown(wanted, run);
}

void ShownFigure::update(const Scene& wanted, Engine& on, const CheckRun& run) {
    if (is_of(wanted, on, run)) {
        return;
    }
    if (scene && same_for_view(*scene, wanted) && is_of(*scene, on, run)) {
        scene = wanted;
        return;
    }
    scene = wanted;
    engine = on.kind();
    check_results = results_shown(wanted, run);
    try {
        show(figures::make_picture(wanted, on,
                                   {.progress = progress,
                                    .cache = &cache,
                                    .live = live,
                                    .may_draft = may_draft,
                                    .check_run = &run}));
        drafts += picture->draft ? 1 : 0;
        refining = {};
        error.clear();
    } catch (const std::exception& refused) {
        error = reason_of(refused);
    }
}

void ShownFigure::show(figures::Picture next) {
    readout_rows = most_readouts(next);
    picture = std::move(next);
    ++count;
}

void ShownFigure::settle() {
    picture->draft = false;
    refining = {};
}

void ShownFigure::refuse(std::string why) {
    settle();
    error = std::move(why);
    if (picture->figure.panels.empty()) {  // it only said that the figure was to come
        picture->figure.title = "The figure could not be made";
    }
}

// Keeps the looks of the views, and the figure that was made with one.

namespace {

const plot::Panel* panel_of(const plot::Figure& figure, std::string_view id) {
    const auto found = std::ranges::find(figure.panels, id, &plot::Panel::id);
    return found == figure.panels.end() ? nullptr : &*found;
}

}  // namespace

const plot::Look& Looks::of(const plot::Figure& figure) {
    View& view = views_[figure.view];
    std::erase_if(view.look.ranges, [&](const auto& entry) {
        const plot::Panel* panel = panel_of(figure, entry.first);
        const auto own = view.own_x.find(entry.first);
        return panel != nullptr && own != view.own_x.end() &&
               own->second != plot::AxisRange{panel->x.min, panel->x.max};
    });
    return view.look;
}

const plot::Figure& Looks::seen(const plot::Figure& figure, std::uint64_t count) {
    const plot::Look& look = of(figure);
    if (look.empty()) {
        seen_.reset();
        return figure;
    }
    if (!seen_ || seen_count_ != count || seen_look_ != look || seen_->view != figure.view) {
        seen_ = plot::as_seen(figure, look);
        seen_count_ = count;
        seen_look_ = look;
    }
    return *seen_;
}

void Looks::set_range(const plot::Figure& figure, std::string_view id,
                      const plot::PanelRange& range) {
    if (const plot::Panel* panel = panel_of(figure, id)) {
        View& view = views_[figure.view];
        view.look.ranges[std::string(id)] = range;
        view.own_x[std::string(id)] = {panel->x.min, panel->x.max};
    }
}

bool Looks::fit(const plot::Figure& figure, std::string_view panel) {
    plot::Look& look = views_[figure.view].look;
    const auto found = look.ranges.find(panel);
    if (found == look.ranges.end()) {
        return false;
    }
    look.ranges.erase(found);
    return true;
}

bool Looks::is_zoomed(const plot::Figure& figure, std::string_view panel) {
    return of(figure).ranges.contains(panel);
}

void Looks::toggle(const plot::Figure& figure, const std::string& name) {
    plot::Look& look = views_[figure.view].look;
    if (look.hidden.erase(name) == 0) {
        look.hidden.insert(name);
    }
}

}  // namespace ropescope::gui
