// Text whose words of the field explain themselves under the mouse.
#pragma once

#include <string_view>

#include "app/gui/toolkit/ui.h"

namespace ropescope::gui {

/// As Ui::paragraph(); a word of the glossary has dots below it where it stands first, and shows
/// what it means while the mouse rests on it.
double glossed_paragraph(const Ui& ui, plot::Rect where, std::string_view text,
                         const plot::TextStyle& style);

/// Says beside the mouse what the glossary has on a name; nothing if it has no entry.
void explain_name(const Ui& ui, std::string_view name);

}  // namespace ropescope::gui
