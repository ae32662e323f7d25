// Changes the state as the user asks.
#include "app/gui/state/actions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "app/gui/state/attempt.h"
#include "app/gui/state/export_actions.h"
#include "app/gui/state/model_menu.h"
#include "app/gui/state/preferences.h"
#include "app/gui/state/scene_files.h"
#include "app/gui/state/scene_text.h"
#include "app/scene/axes_grid.h"
#include "app/scene/parameters.h"
#include "app/scene/scene_json.h"
#include "app/scene/settings.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/parse_list.h"
#include "core/base/write_file.h"
#include "core/formats/npy.h"

namespace ropescope::gui {
namespace {

// Tokens of edits that no control makes. ImGui's ids are hashes, so they will not be so small.
/// A menu that a key opened has no control to go back to.
constexpr std::uint32_t kNoControl = 4;
constexpr std::uint32_t kPlayToken = 1, kStepToken = 2, kDragToken = 3;

void next_theme(AppState& state) {
    const std::array order = {plot::dark_theme(), plot::light_theme(), plot::projector_theme()};
    const auto now = std::ranges::find(order, state.theme.name, &plot::Theme::name);
    state.theme = now == order.end() || now + 1 == order.end() ? order.front() : *(now + 1);
}

void say_nothing_moves(AppState& state) {
    state.notice.say("nothing in this view moves with the positions; Rotation (key 1) does");
}

constexpr double kTypeStep = 1.1;

void set_type_size(AppState& state, double size) {
    // Steps back and forth meet the usual size again.
    const double rounded = std::abs(size - 1) < 0.01 ? 1 : size;
    state.type_size = std::clamp(rounded, kLeastTypeSize, kMostTypeSize);
    state.notice.say(fmt::format("type size {:.0f} %", 100 * state.type_size));
}

/// The scene on the model; a model that turns in several axes alone opens in the view axes.
Scene with_chosen_model(const Scene& scene, const std::string& id_or_path) {
    try {
        return apply_settings(scene, {"model=" + id_or_path});
    } catch (const InputError&) {
        if (!turns_in_several_axes(id_or_path)) {
            throw;
        }
        std::vector<std::string> settings = {"view=axes", "axes_model=" + id_or_path};
        const auto entry = std::ranges::find(model_menu(), id_or_path, &ModelEntry::id);
        const PatchGrid grid = patch_grid(scene);
        if (entry != model_menu().end() && entry->square && grid.rows != grid.columns) {
            settings.push_back(fmt::format("axes_grid={0}x{0}", grid.rows));
        }
        return apply_settings(scene, settings);
    }
}

}  // namespace

void edit_scene(AppState& state, Scene next, std::uint32_t token) {
    state.history.edit(state.scene, std::move(next), token);
}

void undo(AppState& state) {
    if (state.history.undo(state.scene)) {
        state.playback.playing = false;
    }
}

void redo(AppState& state) {
    if (state.history.redo(state.scene)) {
        state.playback.playing = false;
    }
}

void show_view(AppState& state, std::string_view id) {
    Scene next = state.scene;
    next.view = id;
    state.found_control.clear();  // it was looked for in the view that is left
    state.playback.playing = state.playback.playing && plays_in(next, state.playback);
    edit_scene(state, std::move(next));
}

bool set_value(AppState& state, std::string_view parameter, std::string_view text) {
    return attempt(state, [&] {
        const std::string typed = without_tilde(trimmed(text));
        edit_scene(state, apply_settings(state.scene, {std::string(parameter) + "=" + typed}));
    });
}

bool choose_model(AppState& state, const std::string& id_or_path) {
    return attempt(state, [&] {
        edit_scene(state, with_chosen_model(state.scene, id_or_path));
        remember_opened(state, id_or_path);
    });
}

bool open_file(AppState& state, const std::string& typed) {
    const std::string path = without_tilde(typed);
    state.lessons.offered = false;  // somebody who has a file is not new here
    if (is_scene_file(path)) {
        return attempt(state, [&] {
            const Scene scene = scene_from_json(read_file(path, kMostSceneBytes), path);
            figures::view_by_id(scene.view);
            edit_scene(state, scene);
            state.scene_path = path;
            remember_opened(state, path);
        });
    }
    if (!is_dump_file(path)) {
        return choose_model(state, model_of(path).string());
    }
    return attempt(state, [&] {
        if (OpenedFile opened(path); is_npz(opened)) {
            const NpzFile whole(std::move(opened));  // a damaged one leaves the scene as it is
        }
        edit_scene(state, apply_settings(state.scene, {"view=diagnose", "dump=" + path}));
        remember_opened(state, path);
    });
}

bool open_entry(AppState& state, const OpenEntry& entry) {
    if (entry.kind == OpenEntry::Kind::folder) {
        state.edit.text = entry.target;
        state.edit.just_opened = state.edit.caret_at_end = true;
        return false;
    }
    if (entry.kind == OpenEntry::Kind::chooser) {
        state.wants_file = true;
        return true;
    }
    return entry.kind == OpenEntry::Kind::model ? choose_model(state, entry.target)
                                                : open_file(state, entry.target);
}

void choose_engine(AppState& state, bool gpu) {
    if (gpu && state.engines.gpu == EngineState::Gpu::none) {
        return state.notice.say(state.engines.why_not);
    }
    state.engines.gpu_wanted = gpu;
}

void open_menu(AppState& state, const ChoiceList& menu) {
    close_overlay(state);
    state.choices = menu;
    state.overlay = Overlay::menu;
}

void open_overlay(AppState& state, Overlay overlay) {
    const bool closes = state.overlay == overlay;
    close_overlay(state);
    if (closes) {
        return;
    }
    state.overlay = overlay;
    if (overlay == Overlay::export_figure) {
        state.edit = {"export path", state.scene.view + "." + state.exporting.format, true};
    } else if (overlay == Overlay::save_scene) {
        const std::string path =
            state.scene_path.empty() ? state.scene.view + ".json" : state.scene_path;
        state.edit = {"scene path", path, true};
        state.asked_to_replace = state.scene_path;  // saving it again is no surprise
    } else if (overlay == Overlay::menu) {
        state.choices = {};
        state.choices.opener = kNoControl;
    } else if (overlay == Overlay::models || overlay == Overlay::find) {
        state.edit = {"search", "", true};
    } else if (overlay == Overlay::lessons) {
        state.lessons.list_just_opened = true;
    }
}

void open_choices(AppState& state, const ChoiceList& list) {
    close_overlay(state);
    state.choices = list;
    state.overlay = Overlay::choices;
}

void close_overlay(AppState& state) {
    if (state.overlay != Overlay::none) {
        state.error.clear();  // it is of an action in the overlay
    }
    state.edit = {};
    state.open_menu = {};
    state.asked_to_replace.clear();
    const Overlay closed = std::exchange(state.overlay, Overlay::none);
    if (closed == Overlay::choices || closed == Overlay::menu) {
        const std::uint32_t opener = std::exchange(state.choices, {}).opener;
        state.focus.come_back_to(opener == kNoControl ? 0 : opener);
    } else {
        state.focus.clear();
    }
}

void perform(AppState& state, Action action, bool repeat) {
    const auto edit = [&](Scene next) {
        if (!repeat) {
            state.history.end_edit();
        }
        edit_scene(state, std::move(next), kStepToken);
    };
    switch (action) {
        case Action::step_back:
            return moves_positions(state.scene) ? edit(moved(state.scene, -1, false))
                                                : say_nothing_moves(state);
        case Action::step_forward:
            return moves_positions(state.scene) ? edit(moved(state.scene, 1, false))
                                                : say_nothing_moves(state);
        case Action::both_back:
            return moves(state.scene) ? edit(stepped(state.scene, -1)) : say_nothing_moves(state);
        case Action::both_forward:
            return moves(state.scene) ? edit(stepped(state.scene, 1)) : say_nothing_moves(state);
        case Action::play:
            state.history.end_edit();
            if (!state.playback.playing && !moves(state.scene)) {
                return say_nothing_moves(state);
            }
            return state.playback.toggle(state.scene);
        case Action::undo:
            return undo(state);
        case Action::redo:
            return redo(state);
        case Action::copy_command:
            return copy_command(state);
        case Action::copy_picture:
            return copy_picture(state);
        case Action::export_figure:
            return open_overlay(state, Overlay::export_figure);
        case Action::find:
            return open_overlay(state, Overlay::find);
        case Action::model_menu:
            return open_overlay(state, Overlay::models);
        case Action::lessons:
            return open_overlay(state, Overlay::lessons);
        case Action::help:
            return open_overlay(state, Overlay::help);
        case Action::theme:
            return next_theme(state);
        case Action::explanation:
            state.lessons.offered = false;  // it stands in the explanation's place
            state.explanation = state.explanation_shown ? RegionOptions::Explanation::folded
                                                        : RegionOptions::Explanation::open;
            return;
        case Action::checks:
            if (state.checks.phase != ChecksState::Phase::running) {
                state.checks.phase = ChecksState::Phase::asked;
            }
            return;
        case Action::engine:
            return choose_engine(state, !state.engines.gpu_wanted);
        case Action::save_scene:
            return open_overlay(state, Overlay::save_scene);
        case Action::menu:
            return open_overlay(state, Overlay::menu);
        case Action::full_screen:
            state.full_screen = !state.full_screen;
            return;
        case Action::presenting:
            close_overlay(state);
            state.presenting = !state.presenting;
            state.hall = true;
            state.mouse_moved = false;  // where it happens to lie nothing was asked
            return;
        case Action::larger_type:
            return set_type_size(state, state.type_size * kTypeStep);
        case Action::smaller_type:
            return set_type_size(state, state.type_size / kTypeStep);
        case Action::usual_type:
            return set_type_size(state, 1);
        case Action::next_region:
            return state.focus.move_region(1);
        case Action::previous_region:
            return state.focus.move_region(-1);
        case Action::quit:
            state.quit = true;
            return;
    }
}

void advance(AppState& state, double seconds) {
    state.notice.advance(seconds);
    if (!state.drag_start) {  // while the user holds a knob the positions stay
        edit_scene(state, state.playback.advance(state.scene, seconds), kPlayToken);
    }
}

bool follow_key(AppState& state, plot::Link::Key key, bool repeat) {
    const plot::Figure* figure = state.shown.current();
    const plot::Link* link = figure != nullptr ? plot::link_of(*figure, key) : nullptr;
    if (link == nullptr) {
        return false;
    }
    if (!repeat) {
        state.history.end_edit();
    }
    attempt(state,
            [&] { edit_scene(state, apply_settings(state.scene, link->settings), kStepToken); });
    return true;
}

void click(AppState& state, std::string_view panel, plot::Point at) {
    attempt(state, [&] {
        edit_scene(state, state.shown.picture->scene_after_click(*state.shown.scene, panel, at));
    });
}

void drag(AppState& state, std::string_view panel, plot::Point at) {
    if (state.dragged_panel.empty()) {
        state.history.end_edit();
        state.dragged_panel = panel;
    }
    attempt(state, [&] {
        edit_scene(state, state.shown.picture->scene_after_click(*state.shown.scene, panel, at),
                   kDragToken);
    });
}

void end_drag(AppState& state) {
    if (!state.dragged_panel.empty()) {
        state.dragged_panel.clear();
        state.history.end_edit();
    }
}

void update_figure(AppState& state) {
    if (shows_checks(state.scene) && state.checks.phase == ChecksState::Phase::unknown) {
        state.checks.phase = ChecksState::Phase::asked;  // opening the view runs the checks
    }
    state.shown.update(state.scene, *state.engine, state.checks.run);
}

void give_up_live_drawing(AppState& state, const std::string& why) {
    if (std::exchange(state.shown.live, false)) {
        state.error =
            "cannot draw from the GPU's memory: " + why + "; the window reads the numbers instead";
        state.shown.forget();
    }
}

}  // namespace ropescope::gui
