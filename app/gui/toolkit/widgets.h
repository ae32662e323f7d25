// The controls: drawn by us, hit by ImGui.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/gui/toolkit/ui.h"

namespace ropescope::gui {

struct ButtonLook {
    bool enabled = true;
    bool selected = false;  ///< filled with the selected colour
    bool raised = false;    ///< a box even when the mouse is elsewhere
    plot::Role text = plot::Role::dim;
    std::string_view help = {};  ///< shown while the mouse rests on it
};
/// True when it was pressed.
bool button(Ui& ui, std::string_view id, plot::Rect where, std::string_view label,
            const ButtonLook& look = {});

/// A row of choices of which one is taken; the new index when another was pressed.
std::optional<std::size_t> segments(Ui& ui, std::string_view id, plot::Rect where,
                                    std::span<const std::string> labels, std::size_t current);

struct SliderTouch {
    Touch touch;
    std::optional<double> fraction;  ///< 0 .. 1 while the knob is held
    int steps = 0;                   ///< arrow keys while focused
    bool repeat = false;             ///< the key is held down
};
/// The knob stands at `fraction`; the track is filled up to it in the role's colour.
SliderTouch slider(Ui& ui, std::string_view id, plot::Rect where, double fraction, plot::Role role);

enum class FieldResult { editing, accepted, cancelled, left };
/// One line of text being typed; takes the keyboard. Enter accepts, Escape cancels, a click
/// elsewhere leaves it.
FieldResult text_field(Ui& ui, std::string_view id, plot::Rect where, TextEdit& edit,
                       std::string_view hint = {});

/// Dark text on the selected colour, near the mouse.
void tooltip(const Ui& ui, std::string_view text);

/// The ring around what the keyboard acts on.
void focus_ring(const Ui& ui, plot::Rect where);

/// ▾
void draw_chevron(const Ui& ui, plot::Pixel center, plot::Role role);

}  // namespace ropescope::gui
