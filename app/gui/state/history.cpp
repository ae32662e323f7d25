// Keeps the scenes before and after the one that the window shows.
#include "app/gui/state/history.h"

#include <utility>

namespace ropescope::gui {

void History::edit(Scene& scene, Scene next, std::uint32_t token) {
    if (next == scene) {
        return;
    }
    if (token == 0 || token != token_) {
        earlier_.push_back(std::move(scene));
        if (undo_steps() > kMostSteps) {
            earlier_.erase(earlier_.begin());
        }
    }
    token_ = token;
    later_.clear();
    scene = std::move(next);
}

bool History::step(Scene& scene, std::vector<Scene>& from, std::vector<Scene>& to) {
    if (from.empty()) {
        return false;
    }
    to.push_back(std::exchange(scene, std::move(from.back())));
    from.pop_back();
    end_edit();
    return true;
}

bool History::undo(Scene& scene) {
    return step(scene, earlier_, later_);
}

bool History::redo(Scene& scene) {
    return step(scene, later_, earlier_);
}

}  // namespace ropescope::gui
