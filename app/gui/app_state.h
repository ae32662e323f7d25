// What the window knows beside the scene. Plain values; actions.h changes them, draw_frame.h draws
// them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/view.h"
#include "app/gui/keys.h"
#include "app/gui/toolkit/focus.h"
#include "app/gui/toolkit/regions.h"
#include "app/plot/color.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/checks/report/report.h"
#include "core/engine/engine.h"

namespace ropescope::gui {

/// What lies over the window and takes all input.
enum class Overlay { none, models, export_figure, help };

/// Undo is a stack of scenes. Edits with the same token (not 0) are one step: a drag, a held key.
struct History {
    std::vector<Scene> undo, redo;
    std::uint32_t token = 0;
};

/// A value or a path that is being typed.
struct TextEdit {
    std::string target;  ///< the parameter's name, "model path", "export path"; "" when none
    std::string text;
    bool just_opened = false;
};

/// What is known of the checks; the window runs them when they are asked for.
struct ChecksState {
    enum class Phase { unknown, asked, running, over } phase = Phase::unknown;
    int total = 0;
    CheckRun run = {};  ///< so far

    int done() const { return static_cast<int>(run.results.size()); }
};

/// What both engines made of the figure that is shown.
struct EngineComparison {
    double cpu_seconds = 0, gpu_seconds = 0;  ///< that the figure waited for them
    std::optional<double> largest;  ///< difference between two numbers shown; none: other marks
};

/// Which engines there are, and which of them the switch asks for; EngineDesk keeps it true.
struct EngineState {
    enum class Gpu { unknown, opening, ready, none } gpu = Gpu::unknown;
    bool gpu_wanted = false;
    std::string gpu_device = {};
    std::string why_not = {};  ///< one line, where there is none
    std::optional<EngineComparison> comparison = {};
};

/// How the whole figure of a draft is getting on beside the window.
struct Refining {
    std::optional<double> done;  ///< 0 .. 1, where it tells
    bool stopped = false;        ///< a person has ended it: the draft stays
};

/// Looks for a control by its name while a frame is drawn: tests and tours point at it.
struct Probe {
    std::string name;                 ///< "slider of base"; "" looks for nothing
    std::optional<plot::Rect> place;  ///< pixels
    std::uint32_t id = 0;             ///< for the focus ring
};

struct AppState {
    Scene scene;
    Engine* engine = nullptr;
    EngineState engines;
    History history;

    plot::Theme theme = plot::dark_theme();
    double scale = 1;  ///< display scale: type and spacing
    RegionOptions::Explanation explanation = RegionOptions::Explanation::automatic;
    bool explanation_shown = true;  ///< in the last frame
    Overlay overlay = Overlay::none;
    TextEdit edit;

    bool playing = false;
    bool play_back = false;     ///< a played number goes from 1 to 0
    double play_remainder = 0;  ///< positions, the part of a step that time has not filled yet
    std::optional<Scene> drag_start;  ///< the scene when the knob was taken

    std::string error;         ///< of the last action; shown until it is closed or one succeeds
    std::string figure_error;  ///< why `figure` is not of the scene; the last good picture stays
    std::string notice;        ///< "copied ...", shown in the status bar for a while
    double notice_seconds = 0;

    std::optional<plot::Figure> figure;
    bool draws_live = true;  ///< the window may draw a figure from the engine's memory
    /// A draft first where a view has one: something beside the window then finishes it.
    bool refines_beside = false;
    bool draft_shown = false;  ///< `figure` is a draft
    std::uint64_t drafts = 0;  ///< made so far
    Refining refining;         ///< of that draft
    /// Kept between the figures that a frame makes itself.
    std::shared_ptr<figures::EncoderCache> encoders = std::make_shared<figures::EncoderCache>();
    std::optional<Scene> figure_scene;  ///< the scene that `figure` or `figure_error` is of
    std::string figure_engine;          ///< the name of the engine that it was asked of
    std::uint64_t figures = 0;          ///< made so far, drafts and whole ones
    int figure_checks = 0;              ///< how many results of the checks it shows
    std::size_t readout_rows = 0;       ///< most values that a panel of `figure` has to tell

    std::vector<KeyPress> keys;  ///< since the last frame
    FocusRing focus;
    ChecksState checks;
    Probe probe;
    std::string clipboard;  ///< handed to the system's clipboard by the window when not empty

    double frame_ms = 0;  ///< our own CPU time of a frame, shown when above 0
    bool quit = false;
};

/// Pixels per unit of the design: the display's scale times how much larger the theme writes.
inline double design_unit(const AppState& state) {
    return state.scale * state.theme.body_px / plot::dark_theme().body_px;
}

}  // namespace ropescope::gui
