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

bool FocusRing::goes_round(int by) const {
    const auto found = std::ranges::find(ring_, current_);
    return found == ring_.end() ? by < 0 || ring_.empty()
           : by < 0             ? found == ring_.begin()
                                : found + 1 == ring_.end();
}

void FocusRing::move_region(int by) {
    std::vector<std::size_t> first = starts_;
    const auto repeated = std::ranges::unique(first);  // parts without controls
    first.erase(repeated.begin(), repeated.end());
    std::erase_if(first, [&](std::size_t start) { return start >= ring_.size(); });
    if (first.empty()) {
        return;
    }
    frames_since_move_ = 0;
    const auto found = std::ranges::find(ring_, current_);
    const auto count = std::ssize(first);
    std::ptrdiff_t to = by > 0 ? 0 : count - 1;
    if (found != ring_.end()) {
        const auto place = static_cast<std::size_t>(found - ring_.begin());
        const auto now = std::ranges::upper_bound(first, place) - first.begin() - 1;
        to = ((now + by) % count + count) % count;
    }
    current_ = ring_[first[static_cast<std::size_t>(to)]];
}

void FocusRing::end_frame() {
    ring_ = std::exchange(drawn_, {});
    starts_ = std::exchange(region_starts_, {});
    frames_since_move_ = std::min(2, frames_since_move_ + 1);
    if (!std::exchange(comes_back_, false) && std::ranges::find(ring_, current_) == ring_.end()) {
        current_ = 0;
    }
}

}  // namespace ropescope::gui
