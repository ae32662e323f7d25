// Draws how a figure is written to a file: a row for each of its settings, and the path.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <span>
#include <vector>

#include "app/gui/panels/sheets.h"
#include "app/gui/state/actions.h"
#include "app/gui/toolkit/widgets.h"
#include "app/plot/picture_layout.h"
#include "app/plot/render_figure.h"
#include "core/base/error.h"

namespace ropescope::gui {
namespace {

constexpr double kExportStep = 36, kExportRow = 30, kName = 110;
const std::string kSizeField = "size of the export";

/// A name, and choices side by side beside it.
std::optional<std::size_t> named_segments(Ui& ui, plot::Rect row, std::string_view name,
                                          std::span<const std::string> labels,
                                          std::size_t current) {
    const double from = ui.px(kName);
    ui.text({row.x, row.y, from, row.height}, name, ui.caption(plot::Role::dim));
    return segments(ui, name, {row.x + from, row.y, row.width - from, row.height}, labels, current);
}

std::size_t place_of(std::span<const std::string> labels, std::string_view label) {
    return static_cast<std::size_t>(std::ranges::find(labels, label) - labels.begin());
}

void draw_format(Ui& ui, plot::Rect row) {
    std::vector<std::string> formats = plot::picture_formats();
    formats.insert(formats.end(), {"csv", "txt"});
    AppState& state = ui.state();
    std::string& typed = state.edit.target == kSizeField ? state.exporting.path : state.edit.text;
    std::filesystem::path path(typed);
    const std::string ending = path.extension().string();
    const std::size_t now = place_of(formats, ending.empty() ? ending : ending.substr(1));
    if (const auto chosen = named_segments(ui, row, "format", formats, now)) {
        typed = path.replace_extension(formats[*chosen]).string();
        state.edit.just_opened = true;  // shows the new text
    }
}

void draw_theme(Ui& ui, plot::Rect row) {
    static const std::array<std::string, 4> kThemes = {"window's", "light", "dark", "projector"};
    std::string& theme = ui.state().exporting.theme;
    const std::size_t now = place_of(kThemes, theme.empty() ? kThemes[0] : theme);
    if (const auto chosen = named_segments(ui, row, "theme", kThemes, now)) {
        theme = *chosen == 0 ? "" : kThemes[*chosen];
    }
}

/// Ends the typing of a size, and goes on with the path.
void leave_size(AppState& state) {
    state.edit = {"export path", state.exporting.path, true};
}

/// A size of the user's own, in pixels, millimetres or inches.
void draw_own_size(Ui& ui, plot::Rect row) {
    AppState& state = ui.state();
    const double from = ui.px(kName);
    ui.text({row.x, row.y, from, row.height}, "size", ui.caption(plot::Role::dim));
    const FieldResult result =
        text_field(ui, kSizeField, {row.x + from, row.y, row.width - from, row.height}, state.edit,
                   "1200x800, 84x60mm or 3.3x2.5in");
    if (result == FieldResult::cancelled) {
        return leave_size(state);
    }
    if (result == FieldResult::editing) {
        return;
    }
    try {
        plot::parse_picture_size("size", state.edit.text);
        state.exporting.size = state.edit.text;
        state.error.clear();
        leave_size(state);
    } catch (const InputError& refused) {
        state.error = refused.what();
        state.edit.just_opened = true;
    }
}

void draw_size(Ui& ui, plot::Rect row) {
    AppState& state = ui.state();
    if (state.edit.target == kSizeField) {
        return draw_own_size(ui, row);
    }
    std::array<std::string, 5> sizes = {"800x600", "1200x800", "1600x1000", "84x60mm", "other"};
    std::size_t now = place_of(sizes, state.exporting.size);
    if (now == sizes.size()) {
        now = sizes.size() - 1;
        sizes.back() = state.exporting.size;
    }
    const plot::Rect box{row.x + ui.px(kName), row.y, row.width - ui.px(kName), row.height};
    const plot::Rect last{box.x + box.width * 0.8, box.y, box.width * 0.2, box.height};
    const bool again =
        now + 1 == sizes.size() && ui.touch("type the size", last, Keys::none).clicked;
    const auto chosen = named_segments(ui, row, "size", sizes, now);
    if (again || chosen == sizes.size() - 1) {
        state.exporting.path = state.edit.text;
        state.edit = {kSizeField, state.exporting.size, true};
    } else if (chosen) {
        state.exporting.size = sizes[*chosen];
    }
}

void draw_pixels(Ui& ui, plot::Rect row) {
    static const std::array<std::string, 6> kNames = {"1x", "2x", "3x", "4x", "300 dpi", "600 dpi"};
    static constexpr std::array<double, 6> kScales = {
        1, 2, 3, 4, 300 / plot::kUnitsPerInch, 600 / plot::kUnitsPerInch};
    double& scale = ui.state().exporting.scale;
    const auto now = static_cast<std::size_t>(std::ranges::find(kScales, scale) - kScales.begin());
    if (const auto chosen = named_segments(ui, row, "pixels (PNG)", kNames, now)) {
        scale = kScales[*chosen];
    }
}

void draw_ground(Ui& ui, plot::Rect row) {
    static const std::array<std::string, 3> kGrounds = {"theme", "white", "transparent"};
    plot::Ground& ground = ui.state().exporting.ground;
    if (const auto chosen =
            named_segments(ui, row, "background", kGrounds, static_cast<std::size_t>(ground))) {
        ground = static_cast<plot::Ground>(*chosen);
    }
}

void draw_title_switch(Ui& ui, plot::Rect row) {
    static const std::array<std::string, 2> kTitles = {"with", "without"};
    bool& title = ui.state().exporting.title;
    if (const auto chosen = named_segments(ui, row, "title", kTitles, title ? 0 : 1)) {
        title = *chosen == 0;
    }
}

void draw_letters(Ui& ui, plot::Rect row) {
    static const std::array<std::string, 5> kNames = {"usual", "7 pt", "8 pt", "9 pt", "10 pt"};
    std::optional<double>& font = ui.state().exporting.font_pt;
    const std::size_t now = font ? place_of(kNames, fmt::format("{} pt", *font)) : 0;
    if (const auto chosen = named_segments(ui, row, "letters", kNames, now)) {
        font = *chosen == 0 ? std::nullopt : std::optional(6.0 + static_cast<double>(*chosen));
    }
}

/// The whole figure, or one of a few panels: from the one that was clicked last.
void draw_panel(Ui& ui, plot::Rect row) {
    AppState& state = ui.state();
    if (!state.shown.picture) {
        return;
    }
    constexpr std::size_t kMost = 4;
    std::vector<std::string> ids = {""}, names = {"whole figure"};
    const std::vector<plot::Panel>& panels = state.shown.picture->figure.panels;
    const auto add = [&](const plot::Panel& panel) {
        if (names.size() <= kMost && !std::ranges::count(ids, panel.id)) {
            ids.push_back(panel.id);
            names.push_back(panel.id);
        }
    };
    for (const std::string* const first : {&state.exporting.panel, &state.pressed_panel}) {
        const auto found = std::ranges::find(panels, *first, &plot::Panel::id);
        if (found != panels.end()) {
            add(*found);
        }
    }
    std::ranges::for_each(panels, add);
    const std::size_t found = place_of(ids, state.exporting.panel);
    if (const auto chosen =
            named_segments(ui, row, "panel", names, found < ids.size() ? found : 0)) {
        state.exporting.panel = ids[*chosen];
    }
}

}  // namespace

void draw_export_sheet(Ui& ui) {
    const plot::Rect sheet = centred(ui, ui.px(620), ui.px(480));
    draw_sheet(ui, sheet);
    plot::Rect row{sheet.x + ui.px(kSheetPad), sheet.y + ui.px(14),
                   sheet.width - 2 * ui.px(kSheetPad), ui.px(24)};
    ui.text(row, "Export this figure",
            ui.style(plot::Role::text, ui.theme.body_px, plot::Face::bold));
    row.y += ui.px(32);
    row.height = ui.px(kExportRow);
    for (const auto draw : {draw_format, draw_theme, draw_size, draw_pixels, draw_ground,
                            draw_title_switch, draw_letters, draw_panel}) {
        draw(ui, row);
        row.y += ui.px(kExportStep);
    }
    if (ui.state().edit.target == kSizeField) {  // one field at a time takes the keyboard
        draw_refusal(ui, row);
        return;
    }
    row.height = ui.px(kSheetField);
    draw_sheet_path(ui, row, "path of the file", "Save",
                    [&](const std::string& to) { return export_figure(ui.state(), to); });
}

}  // namespace ropescope::gui
