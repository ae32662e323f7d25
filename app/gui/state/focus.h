// Which control the keyboard acts on: Tab and Shift+Tab go round the controls in the order in which
// they are drawn.
#pragma once

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
    void clear() { current_ = 0; }
    /// In the first frame after move(): the control comes into view.
    bool just_moved() const { return frames_since_move_ == 1; }
    /// To the next or the previous control of the last whole frame; from nowhere to the first or
    /// last.
    void move(int by);
    /// The controls of the frame are complete; a focused control that is gone loses it.
    void end_frame();

  private:
    std::vector<std::uint32_t> drawn_, ring_;
    std::uint32_t current_ = 0;
    int frames_since_move_ = 2;
};

}  // namespace ropescope::gui
