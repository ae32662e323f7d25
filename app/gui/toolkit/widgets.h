// The controls. We draw them, and ImGui says what the mouse does with them.
#pragma once

#include <cstdint>
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
/// Returns true when the button was pressed.
bool button(Ui& ui, std::string_view id, plot::Rect where, std::string_view label,
            const ButtonLook& look = {});

/// Draws choices side by side. Returns the index of another choice than `current` when it was
/// pressed. `explain` is called with the one under the mouse.
std::optional<std::size_t> segments(Ui& ui, std::string_view id, plot::Rect where,
                                    std::span<const std::string> labels, std::size_t current,
                                    void (*explain)(const Ui&, std::string_view label) = nullptr);

/// How many rows the keys of this frame go on in a list: one by the arrows up and down, `page` by
/// Page up and Page down, and by Home and End more than any list has. 0: none of them.
int rows_by_keys(Ui& ui, int page);
/// Moves the focus among the rows of a list, `ids` in their order (0: a row that takes no focus),
/// by these keys. The arrows go round; the others stop at its ends.
void walk_list(Ui& ui, std::span<const std::uint32_t> ids, int page);

struct SliderTouch {
    Touch touch;
    std::optional<double> fraction;  ///< 0 .. 1 while the knob is held
    int steps = 0;                   ///< arrow keys while focused
    bool repeat = false;             ///< the key is held down
};
/// Draws a slider with its knob at `fraction`; the track up to the knob has the role's colour.
SliderTouch slider(Ui& ui, std::string_view id, plot::Rect where, double fraction, plot::Role role);

enum class FieldResult { editing, accepted, cancelled, left };
/// Draws one line of text that the user types; it takes the keyboard. Enter accepts the text,
/// Escape cancels, a click elsewhere leaves the field.
FieldResult text_field(Ui& ui, std::string_view id, plot::Rect where, TextEdit& edit,
                       std::string_view hint = {});

/// Draws a text in a box near the mouse.
void tooltip(const Ui& ui, std::string_view text);

/// Draws the ring around the control on which the keyboard acts.
void focus_ring(const Ui& ui, plot::Rect where);

/// ▾
void draw_chevron(const Ui& ui, plot::Pixel center, plot::Role role);

}  // namespace ropescope::gui
