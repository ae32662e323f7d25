// What the panels draw with: the state, the painter of the current ImGui window, sizes in units of
// the design, text, and areas that can be clicked or focused.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/gui/state/app_state.h"
#include "app/gui/toolkit/imgui_painter.h"
#include "app/gui/toolkit/toolkit.h"

namespace ropescope::gui {

/// What the mouse and the keyboard do with an area in this frame.
struct Touch {
    std::uint32_t id = 0;
    bool hovered = false, held = false, focused = false;
    bool clicked = false;  ///< by the mouse, or by Enter or Space while focused
    bool released = false;
};

/// The keys that press an area which has the focus. An area without keys takes no focus.
enum class PressKeys { none, enter, enter_and_space };

class Ui {
  public:
    Ui(AppState& state, Toolkit& toolkit, Regions regions);

    AppState& state() { return *state_; }
    const AppState& state() const { return *state_; }
    const plot::Theme& theme;
    const Regions regions;
    /// True while an overlay lies over what is drawn: nothing reacts.
    bool behind = false;

    /// Pixels of a length in the design's units.
    double px(double units) const { return units * unit_; }
    /// The painter of the current ImGui window.
    ImGuiPainter painter() const;

    plot::TextStyle style(plot::Role role, double size_px,
                          plot::Face face = plot::Face::regular) const;
    plot::TextStyle body(plot::Role role) const { return style(role, theme.body_px); }
    plot::TextStyle caption(plot::Role role) const { return style(role, theme.caption_px); }
    plot::TextStyle small(plot::Role role) const { return style(role, theme.small_px); }
    plot::TextStyle mono(plot::Role role, double size_px) const {
        return style(role, size_px, plot::Face::mono);
    }

    double width(std::string_view text, const plot::TextStyle& style) const;
    /// Draws text at the middle of the rectangle's height; `align` is 0 for left, 0.5 for centre, 1
    /// for right. Text that does not fit ends in an ellipsis. Returns the width drawn.
    double text(plot::Rect where, std::string_view text, const plot::TextStyle& style,
                double align = 0) const;
    /// What is done with each line of a paragraph, beside drawing its words.
    using EachLine = std::function<void(plot::Rect where, std::string_view words)>;
    /// Draws text in as many lines as fit. Returns the height used.
    double paragraph(plot::Rect where, std::string_view text, const plot::TextStyle& style,
                     const EachLine& each_line = {}) const;
    /// The height that paragraph() uses if it has room for all lines.
    double paragraph_height(double width, std::string_view text,
                            const plot::TextStyle& style) const;

    void fill(plot::Rect rect, plot::Role role, double corner_units = 0) const;
    void stroke(plot::Rect rect, plot::Role role, double width_px, double corner_units = 0) const;
    /// A thin line of whole pixels.
    void rule(plot::Pixel from, double length, bool vertical) const;

    /// An area that reacts. `name` is unique in the window. An area that does not take Space leaves
    /// it to the window, in which it plays.
    Touch touch(std::string_view name, plot::Rect where,
                PressKeys keys = PressKeys::enter_and_space);
    /// Returns true if the key was pressed in this frame, and removes it, so that nothing else
    /// reacts.
    bool take(KeyPress press);

    Toolkit& toolkit() const { return *toolkit_; }

  private:
    AppState* state_;
    Toolkit* toolkit_;
    double unit_;
};

/// Capital letters for headings; only the letters of ASCII change.
std::string upper_case(std::string_view text);

/// A borderless ImGui window or child that fills a rectangle. Its content is clipped, and scrolls
/// if it is taller than the rectangle.
class Surface {
  public:
    enum class Kind { window, overlay, child };
    Surface(const Ui& ui, const char* name, plot::Rect where, Kind kind);
    ~Surface();
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;
    /// Where its content begins on the screen, after scrolling.
    plot::Pixel origin() const { return origin_; }
    /// Sets how tall the content is, for scrolling.
    void content_height(double pixels) const;
    /// Scrolls so that this height of the content comes to the middle.
    void scroll_to(double pixels) const;
    /// Scrolls down, if it has to, so that the content is seen to this height.
    void scroll_down_to(double pixels) const;

  private:
    Kind kind_;
    plot::Pixel origin_;
};

}  // namespace ropescope::gui
