// Keeps the looks of the views, and the figure that was made with one.
#include "app/gui/state/looks.h"

#include <algorithm>

namespace ropescope::gui {
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
               own->second != plot::Range{panel->x.min, panel->x.max};
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
