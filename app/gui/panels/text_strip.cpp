// Draws the text that a figure was made of above it: a field, and its tokens to click.
#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "app/figures/view.h"
#include "app/gui/panels/control_rows.h"
#include "app/gui/panels/panels.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/finder.h"
#include "app/gui/toolkit/widgets.h"
#include "app/scene/parameters.h"

namespace ropescope::gui {
namespace {

// In units.
constexpr double kStripSide = 24, kStripTop = 10, kStripField = 30, kChip = 26, kChipGap = 6,
                 kChipPad = 10;
/// A lower part of the window is left to the figure.
constexpr double kLeastFigure = 480;
constexpr std::size_t kMostChipLines = 2;

double chip_width(const Ui& ui, const std::string& word) {
    return ui.width(word, ui.caption(plot::Role::text)) + 2 * ui.px(kChipPad);
}

/// Where the chips stand, in at most two lines; those behind have no place.
std::vector<plot::Rect> places_of(const Ui& ui, const std::vector<figures::PictureWord>& words,
                                  plot::Rect area) {
    std::vector<plot::Rect> places;
    plot::Pixel at{area.x, area.y};
    std::size_t lines = 1;
    for (const figures::PictureWord& word : words) {
        const double width = chip_width(ui, word.text);
        if (at.x > area.x && at.x + width > area.x + area.width) {
            if (++lines > kMostChipLines) {
                break;
            }
            at = {area.x, at.y + ui.px(kChip + kChipGap)};
        }
        places.push_back({at.x, at.y, std::min(width, area.width), ui.px(kChip)});
        at.x += width + ui.px(kChipGap);
    }
    return places;
}

void draw_chip(Ui& ui, const figures::PictureWord& word, std::size_t place, plot::Rect where) {
    AppState& state = ui.state();
    if (!word.clicked) {
        ui.text(where, word.text, ui.caption(plot::Role::dim), 0.5);
        return;
    }
    if (button(ui, fmt::format("token {}", place), where, word.text,
               {.selected = word.marked,
                .raised = true,
                .text = plot::Role::text,
                .help = "mask this token, or show it again"}) &&
        state.shown.current() != nullptr) {
        edit_scene(state, word.clicked(state.scene));
    }
}

}  // namespace

const Parameter* text_above_figure(const Ui& ui) {
    const AppState& state = ui.state();
    if (state.presenting || state.lessons.open() ||
        ui.regions.figure.height < ui.px(kLeastFigure) ||
        !figures::view_by_id(state.scene.view).reads("attention_text")) {
        return nullptr;
    }
    const std::vector<const Parameter*> shown = shown_controls(state.scene);
    const auto found =
        std::ranges::find(shown, "attention_text", [](const Parameter* p) { return p->name; });
    return found == shown.end() ? nullptr : *found;
}

double draw_text_strip(Ui& ui) {
    AppState& state = ui.state();
    const Parameter* const text = text_above_figure(ui);
    if (text == nullptr) {
        return 0;
    }
    const plot::Rect& figure = ui.regions.figure;
    plot::Rect row{figure.x + ui.px(kStripSide), figure.y + ui.px(kStripTop),
                   std::max(0.0, figure.width - 2 * ui.px(kStripSide)), ui.px(kStripField)};
    draw_text_across(ui, row, *text);
    if (text->name == state.wanted_control) {
        state.wanted_control.clear();
        state.focus.go_to_last_drawn();
    }
    row.y += row.height + ui.px(kChipGap);
    double bottom = row.y;
    if (state.shown.picture) {
        // A click makes another picture, so the words are held.
        const std::vector<figures::PictureWord> words = state.shown.picture->words;
        const std::vector<plot::Rect> places = places_of(ui, words, row);
        for (std::size_t i = 0; i < places.size(); ++i) {
            draw_chip(ui, words[i], i, places[i]);
            bottom = places[i].y + places[i].height;
        }
    }
    return bottom - figure.y;
}

}  // namespace ropescope::gui
