// Exports and records the figure, and copies what makes it again.
#include "app/gui/state/export_actions.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "app/figures/view.h"
#include "app/gui/state/attempt.h"
#include "app/gui/state/scene_files.h"
#include "app/gui/state/scene_text.h"
#include "app/lessons/main_panels.h"
#include "app/plot/figure_file.h"
#include "app/plot/picture_layout.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/write_file.h"

namespace ropescope::gui {
namespace {

/// How the figure is looked at, with the panel that is exported alone if the figure has it.
plot::Look exported_look(AppState& state) {
    const plot::Figure& figure = state.shown.picture->figure;
    plot::Look look = state.looks.of(figure);
    const std::string& panel = state.exporting.panel;
    if (std::ranges::find(figure.panels, panel, &plot::Panel::id) != figure.panels.end()) {
        look.panel = panel;
    }
    return look;
}

void require_shown(const AppState& state) {
    if (!state.shown.picture) {
        throw InputError("export: no figure is drawn yet; correct the settings first");
    }
    if (!state.shown.error.empty()) {  // what is shown is of an earlier scene, or says so
        throw InputError(state.shown.error);
    }
}

/// The bytes of the file that an export writes.
std::string exported(AppState& state, const std::string& path) {
    require_shown(state);
    const plot::ExportOptions options =
        plot::with_values({.theme = state.theme}, state.exporting.values);
    const plot::Figure& figure = *state.shown.figure();
    // A file needs the whole figure; the window may so far have shown a draft.
    const bool again = state.shown.is_draft() || plot::is_live(figure);
    const plot::Figure whole = again ? figures::make_figure(*state.shown.scene, *state.engine,
                                                            {.cache = &state.shown.cache})
                                     : figure;
    return plot::figure_file(plot::as_seen(whole, exported_look(state)), path, options);
}

void record_figure(AppState& state, const std::string& path) {
    require_shown(state);
    const OfferedVariation chosen = chosen_variation(offered_variations(state), state.recording);
    state.recording.start(
        {.path = path,
         .scene = state.scene,
         .vary = chosen.vary,
         .steps = chosen.has_steps ? state.recording.steps : 1,
         .look = exported_look(state),
         .picture = plot::with_values({.theme = state.theme}, state.exporting.values)});
    state.exporting.format = std::filesystem::path(path).extension().string().substr(1);
}

}  // namespace

const std::vector<std::string>& recorded_formats() {
    static const std::vector<std::string> formats = {"apng", "gif", "mp4"};
    return formats;
}

bool records(const AppState& state, const std::string& path) {
    const std::string ending = lower_case(std::filesystem::path(path).extension().string());
    return state.recording.start && !ending.empty() &&
           std::ranges::count(recorded_formats(), ending.substr(1)) > 0;
}

std::vector<OfferedVariation> offered_variations(const AppState& state) {
    return offered_variations(state.scene, state.playback,
                              state.shown.picture && state.shown.picture->between);
}

void copy_picture(AppState& state) {
    attempt(state, [&] {
        state.picture_for_clipboard = exported(state, "clipboard.png");
        state.notice.say("copying the figure as a picture");
    });
}

bool export_figure(AppState& state, const std::string& typed) {
    return attempt(state, [&] {
        const std::string path = without_tilde(typed);
        if (records(state, path)) {
            return record_figure(state, path);
        }
        plot::require_figure_ending(path);
        write_file_whole(path, exported(state, path));
        state.exporting.format = std::filesystem::path(path).extension().string().substr(1);
        state.notice.say("wrote " + whole_path(path).string());
    });
}

namespace {

ExportSheet sheet_for(ExportPurpose purpose) {
    ExportSheet sheet;
    if (purpose == ExportPurpose::paper) {
        sheet.values = {{"--theme", "light"},
                        {"--size", "84x60mm"},
                        {"--scale", fmt::format("{}", 600 / plot::kUnitsPerInch)},
                        {"--bare", "yes"},
                        {"--no-title", "yes"}};
        sheet.format = "pdf";
    }
    return sheet;
}

}  // namespace

void prepare_export(AppState& state, ExportPurpose purpose) {
    const ExportSheet sheet = sheet_for(purpose);
    state.exporting.values = sheet.values;
    state.exporting.format = sheet.format;
    state.exporting.panel = purpose == ExportPurpose::paper && state.shown.picture
                                ? lessons::main_panel(state.shown.picture->figure)
                                : "";
    std::string& path = state.edit.target == "export path" ? state.edit.text : state.exporting.path;
    path = std::filesystem::path(path).replace_extension(sheet.format).string();
    state.edit.just_opened = true;  // shows the new text
}

std::optional<ExportPurpose> export_purpose(const AppState& state) {
    for (const ExportPurpose purpose : {ExportPurpose::screen, ExportPurpose::paper}) {
        if (sheet_for(purpose).values == state.exporting.values) {
            return purpose;
        }
    }
    return std::nullopt;
}

plot::Figure exported_figure(AppState& state) {
    return plot::as_seen(*state.shown.figure(), exported_look(state));
}

namespace {

CommandOptions command_options(AppState& state) {
    const plot::Figure& figure = state.shown.picture->figure;
    plot::Look look = exported_look(state);
    std::erase_if(look.hidden,
                  [&](const std::string& name) { return !plot::can_hide(figure, name); });
    plot::ExportValues values = state.exporting.values;
    values.try_emplace("--theme", state.theme.name);
    return {.values = std::move(values), .format = state.exporting.format, .look = std::move(look)};
}

}  // namespace

void copy_command(AppState& state) {
    state.clipboard = figure_command(state.scene, command_options(state));
    state.notice.say("copied: " + state.clipboard);
}

void copy_python(AppState& state) {
    state.clipboard = figure_python(state.scene, command_options(state));
    state.notice.say("copied: lines of Python that make this figure");
}

}  // namespace ropescope::gui
