// Draws how a figure is written to a file: a row for each of its settings, and the path.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <imgui.h>
#include <iterator>
#include <span>
#include <vector>

#include "app/gui/panels/sheets.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/export_actions.h"
#include "app/gui/toolkit/widgets.h"
#include "app/plot/export_settings.h"
#include "app/plot/picture_layout.h"
#include "app/plot/render_figure.h"
#include "core/base/error.h"
#include "core/base/index.h"

namespace ropescope::gui {
namespace {

constexpr double kExportStep = 36, kExportRow = 30, kName = 110;
constexpr std::string_view kSizeField = "size of the export";

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

std::vector<std::string> labels_of(const plot::ExportSetting& setting) {
    std::vector<std::string> labels;
    for (const plot::OfferedValue& offered : setting.offered) {
        labels.push_back(offered.label);
    }
    return labels;
}

/// What was chosen, or the usual.
const std::string& value_of(const plot::ExportValues& values, const plot::ExportSetting& setting) {
    const auto found = values.find(setting.option);
    return found == values.end() ? setting.usual : found->second;
}

/// The path, also while a size is typed.
std::string& typed_path(AppState& state) {
    return state.edit.target == kSizeField ? state.exporting.path : state.edit.text;
}
const std::string& typed_path(const AppState& state) {
    return state.edit.target == kSizeField ? state.exporting.path : state.edit.text;
}

void draw_format(Ui& ui, plot::Rect row) {
    std::vector<std::string> formats = plot::picture_formats();
    formats.insert(formats.end(), {"csv", "txt"});
    AppState& state = ui.state();
    if (state.recording.start) {
        formats.insert(formats.end(), recorded_formats().begin(), recorded_formats().end());
    }
    std::string& typed = typed_path(state);
    std::filesystem::path path(typed);
    const std::string ending = path.extension().string();
    const std::size_t now = place_of(formats, ending.empty() ? ending : ending.substr(1));
    if (const auto chosen = named_segments(ui, row, "format", formats, now)) {
        typed = path.replace_extension(formats[*chosen]).string();
        state.edit.just_opened = true;  // shows the new text
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
        state.exporting.values["--size"] = state.edit.text;
        state.error.clear();
        leave_size(state);
    } catch (const InputError& refused) {
        state.error = refused.what();
        state.edit.just_opened = true;
    }
}

/// Gives the setting a value that the window offers.
void choose(plot::ExportValues& values, const plot::ExportSetting& setting,
            const std::string& value) {
    if (value.empty()) {
        values.erase(setting.option);
    } else {
        values[setting.option] = value;
    }
}

/// The values that are offered, and the last for one that people type.
void draw_size(Ui& ui, plot::Rect row, const plot::ExportSetting& setting) {
    AppState& state = ui.state();
    if (state.edit.target == kSizeField) {
        return draw_own_size(ui, row);
    }
    std::vector<std::string> sizes = labels_of(setting);
    sizes.emplace_back("other");
    const std::string& size = value_of(state.exporting.values, setting);
    std::size_t now = place_of(sizes, size);
    if (now == sizes.size()) {
        now = sizes.size() - 1;
        sizes.back() = size;
    }
    const plot::Rect box{row.x + ui.px(kName), row.y, row.width - ui.px(kName), row.height};
    const plot::Rect last{box.x + box.width * 0.8, box.y, box.width * 0.2, box.height};
    const bool again =
        now + 1 == sizes.size() && ui.touch("type the size", last, PressKeys::none).clicked;
    const auto chosen = named_segments(ui, row, setting.row, sizes, now);
    if (again || chosen == sizes.size() - 1) {
        state.exporting.path = state.edit.text;
        state.edit = {std::string(kSizeField), size, true};
    } else if (chosen) {
        choose(state.exporting.values, setting, sizes[*chosen]);
    }
}

void draw_setting(Ui& ui, plot::Rect row, const plot::ExportSetting& setting) {
    if (setting.row == "size") {
        return draw_size(ui, row, setting);
    }
    plot::ExportValues& values = ui.state().exporting.values;
    const auto found = values.find(setting.option);
    const std::string now = found == values.end() ? "" : found->second;
    const auto offered = std::ranges::find(setting.offered, now, &plot::OfferedValue::value);
    const auto place = static_cast<std::size_t>(offered - setting.offered.begin());
    if (const auto chosen = named_segments(ui, row, setting.row, labels_of(setting), place)) {
        choose(values, setting, setting.offered[*chosen].value);
    }
}

/// The whole figure, or one of its panels, in as many rows as their names need.
struct PanelRows {
    std::vector<std::string> ids, names;
    std::size_t each = 1;  ///< in a row

    PanelRows(const Ui& ui, double width) {
        const AppState& state = ui.state();
        if (!state.shown.picture) {
            return;
        }
        ids = {""};
        names = {"whole figure"};
        // Of many planes not all: the sheet has to fit into a small window. The last panel is of
        // another kind.
        constexpr std::size_t kMost = 12;
        const std::vector<plot::Panel>& panels = state.shown.picture->figure.panels;
        for (std::size_t i = 0; i < panels.size(); ++i) {
            if (i + 1 < kMost || i + 1 == panels.size()) {
                ids.push_back(panels[i].id);
                names.push_back(panels[i].id);
            }
        }
        double widest = 1;
        for (const std::string& name : names) {
            widest = std::max(widest, ui.width(name, ui.caption(plot::Role::text)) + ui.px(12));
        }
        each = std::clamp<std::size_t>(static_cast<std::size_t>((width - ui.px(kName)) / widest), 1,
                                       names.size());
    }
    std::size_t count() const { return (names.size() + each - 1) / each; }
};

void draw_panel(Ui& ui, plot::Rect row, const PanelRows& panels) {
    std::string& panel = ui.state().exporting.panel;
    const std::size_t known = place_of(panels.ids, panel);
    const std::size_t now = known < panels.ids.size() ? known : 0;
    const double cell = (row.width - ui.px(kName)) / to_double(static_cast<Index>(panels.each));
    ui.text({row.x, row.y, ui.px(kName), row.height}, "panel", ui.caption(plot::Role::dim));
    for (std::size_t line = 0; line < panels.count(); ++line) {
        const std::size_t first = line * panels.each;
        const std::span<const std::string> names =
            std::span(panels.names)
                .subspan(first, std::min(panels.each, panels.names.size() - first));
        // Another row than that of the chosen one has none.
        const std::size_t here = now < first ? names.size() : std::min(now - first, names.size());
        const plot::Rect box{row.x + ui.px(kName), row.y,
                             cell * to_double(static_cast<Index>(names.size())), row.height};
        const auto chosen = segments(ui, fmt::format("panel {}", line + 1), box, names, here);
        if (chosen) {
            panel = panels.ids[first + *chosen];
        }
        row.y += ui.px(kExportStep);
    }
}

/// What changes in a recording, and how many frames lead from one position to the next.
struct RecordingRows {
    std::vector<OfferedVariation> offered;

    explicit RecordingRows(const AppState& state) {
        if (records(state, typed_path(state))) {
            offered = offered_variations(state);
        }
    }
    bool any() const { return !offered.empty(); }
    double count() const { return any() ? 2 : 0; }
};

void draw_variation(Ui& ui, plot::Rect row, const std::vector<OfferedVariation>& offered) {
    RecordingState& recording = ui.state().recording;
    std::vector<std::string> labels;
    std::ranges::transform(offered, std::back_inserter(labels), &OfferedVariation::label);
    const auto now = place_of(labels, chosen_variation(offered, recording).label);
    if (const auto chosen = named_segments(ui, row, "what changes", labels, now)) {
        recording.label = offered[*chosen].label;
    }
}

void draw_steps(Ui& ui, plot::Rect row, const std::vector<OfferedVariation>& offered) {
    RecordingState& recording = ui.state().recording;
    if (!chosen_variation(offered, recording).has_steps) {
        ui.text({row.x, row.y, ui.px(kName), row.height}, "frames", ui.caption(plot::Role::dim));
        ui.text({row.x + ui.px(kName), row.y, row.width - ui.px(kName), row.height},
                "one for each value, 15 a second", ui.caption(plot::Role::dim));
        return;
    }
    const std::vector<std::string> labels = {"1 a position", "4", "8", "16"};
    constexpr std::array kSteps = {1, 4, 8, 16};
    const auto now =
        static_cast<std::size_t>(std::ranges::find(kSteps, recording.steps) - kSteps.begin());
    if (const auto chosen = named_segments(ui, row, "frames", labels, now)) {
        recording.steps = kSteps[*chosen];
    }
}

/// The heading, and what the figure is for.
void draw_purpose(Ui& ui, plot::Rect row) {
    const double from =
        ui.px(kName) + ui.text(row, "Export this figure for",
                               ui.style(plot::Role::text, ui.theme.body_px, plot::Face::bold));
    const std::vector<std::string> purposes = enum_names<ExportPurpose>();
    const std::optional<ExportPurpose> now = export_purpose(ui.state());
    const plot::Rect box{row.x + from, row.y - ui.px(3), row.width - from, ui.px(kExportRow)};
    if (const auto chosen = segments(ui, "purpose", box, purposes,
                                     now ? static_cast<std::size_t>(*now) : purposes.size())) {
        prepare_export(ui.state(), static_cast<ExportPurpose>(*chosen));
    }
}

constexpr double kSheet = 620, kPreview = 380, kPreviewGap = 24;

/// The picture as it will be written, made smaller to fit.
void draw_preview(Ui& ui, plot::Rect room) {
    AppState& state = ui.state();
    if (!state.shown.picture || !state.shown.error.empty()) {
        return;
    }
    ui.text({room.x, room.y, room.width, ui.px(24)}, "Preview", ui.caption(plot::Role::dim));
    room.y += ui.px(32);
    room.height -= ui.px(32);
    try {
        const plot::ExportOptions options =
            plot::with_values({.theme = state.theme}, state.exporting.values);
        plot::require_picture(options);
        const double scale =
            std::min(room.width / options.width_px, room.height / options.height_px);
        const plot::Rect area{room.x, room.y, std::floor(scale * options.width_px),
                              std::floor(scale * options.height_px)};
        ImGuiPainter painter = ui.painter();
        painter.push_clip(area);
        // What is transparent will lie on a page of its theme, not on the sheet of this window.
        painter.fill_rect(area, options.theme[plot::Role::panel], 0);
        plot::draw_picture_in(exported_figure(state), area, scale, options, painter);
        painter.pop_clip();
        ui.stroke(area, plot::Role::line, ui.theme.thin_px);
    } catch (const InputError& refused) {
        ui.paragraph(room, refused.what(), ui.caption(plot::Role::dim));
    }
}

}  // namespace

void draw_export_sheet(Ui& ui) {
    std::vector<plot::ExportSetting> settings = plot::export_settings();
    std::erase_if(settings, [](const plot::ExportSetting& setting) { return setting.row.empty(); });
    const RecordingRows recording(ui.state());
    const PanelRows panels(ui, ui.px(kSheet - 2 * kSheetPad));
    // And the format and the panels.
    const double rows = to_double(std::ssize(settings)) + 1 +
                        to_double(static_cast<Index>(panels.count())) + recording.count();
    const double all = kSheet + kPreviewGap + kPreview;
    const bool previews = ImGui::GetIO().DisplaySize.x >= ui.px(all + 40);
    const plot::Rect sheet =
        centred(ui, ui.px(previews ? all : kSheet), ui.px(192 + rows * kExportStep));
    draw_sheet(ui, sheet);
    const double beside = previews ? ui.px(kPreviewGap + kPreview) : 0;
    plot::Rect row{sheet.x + ui.px(kSheetPad), sheet.y + ui.px(14),
                   sheet.width - 2 * ui.px(kSheetPad) - beside, ui.px(24)};
    if (previews) {
        draw_preview(ui, {row.x + row.width + ui.px(kPreviewGap), row.y, ui.px(kPreview),
                          sheet.height - ui.px(40)});
    }
    draw_purpose(ui, row);
    row.y += ui.px(32);
    row.height = ui.px(kExportRow);
    draw_format(ui, row);
    if (recording.any()) {
        row.y += ui.px(kExportStep);
        draw_variation(ui, row, recording.offered);
        row.y += ui.px(kExportStep);
        draw_steps(ui, row, recording.offered);
    }
    for (const plot::ExportSetting& setting : settings) {
        row.y += ui.px(kExportStep);
        draw_setting(ui, row, setting);
    }
    row.y += ui.px(kExportStep);
    draw_panel(ui, row, panels);
    row.y += ui.px(kExportStep) * to_double(static_cast<Index>(panels.count()));
    row.height = ui.px(kSheetField);
    if (ui.state().edit.target == kSizeField) {  // one field at a time takes the keyboard
        // A click takes the size, and then the field of the path is the one that is typed in.
        draw_waiting_field(ui, row, ui.state().exporting.path, "Save");
        draw_refusal(ui, {row.x, row.y + row.height + ui.px(28), row.width, ui.px(60)});
        return;
    }
    draw_sheet_path(ui, row, "path of the file", "Save",
                    [&](const std::string& to) { return export_figure(ui.state(), to); });
}

}  // namespace ropescope::gui
