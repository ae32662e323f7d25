#include "app/plot/live.h"

#include <algorithm>

#include "app/plot/figure.h"

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

}  // namespace

bool is_live(const Figure& figure) {
    return std::ranges::any_of(figure.panels, [](const Panel& panel) {
        return std::ranges::any_of(panel.marks,
                                   [](const Mark& mark) { return std::visit(IsLive{}, mark); });
    });
}

}  // namespace ropescope::plot
