// Draws one control; its look follows from the type of the parameter.
#pragma once

#include "app/gui/toolkit/ui.h"
#include "app/scene/parameters.h"

namespace ropescope::gui {

/// Hands out rows from top to bottom.
class ControlRows {
  public:
    explicit ControlRows(plot::Rect start) : at_(start) {}
    plot::Rect next(double height) {
        const plot::Rect row{at_.x, at_.y, at_.width, height};
        at_.y += height;
        return row;
    }
    void space(double height) { at_.y += height; }
    double bottom() const { return at_.y; }
    double width() const { return at_.width; }

  private:
    plot::Rect at_;
};

/// A number has a name, a value (click to type) and a slider; a choice has segments; a list has its
/// text (click to type).
void draw_control(Ui& ui, ControlRows& rows, const Parameter& parameter);

/// A text in one row: its name, and a field that a click opens.
void draw_text_across(Ui& ui, plot::Rect row, const Parameter& parameter);

/// Draws the controls of the animation: play, its speed, one step back or forth.
void draw_transport(Ui& ui, ControlRows& rows);

}  // namespace ropescope::gui
