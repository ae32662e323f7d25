// Finds the links of a figure and its marks of what is selected, and whether it is drawn from an
// engine's memory.
#include "app/plot/figure.h"

#include <algorithm>

namespace ropescope::plot {
namespace {

struct IsLive {
    bool operator()(const HeatMap& map) const { return bool(map.live.tensor); }
    bool operator()(const Points& points) const { return bool(points.live.tensor); }
    bool operator()(const Vector& vector) const { return bool(vector.live_to.tensor); }
    template <typename Other>
    bool operator()(const Other&) const {
        return false;
    }
};

/// Null for marks that never show what is selected.
const bool* selection_of(const Mark& mark) {
    return std::visit(
        [](const auto& one) -> const bool* {
            if constexpr (requires { one.of_selection; }) {
                return &one.of_selection;
            } else {
                return nullptr;
            }
        },
        mark);
}

template <typename Test>
const Link* first_link(const Figure& figure, Test test) {
    const auto found = std::ranges::find_if(figure.links, test);
    return found == figure.links.end() ? nullptr : &*found;
}

}  // namespace

bool is_live(const Figure& figure) {
    return std::ranges::any_of(figure.panels, [](const Panel& panel) {
        return std::ranges::any_of(panel.marks,
                                   [](const Mark& mark) { return std::visit(IsLive{}, mark); });
    });
}

void mark_selection(std::vector<Mark>& marks, std::size_t first) {
    for (std::size_t i = first; i < marks.size(); ++i) {
        std::visit(
            [](auto& one) {
                if constexpr (requires { one.of_selection; }) {
                    one.of_selection = true;
                }
            },
            marks[i]);
    }
}

Figure without_selection(Figure figure) {
    for (Panel& panel : figure.panels) {
        panel.selected = false;
        std::erase_if(panel.marks, [](const Mark& mark) {
            const bool* const of_selection = selection_of(mark);
            return of_selection != nullptr && *of_selection;
        });
    }
    return figure;
}

const Link* link_of(const Figure& figure, Link::Key key) {
    return first_link(figure,
                      [&](const Link& link) { return key != Link::Key::none && link.key == key; });
}

}  // namespace ropescope::plot
