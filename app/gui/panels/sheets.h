// Sheets that lie over the window, and what they are made of. Sources: sheets.cpp, open_sheet.cpp
// (models, files, and what is found by its letters), export_sheet.cpp, list_sheet.cpp (the values
// of a parameter, and menus).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/gui/toolkit/ui.h"

namespace ropescope::gui {

inline constexpr double kSheetPad = 20, kSheetField = 34;  ///< units

/// The rectangle, moved and cut so that it lies inside the window.
plot::Rect placed(const Ui& ui, double x, double y, double width, double height);
plot::Rect centred(const Ui& ui, double width, double height);

enum class Veil { none, dims };  ///< what lies behind
/// Draws the sheet; a click beside it closes the overlay.
void draw_sheet(Ui& ui, plot::Rect sheet, Veil veil = Veil::dims);

/// Draws the field of the overlay with a button at its end. Returns true when the user has entered
/// the text.
bool draw_sheet_field(Ui& ui, plot::Rect row, std::string_view hint, std::string_view action);
/// The same while another field takes the keyboard: its text and its button wait.
void draw_waiting_field(Ui& ui, plot::Rect row, std::string_view text, std::string_view action);
/// Draws why the last action in the overlay was refused, if it was.
void draw_refusal(const Ui& ui, plot::Rect where);

void draw_open_sheet(Ui& ui);
void draw_export_sheet(Ui& ui);
void draw_choice_sheet(Ui& ui);
void draw_menu_sheet(Ui& ui);

// A field for the path of a file that is written, in a sheet.

/// The field of a path, what is said about it, and the question before a file is replaced.
/// `write` does what the button says, and the sheet closes if it did.
void draw_sheet_path(Ui& ui, plot::Rect row, std::string_view hint, std::string_view action,
                     const std::function<bool(const std::string& path)>& write);

}  // namespace ropescope::gui
