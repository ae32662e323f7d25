// Moves the keyboard's focus along the controls of the last whole frame.
#include "app/gui/state/focus.h"

#include <algorithm>
#include <utility>

namespace ropescope::gui {

void FocusRing::move(int by) {
    if (ring_.empty()) {
        return;
    }
    frames_since_move_ = 0;
    const std::ptrdiff_t size = std::ssize(ring_);
    const auto found = std::ranges::find(ring_, current_);
    const std::ptrdiff_t from =
        found != ring_.end() ? found - ring_.begin() : (by > 0 ? size - 1 : 0);
    current_ = ring_[((from + by) % size + size) % size];
}

void FocusRing::end_frame() {
    ring_ = std::exchange(drawn_, {});
    frames_since_move_ = std::min(2, frames_since_move_ + 1);
    if (!std::exchange(comes_back_, false) && std::ranges::find(ring_, current_) == ring_.end()) {
        current_ = 0;
    }
}

}  // namespace ropescope::gui
