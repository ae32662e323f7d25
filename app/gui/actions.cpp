#include "app/gui/actions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/gui/command_text.h"
#include "app/plot/figure_file.h"
#include "app/scene/parameters.h"
#include "core/base/error.h"
#include "core/base/file.h"

namespace ropescope::gui {
namespace {

constexpr std::size_t kMostUndo = 1000;
constexpr double kNoticeSeconds = 4;
constexpr int kStepsOfAWalk = 16;
// Tokens of edits that no control makes; ImGui's ids are hashes and do not meet them.
constexpr std::uint32_t kPlayToken = 1, kStepToken = 2;

void say(AppState& state, std::string notice) {
    state.notice = std::move(notice);
    state.notice_seconds = kNoticeSeconds;
}

/// Runs what may refuse; the refusal is shown.
template <class Try>
bool attempt(AppState& state, const Try& action) {
    try {
        action();
        state.error.clear();
        return true;
    } catch (const std::exception& refused) {
        state.error = refused.what();
        return false;
    }
}

void swap_scene(AppState& state, std::vector<Scene>& from, std::vector<Scene>& to) {
    if (from.empty()) {
        return;
    }
    to.push_back(state.scene);
    state.scene = from.back();
    from.pop_back();
    state.playing = false;
    end_edit(state);
}

/// Whether everything that the view reads is the same in both.
bool same_for_view(const figures::View& view, const Scene& a, const Scene& b) {
    return a.view == b.view && std::ranges::all_of(parameters(), [&](const Parameter& parameter) {
               return !view.reads(parameter.name) ||
                      std::visit([&](auto member) { return a.*member == b.*member; },
                                 parameter.member);
           });
}

/// The number from 0 to 1 that the view's animation moves; null where it moves the positions.
double* played_number(Scene& scene) {
    const Parameter* parameter = find_parameter(figures::view_by_id(scene.view).played);
    const auto* member =
        parameter == nullptr ? nullptr : std::get_if<double Scene::*>(&parameter->member);
    return member == nullptr ? nullptr : &(scene.*(*member));
}

/// Moves that number; false when it has come to its end.
bool move_played(AppState& state, double by, std::uint32_t token) {
    Scene next = state.scene;
    double& number = *played_number(next);
    number = std::clamp(number + by, 0.0, 1.0);
    edit_scene(state, std::move(next), token);
    return number > 0 && number < 1;
}

/// From an end it goes to the other one; from between, on the way that it was going.
void begin_playing(AppState& state) {
    state.playing = true;
    state.play_remainder = 0;
    if (const double* number = played_number(state.scene)) {
        state.play_back = *number >= 1 || (state.play_back && *number > 0);
    }
}

/// Room is kept for the panel that tells most, so that nothing jumps under the mouse.
std::size_t most_readouts(const Scene& scene, const plot::Figure& figure) {
    const figures::View& view = figures::view_by_id(scene.view);
    std::size_t most = 0;
    for (const plot::Panel& panel : figure.panels) {
        const plot::Point middle{(panel.x.min + panel.x.max) / 2, (panel.y.min + panel.y.max) / 2};
        most = std::max(most, view.readouts(scene, panel.id, middle).size());
    }
    for (const plot::Link& link : figure.links) {
        most = std::max(most, link.readouts.size());
    }
    return most;
}

}  // namespace

void edit_scene(AppState& state, Scene next, std::uint32_t token) {
    if (next == state.scene) {
        return;
    }
    History& history = state.history;
    if (token == 0 || token != history.token) {
        history.undo.push_back(state.scene);
        if (history.undo.size() > kMostUndo) {
            history.undo.erase(history.undo.begin());
        }
    }
    history.token = token;
    history.redo.clear();
    state.scene = std::move(next);
}

void end_edit(AppState& state) {
    state.history.token = 0;
}

void undo(AppState& state) {
    swap_scene(state, state.history.undo, state.history.redo);
}
void redo(AppState& state) {
    swap_scene(state, state.history.redo, state.history.undo);
}

void show_view(AppState& state, std::string_view id) {
    Scene next = state.scene;
    next.view = id;
    edit_scene(state, std::move(next));
}

void move_positions(AppState& state, std::int64_t by, bool both, std::uint32_t token) {
    Scene next = state.scene;
    const auto fits = [&](std::int64_t at) { return at + by >= 0 && at + by <= kMaxPosition; };
    if (!fits(next.query_position) || (both && !fits(next.key_position))) {
        return;
    }
    next.query_position += by;
    next.key_position += both ? by : 0;
    edit_scene(state, std::move(next), token);
}

bool set_value(AppState& state, std::string_view parameter, std::string_view text) {
    return attempt(state, [&] {
        edit_scene(state,
                   apply_settings(state.scene, {std::string(parameter) + "=" + std::string(text)}));
    });
}

bool open_model(AppState& state, const std::string& id_or_path) {
    return attempt(
        state, [&] { edit_scene(state, apply_settings(state.scene, {"model=" + id_or_path})); });
}

bool export_figure(AppState& state, const std::string& path) {
    return attempt(state, [&] {
        plot::require_figure_ending(path);
        if (!state.figure) {
            throw InputError("export: there is no figure yet; correct the settings first");
        }
        const plot::ExportOptions options{.scale = 2, .theme = state.theme};
        // A file waits for the whole figure, where the window has shown a draft so far.
        const plot::Figure figure = state.draft_shown || plot::is_live(*state.figure)
                                        ? figures::make_figure(*state.figure_scene, *state.engine)
                                        : *state.figure;
        write_file_whole(path, plot::figure_file(figure, path, options));
        say(state, "wrote " + std::filesystem::absolute(path).lexically_normal().string());
    });
}

void copy_command(AppState& state) {
    state.clipboard = figure_command(state.scene);
    say(state, "copied: " + state.clipboard);
}

void next_theme(AppState& state) {
    const std::array order = {plot::dark_theme(), plot::light_theme(), plot::projector_theme()};
    const auto now = std::ranges::find(order, state.theme.name, &plot::Theme::name);
    state.theme = now == order.end() || now + 1 == order.end() ? order.front() : *(now + 1);
}

void choose_engine(AppState& state, bool gpu) {
    if (gpu && state.engines.gpu == EngineState::Gpu::none) {
        return say(state, state.engines.why_not);
    }
    state.engines.gpu_wanted = gpu;
}

void open_overlay(AppState& state, Overlay overlay) {
    const bool closes = state.overlay == overlay;
    close_overlay(state);
    if (closes) {
        return;
    }
    state.overlay = overlay;
    if (overlay == Overlay::export_figure) {
        state.edit = {"export path", state.scene.view + ".svg", true};
    } else if (overlay == Overlay::models) {
        state.edit = {"model path", "", true};
    }
}

void close_overlay(AppState& state) {
    if (state.overlay != Overlay::none) {
        state.error.clear();  // of what was tried in it
    }
    state.overlay = Overlay::none;
    state.edit = {};
    state.focus.clear();
}

void perform(AppState& state, Action action, bool repeat) {
    const std::int64_t by = action == Action::step_back || action == Action::both_back ? -1 : 1;
    switch (action) {
        case Action::step_back:
        case Action::step_forward:
        case Action::both_back:
        case Action::both_forward: {
            if (!repeat) {
                end_edit(state);
            }
            const bool both = action == Action::both_back || action == Action::both_forward;
            if (both && played_number(state.scene) != nullptr) {
                move_played(state, static_cast<double>(by) / kStepsOfAWalk, kStepToken);
                return;
            }
            return move_positions(state, by, both, kStepToken);
        }
        case Action::play:
            end_edit(state);
            if (state.playing) {
                state.playing = false;
            } else {
                begin_playing(state);
            }
            return;
        case Action::undo:
            return undo(state);
        case Action::redo:
            return redo(state);
        case Action::copy_command:
            return copy_command(state);
        case Action::export_figure:
            return open_overlay(state, Overlay::export_figure);
        case Action::model_menu:
            return open_overlay(state, Overlay::models);
        case Action::help:
            return open_overlay(state, Overlay::help);
        case Action::theme:
            return next_theme(state);
        case Action::explanation:
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
        case Action::quit:
            state.quit = true;
            return;
    }
}

void advance(AppState& state, double seconds) {
    state.notice_seconds = std::max(0.0, state.notice_seconds - seconds);
    if (state.notice_seconds == 0) {
        state.notice.clear();
    }
    if (!state.playing || state.drag_start) {  // a held knob holds the positions too
        return;
    }
    if (played_number(state.scene) != nullptr) {
        const double by = seconds * state.scene.speed / kWalkSeconds;
        state.playing = move_played(state, state.play_back ? -by : by, kPlayToken);
        return;
    }
    state.play_remainder += seconds * state.scene.speed;
    const double whole = std::floor(state.play_remainder);
    state.play_remainder -= whole;
    if (whole < 1) {
        return;
    }
    const Scene before = state.scene;
    // Not beyond the last position: there it stops.
    const double room =
        static_cast<double>(kMaxPosition - std::max(before.query_position, before.key_position));
    move_positions(state, static_cast<std::int64_t>(std::min(whole, room)), true, kPlayToken);
    state.playing = whole <= room;
}

bool follow_key(AppState& state, plot::Link::Key key, bool repeat) {
    const plot::Link* link =
        state.figure && state.figure_error.empty() ? plot::link_of(*state.figure, key) : nullptr;
    if (link == nullptr) {
        return false;
    }
    if (!repeat) {
        end_edit(state);
    }
    follow(state, *link, kStepToken);
    return true;
}

void follow(AppState& state, const plot::Link& link, std::uint32_t token) {
    const plot::Link kept = link;  // the figure may go while it is followed
    attempt(state, [&] { edit_scene(state, apply_settings(state.scene, kept.settings), token); });
}

void show_figure(AppState& state, plot::Figure figure) {
    state.readout_rows = most_readouts(*state.figure_scene, figure);
    state.figure = std::move(figure);
    ++state.figures;
}

void update_figure(AppState& state) {
    const figures::View& view = figures::view_by_id(state.scene.view);
    const bool of_run = view.figure_of_run != nullptr;
    if (of_run && state.checks.phase == ChecksState::Phase::unknown) {
        state.checks.phase = ChecksState::Phase::asked;  // to look at them is to ask for them
    }
    const std::string engine = state.engine->name();
    const bool same_run =
        (!of_run || state.figure_checks == state.checks.done()) && state.figure_engine == engine;
    if (same_run && state.figure_scene && *state.figure_scene == state.scene) {
        return;
    }
    if (same_run && state.figure_scene && state.scene.view == state.figure_scene->view &&
        same_for_view(view, *state.figure_scene, state.scene)) {
        state.figure_scene = state.scene;
        return;
    }
    state.figure_scene = state.scene;
    state.figure_engine = engine;
    state.figure_checks = state.checks.done();
    try {
        const bool draft = state.refines_beside && figures::has_draft(state.scene, *state.engine);
        plot::Figure figure =
            of_run  ? view.figure_of_run(state.scene, state.checks.run)
            : draft ? figures::draft_figure(state.scene, *state.engine, {.live = state.draws_live})
                    : figures::make_figure(
                          state.scene, *state.engine,
                          {.encoders = state.encoders.get(), .live = state.draws_live});
        show_figure(state, std::move(figure));
        state.draft_shown = draft;
        state.drafts += draft ? 1 : 0;
        state.refining = {};
        state.figure_error.clear();
    } catch (const std::exception& refused) {
        state.figure_error = refused.what();
    }
}

void give_up_live_drawing(AppState& state, const std::string& why) {
    if (std::exchange(state.draws_live, false)) {
        state.error =
            "drawing from the GPU's memory: " + why + "; numbers are read from it instead";
        state.figure_scene.reset();  // the figure is made again
    }
}

}  // namespace ropescope::gui
