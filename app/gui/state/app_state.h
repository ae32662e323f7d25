// What the window knows. Plain values: actions.h changes them, draw_frame.h draws them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/state/focus.h"
#include "app/gui/state/history.h"
#include "app/gui/state/keys.h"
#include "app/gui/state/lesson_run.h"
#include "app/gui/state/open_menu.h"
#include "app/gui/state/playback.h"
#include "app/gui/state/recording_order.h"
#include "app/gui/state/regions.h"
#include "app/gui/state/shown_figure.h"
#include "app/lessons/lesson_checks.h"
#include "app/plot/color.h"
#include "app/plot/export_settings.h"
#include "app/plot/painter.h"
#include "app/scene/scene.h"
#include "core/checks/check_run.h"
#include "core/engine/broken_engine.h"
#include "core/engine/engine.h"

namespace ropescope::gui {

// A line in the status bar that goes away by itself.

struct Notice {
    std::string text;  ///< "copied: ...", or empty
    double seconds_left = 0;

    void say(std::string line) {
        constexpr double kSeconds = 4;
        text = std::move(line);
        seconds_left = kSeconds;
    }
    void advance(double seconds) {
        seconds_left = std::max(0.0, seconds_left - seconds);
        if (seconds_left == 0) {
            text.clear();
        }
    }
};

/// A sheet that lies over the window and takes all input.
enum class Overlay { none, models, find, choices, menu, export_figure, save_scene, lessons, help };

/// A value or a path that is being typed.
struct TextEdit {
    std::string
        target;  ///< the parameter's name, "model path" or "export path"; empty if nothing is typed
    std::string text;
    bool just_opened = false;
    bool caret_at_end = false;  ///< the text is not selected when the field opens, but continued
    bool waits = false;         ///< the field is open and has not got the keyboard yet
    std::u32string early = {};  ///< what was typed meanwhile
};

/// How a figure is written to a file, and what the copied command says.
struct ExportSheet {
    plot::ExportValues values = {{"--scale", "2"}};  ///< without a theme it is the window's
    std::string panel = {};      ///< of the view that it was chosen in; empty: all
    std::string path = {};       ///< while something else is typed
    std::string format = "svg";  ///< of the last file
};

/// The list of a parameter's values, or a menu, while it is open. The window's menu has no
/// parameter.
struct ChoiceList {
    std::string parameter = {};
    plot::Rect below = {};     ///< the control under which it opens
    std::uint32_t opener = 0;  ///< gets the focus back; 0 if the mouse opened the list
    bool just_opened = true;
};

/// A run of the checks, which begins when somebody asks for it.
struct ChecksState {
    enum class Phase { unknown, asked, running, over } phase = Phase::unknown;
    EngineFault fault = EngineFault::none;    ///< put into the engine on purpose
    CheckRun run = lessons::unstarted_run();  ///< so far

    int done() const { return static_cast<int>(run.results.size()); }
    int total() const { return static_cast<int>(run.asked.size()); }
};

/// How both engines computed the figure that is shown.
struct EngineComparison {
    double cpu_seconds = 0, gpu_seconds = 0;  ///< the figure waited for them
    std::optional<double> largest;  ///< difference of two numbers; empty if the marks differ
};

/// Whether there is a GPU, and which engine the user wants; GpuSwitch keeps it up to date.
struct EngineState {
    enum class Gpu { unknown, opening, ready, none } gpu = Gpu::unknown;
    bool gpu_wanted = false;
    std::string gpu_device = {};
    std::string why_not = {};  ///< why there is no GPU, one line
    std::optional<EngineComparison> comparison = {};
};

/// The keyboard's place in the figure, while the user has gone into it.
struct FigureCursor {
    bool inside = false;
    std::string panel = {};
    double right = 0.5, down = 0.5;          ///< shares of the panel's plot
    std::vector<plot::Readout> values = {};  ///< at the cursor, or where a lesson points
};

/// Finds a control by its name while a frame is drawn, for tests.
struct Probe {
    std::string name;                      ///< "slider of base"; empty: no control
    std::optional<plot::Rect> place = {};  ///< pixels
    std::uint32_t id = 0;                  ///< for the focus ring
    bool whole = false;                    ///< nothing of it is scrolled away
};

struct AppState {
    Scene scene;
    Engine* engine = nullptr;
    EngineState engines;
    History history;
    ShownFigure shown;

    plot::Theme theme = plot::dark_theme();
    double scale = 1;             ///< display scale times type_size, for type and spacing
    double type_size = 1;         ///< the user's choice
    bool presenting = false;      ///< the figure alone, enlarged
    bool hall = false;            ///< F5 asked for it: arranged for a hall (hall.h)
    bool full_screen = false;     ///< the user's choice; the window follows
    bool lesson_outside = false;  ///< the host shows the open lesson: a page on a phone
    /// The same for the title and what was refused, beside a figure of its main panels alone.
    bool words_outside = false;
    bool in_other_page = false;  ///< the window is a frame in another page
    double least_letters = 0;    ///< pixels: no words of the figure are written smaller to fit
    ExportSheet exporting;
    RecordingState recording;
    std::string asked_to_replace;     ///< the file about which the user was asked last
    std::string scene_path;           ///< of the scene that was saved or opened last; empty: none
    std::vector<std::string> recent;  ///< what was opened, the last first: paths and models' ids
    RegionOptions::Explanation explanation = RegionOptions::Explanation::automatic;
    /// A drawn figure and its room, for which the names of all panels had room; asked again only
    /// when one of them changes.
    struct PanelFit {
        std::uint64_t figure = 0;
        double width = 0, height = 0, scale = 0;
        std::string theme = {};
        bool operator==(const PanelFit&) const = default;
    };
    std::optional<PanelFit> all_panels_fit;
    std::size_t panels_left_out = 0;  ///< for want of room, in the last frame
    double controls_px = 0;           ///< the height of all controls, in the last frame
    bool mouse_moved = true;          ///< since the presentation began
    bool explanation_shown = true;    ///< in the last frame
    bool explanation_whole = true;    ///< in the last frame: no word of it is scrolled away
    Overlay overlay = Overlay::none;
    TextEdit edit;
    ChoiceList choices;
    OpenMenu open_menu;

    Looks looks;  ///< at the figures
    Pan pan;

    Playback playback;
    std::optional<Scene> drag_start;  ///< the scene when the knob was taken
    std::string dragged_panel;        ///< of the figure, while a button is held down in it
    std::string pressed_panel;        ///< in which the mouse button went down last; empty: in none

    std::string
        error;  ///< of the last action; shown until the user closes it or an action succeeds
    Notice notice;

    std::vector<KeyPress> keys;  ///< since the last frame
    FocusRing focus;
    std::string wanted_control;  ///< the parameter whose control gets the focus when it is drawn
    std::string found_control;   ///< that was looked for last; a strip of few controls has it too
    FigureCursor figure_cursor;
    ChecksState checks;
    LessonRun lessons;
    Probe probe;
    bool chooses_files = false;              ///< the host has a chooser: users know no paths here
    bool wants_file = false;                 ///< the user asked for it; the host resets this
    std::vector<std::string> host_commands;  ///< what the host can do besides, for the menu
    std::string asked_of_host;  ///< the one of them that the user chose; the host resets this
    std::string clipboard;      ///< if not empty, the window hands it to the system's clipboard
    /// A PNG for the system's clipboard; empty: none.
    std::string picture_for_clipboard;

    double frame_ms = 0;  ///< our own CPU time of a frame, shown when above 0
    bool quit = false;
};

/// Pixels per unit of the design: the display's scale, times the theme's type size over that of the
/// dark theme.
inline double design_unit(const AppState& state) {
    return state.scale * state.theme.body_px / plot::dark_theme().body_px;
}

}  // namespace ropescope::gui
