// Looks for the words of the glossary in each line of a paragraph.
#include "app/gui/panels/glossed_text.h"

#include <cmath>
#include <imgui.h>
#include <set>

#include "app/gui/toolkit/widgets.h"
#include "app/scene/glossary.h"

namespace ropescope::gui {
namespace {

void draw_dots(const Ui& ui, plot::Rect word) {
    ImGuiPainter painter = ui.painter();
    const double dot = std::max(1.0, std::round(ui.px(1.2)));
    const double y = std::round(word.y + word.height * 0.84);
    for (double x = std::round(word.x); x < word.x + word.width; x += 3 * dot) {
        painter.fill_rect({x, y, dot, dot}, ui.theme[plot::Role::dim], 0);
    }
}

bool under_mouse(const Ui& ui, plot::Rect word) {
    const ImVec2 mouse = ImGui::GetMousePos();
    return !ui.behind && word.contains({mouse.x, mouse.y}) &&
           ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
}

}  // namespace

double glossed_paragraph(const Ui& ui, plot::Rect where, std::string_view text,
                         const plot::TextStyle& style) {
    std::set<const GlossaryEntry*> seen;
    return ui.paragraph(where, text, style, [&](plot::Rect line, std::string_view words) {
        for (const GlossaryWord& word : glossary_words(words)) {
            const double from = ui.width(words.substr(0, word.begin), style);
            const double to = ui.width(words.substr(0, word.end), style);
            const plot::Rect place{line.x + from, line.y, to - from, line.height};
            if (seen.insert(word.entry).second) {
                draw_dots(ui, place);
            }
            if (under_mouse(ui, place)) {
                tooltip(ui, word.entry->term + ": " + word.entry->text);
            }
        }
    });
}

void explain_name(const Ui& ui, std::string_view name) {
    if (const std::string help = glossary_help(name); !help.empty()) {
        tooltip(ui, help);
    }
}

}  // namespace ropescope::gui
