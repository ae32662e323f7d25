// Which control the keyboard acts on: Tab and Shift+Tab go round the controls in the order in which
// they are drawn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ropescope::gui {

class FocusRing {
  public:
    /// Called for each control while a frame is drawn.
    void add(std::uint32_t id) { drawn_.push_back(id); }
    bool has(std::uint32_t id) const { return current_ == id; }
    std::uint32_t current() const { return current_; }  ///< 0: none
    void set(std::uint32_t id) { current_ = id; }
    /// The same, and the control scrolls into view.
    void go_to(std::uint32_t id) {
        current_ = id;
        frames_since_move_ = 0;
    }
    std::size_t drawn() const { return drawn_.size(); }  ///< controls, so far in this frame
    /// Tab comes to the control that was drawn last before those from `place` on.
    void put_last_at(std::size_t place) {
        if (place < drawn_.size()) {
            std::rotate(drawn_.begin() + static_cast<std::ptrdiff_t>(place), drawn_.end() - 1,
                        drawn_.end());
        }
    }
    /// Goes to the control that was drawn last in this frame.
    void go_to_last_drawn() {
        if (!drawn_.empty()) {
            go_to(drawn_.back());
        }
    }
    /// The same for a control that is not drawn in this frame but in the next.
    void come_back_to(std::uint32_t id) {
        current_ = id;
        comes_back_ = true;
    }
    void clear() { current_ = 0; }
    /// Called before the controls of a part of the window are drawn.
    void begin_region() { region_starts_.push_back(drawn_.size()); }
    /// Moves to the first control of the next (1) or the previous (-1) part that has controls.
    void move_region(int by);
    /// True in the first frame after move(), in which the control scrolls into view.
    bool just_moved() const { return frames_since_move_ == 1; }
    /// Moves to the next (1) or the previous (-1) control of the last whole frame, or to the first
    /// or the last one if no control has the focus.
    void move(int by);
    /// Whether move(by) would go round: it comes from the last control or the first, or there is
    /// none to come back to.
    bool goes_round(int by) const;
    /// Called when all controls are drawn. If the focused control is gone, no control has the
    /// focus.
    void end_frame();

  private:
    std::vector<std::uint32_t> drawn_, ring_;
    std::vector<std::size_t> region_starts_, starts_;  ///< of the regions in drawn_, in ring_
    std::uint32_t current_ = 0;
    bool comes_back_ = false;
    int frames_since_move_ = 2;
};

}  // namespace ropescope::gui
