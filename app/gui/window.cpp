// Opens the window, and draws a frame whenever one is due.
#include "app/gui/window.h"

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/background/check_runner.h"
#include "app/gui/background/engine_comparer.h"
#include "app/gui/background/figure_recorder.h"
#include "app/gui/background/figure_refiner.h"
#include "app/gui/background/gpu_switch.h"
#include "app/gui/draw_frame.h"
#include "app/gui/frame_pacing.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/lesson_run.h"
#include "app/gui/state/model_menu.h"
#include "app/gui/state/playback.h"
#include "app/gui/state/preferences.h"
#include "app/gui/state/scene_files.h"
#include "app/gui/toolkit/toolkit.h"
#include "app/gui/window_end.h"
#include "app/gui/window_events.h"
#include "core/base/error.h"
#include "core/base/mapped_file.h"
#include "core/gpu/gl_context.h"

namespace ropescope::gui {
namespace {

constexpr int kWidth = 1600, kHeight = 1000;  // in units of the design
constexpr double kOfMonitor = 0.92;  // the largest part of the monitor that the window fills

std::string glfw_reason() {
    const char* text = nullptr;
    glfwGetError(&text);
    std::string reason = text == nullptr ? "no reason given" : text;
    while (reason.ends_with(' ')) {
        reason.pop_back();
    }
    return reason;
}

/// We never call glfwTerminate(): the window ends with the process. Unloading the driver would hide
/// the names of its leaks from the sanitizers' suppressions.
void start_glfw() {
    const auto no_display = [](const std::string& reason) {
        return CapabilityError(
            fmt::format("app: no display to open a window on ({}); set DISPLAY, or use `ropescope "
                        "screenshot` and `ropescope figure`, which need none",
                        reason));
    };
    const auto is_set = [](const char* variable) {
        const char* value = std::getenv(variable);
        return value != nullptr && *value != '\0';
    };
    // The libraries behind GLFW 3.4 write lines of their own about a display that is not named.
    if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) {
        throw no_display("neither DISPLAY nor WAYLAND_DISPLAY is set");
    }
#ifdef GLFW_PLATFORM
    if (!is_set("WAYLAND_DISPLAY")) {
        glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
    }
#endif
    if (glfwInit() != GLFW_TRUE) {
        throw no_display(glfw_reason());
    }
}

/// A kind of context for the window, the best first: contexts on other threads can share with one
/// of EGL, and OpenGL 4.3 has compute shaders.
struct ContextKind {
    int api = GLFW_NATIVE_CONTEXT_API;
    int major = 3, minor = 3;
    int robustness = GLFW_NO_ROBUSTNESS;  ///< the same for all contexts that share
};
constexpr std::array kContextKinds = {
    ContextKind{GLFW_EGL_CONTEXT_API, 4, 3, GLFW_LOSE_CONTEXT_ON_RESET},
    ContextKind{GLFW_EGL_CONTEXT_API, 4, 3, GLFW_NO_ROBUSTNESS},
    ContextKind{GLFW_NATIVE_CONTEXT_API, 3, 3, GLFW_NO_ROBUSTNESS}};

void set_hints(const ContextKind& kind) {
    glfwWindowHint(GLFW_CONTEXT_CREATION_API, kind.api);
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, kind.robustness);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, kind.major);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, kind.minor);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // until there is something to see
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "ropescope");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "ropescope");
}

struct WindowSize {
    int width = kWidth, height = kHeight;
};

/// `wanted`: in units.
WindowSize size_for_monitor(WindowSize wanted_size) {
    int x = 0, y = 0, width = wanted_size.width, height = wanted_size.height;
    float scale_x = 1, scale_y = 1;
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
        glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
        glfwGetMonitorContentScale(monitor, &scale_x, &scale_y);
    }
    // With GLFW_SCALE_TO_MONITOR the size asked for is in units.
    const auto fitting = [](int wanted, int there, float scale) {
        const double units = there * kOfMonitor / std::max(0.5F, scale);
        return there > 0 ? std::min(wanted, static_cast<int>(units)) : wanted;
    };
    return {fitting(wanted_size.width, width, scale_x),
            fitting(wanted_size.height, height, scale_y)};
}

/// Leaves its context current.
bool is_drawn_by_hardware(GLFWwindow* window) {
    glfwMakeContextCurrent(window);
    return !gpu::is_software(reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
}

/// A window whose context a GPU draws, of the first kind that has one: EGL may find a driver that
/// the native interface does not, or the reverse. Otherwise the first window that opens; null if
/// none does.
GLFWwindow* best_window(WindowSize size) {
    GLFWwindow* best = nullptr;
    int best_api = 0;
    for (const ContextKind& kind : kContextKinds) {
        if (best != nullptr && kind.api == best_api) {
            continue;
        }
        set_hints(kind);
        GLFWwindow* window =
            glfwCreateWindow(size.width, size.height, "ropescope", nullptr, nullptr);
        const bool hardware = window != nullptr && is_drawn_by_hardware(window);
        if (hardware || best == nullptr) {
            std::swap(best, window);
            best_api = kind.api;
        }
        if (window != nullptr) {
            glfwDestroyWindow(window);
        }
        if (hardware) {
            break;
        }
    }
    return best;
}

GLFWwindow* open_window(WindowSize size) {
    GLFWwindow* window = best_window(size_for_monitor(size));
    if (window == nullptr) {
        throw CapabilityError(
            fmt::format("app: the display gives no OpenGL 3.3 window ({}); install libgl1-mesa-dri "
                        "or the GPU's driver, or use `ropescope screenshot`",
                        glfw_reason()));
    }
    glfwSetWindowSizeLimits(window, kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
    return window;
}

double display_scale(GLFWwindow* window, double density) {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window, &x, &y);
    return std::max(0.5, static_cast<double>(x) / density);
}

/// Framebuffer pixels per window pixel: 1 except where a compositor scales.
double pixel_density(GLFWwindow* window) {
    int width = 0, framebuffer_width = 0, height = 0;
    glfwGetWindowSize(window, &width, &height);
    glfwGetFramebufferSize(window, &framebuffer_width, &height);
    return width > 0 && framebuffer_width > 0 ? static_cast<double>(framebuffer_width) / width : 1;
}

/// ImGui's GLFW backend; made after the toolkit and destroyed before it.
class GlfwBackend {
  public:
    explicit GlfwBackend(GLFWwindow* window) { ImGui_ImplGlfw_InitForOpenGL(window, true); }
    ~GlfwBackend() { ImGui_ImplGlfw_Shutdown(); }
    GlfwBackend(const GlfwBackend&) = delete;
    GlfwBackend& operator=(const GlfwBackend&) = delete;
};

/// Seconds from a change until it is written for the next start.
constexpr double kKeepAfter = 3;

/// The frame time that the window shows: an average, so that it can be read.
double smoothed(double shown, double now) {
    return shown <= 0 ? now : shown * 0.9 + now * 0.1;
}

class App {
  public:
    App(GLFWwindow* window, const Scene& scene, const AppEngines& engines,
        const AppOptions& options, PreferenceFile& preferences, const LoadedPreferences& loaded)
        : window_(window),
          toolkit_(pixel_density(window)),
          backend_(window),
          engines_(engines.source,
                   engines.with_context ? engines.with_context() : std::unique_ptr<Engine>()),
          checks_(engines.source),
          refiner_(engines.source),
          comparer_(engines.source),
          recorder_(engines.source),
          at_rest_(options.at_rest),
          lessons_(lesson_file_beside(options.preferences)),
          preferences_(preferences) {
        state_.scene = scene;
        state_.engine = &engines_.engine();
        state_.engines.gpu_wanted = engines.gpu_wanted;
        state_.shown.may_draft = true;
        recorder_.serve(state_, glfwPostEmptyEvent);
        state_.theme = plot::theme_by_name(options.theme);
        if (preferences_.is_kept()) {
            apply_preferences(state_, loaded.preferences, options.restore_scene);
            state_.theme =
                plot::theme_by_name(options.theme_given ? options.theme : loaded.preferences.theme);
        }
        state_.scale = state_.type_size * display_scale(window, pixel_density(window));
        want_fonts(state_, toolkit_);
        kept_ = kept_now();
        const std::string remark = lessons_.load(state_.lessons);
        state_.error = loaded.remark.empty() ? remark : loaded.remark;
        if (!options.lesson.empty()) {
            open_lesson(state_, options.lesson);
        } else if (state_.lessons.offered && moves(state_.scene)) {
            state_.playback.toggle(
                state_.scene);  // the first start shows what the program is about
        }
    }

    void run(Input& input, const std::function<void()>& after_first_frame) {
        FramePacing pacing;
        double last = glfwGetTime();
        while (!is_to_end()) {
            const double now = glfwGetTime();
            state_.keys.insert(state_.keys.end(), input.keys.begin(), input.keys.end());
            input.keys.clear();
            if (!input.dropped.empty()) {
                open_file(state_, std::exchange(input.dropped, ""));
            }
            if (std::exchange(input.any, false)) {
                pacing.event();
            }
            draw(now - last);
            last = now;
            name_window();
            keep_changes(now);
            if (after_first_frame) {
                glFinish();
                return after_first_frame();
            }
            work_beside();
            follow_full_screen();
            const double wait = std::min(pacing.wait_after_frame(state_, glfwGetTime() - now),
                                         is_to_keep() ? kKeepAfter : kUntilAnEvent);
            if (wait > 0 && at_rest_) {
                at_rest_(state_);
            }
            sleep(wait, pacing, input);
        }
    }

    /// Writes what the next start takes over. Asks GLFW nothing, as the display may have ended.
    /// Returns why it could not be written, in one line; empty if it was.
    std::string save() {
        lessons_.save(state_.lessons);
        Preferences own = preferences_of(state_);
        own.width = units_.width;
        own.height = units_.height;
        return preferences_.save(own);
    }

  private:
    /// Until `seconds` have passed, something was typed or touched, or work beside has a result.
    void sleep(double seconds, FramePacing& pacing, const Input& input) {
        const double until = glfwGetTime() + seconds;
        while (wait_for_event(seconds) && seconds > kLongestSleep) {
            if (input.any || !input.dropped.empty() || is_to_end()) {
                return;
            }
            work_beside();
            seconds = std::min(pacing.wait_after_frame(state_, 0), until - glfwGetTime());
        }
    }

    /// The taskbar then tells two windows apart.
    void name_window() {
        const std::string name = fmt::format("{} - {}", shown_title(state_.scene),
                                             figures::view_by_id(state_.scene.view).name);
        if (name != window_name_) {
            window_name_ = name;
            glfwSetWindowTitle(window_, name.c_str());
        }
    }

    bool is_to_end() const {
        return glfwWindowShouldClose(window_) != GLFW_FALSE || state_.quit ||
               NotedSignals::taken() != 0;
    }

    /// What is written while the window is open.
    struct Kept {
        Scene scene;
        std::string theme;
        double type_size = 1;
        std::vector<std::string> recent;
    };
    Kept kept_now() const {
        return {state_.scene, std::string(state_.theme.name), state_.type_size, state_.recent};
    }
    /// Writes what the next start takes over, some seconds after it has changed, so that a crash
    /// takes only those seconds. What cannot be written is said when the window closes.
    void keep_changes(double now) {
        note_size();
        if (is_to_keep() && now - kept_at_ > kKeepAfter) {
            kept_ = kept_now();
            kept_at_ = now;
            save();
        }
    }
    bool is_to_keep() const {
        return preferences_.is_kept() &&
               ((!state_.lessons.open() && !(kept_.scene == state_.scene)) ||
                kept_.theme != state_.theme.name || kept_.type_size != state_.type_size ||
                kept_.recent != state_.recent);
    }
    void note_size() {
        int width = place_.width, height = place_.height;
        if (!is_full_) {
            glfwGetWindowSize(window_, &width, &height);
        }
        const double unit = display_scale(window_, pixel_density(window_));
        units_ = {static_cast<int>(std::lround(width / unit)),
                  static_cast<int>(std::lround(height / unit))};
    }

    /// Where the window was before it filled the screen.
    struct Place {
        int x = 0, y = 0, width = kWidth, height = kHeight;
    };
    void follow_full_screen() {
        if (state_.full_screen == is_full_) {
            return;
        }
        is_full_ = state_.full_screen;
        GLFWmonitor* monitor = glfwGetPrimaryMonitor();
        const GLFWvidmode* mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
        if (!is_full_) {
            glfwSetWindowMonitor(window_, nullptr, place_.x, place_.y, place_.width, place_.height,
                                 GLFW_DONT_CARE);
        } else if (mode != nullptr) {
            glfwGetWindowPos(window_, &place_.x, &place_.y);
            glfwGetWindowSize(window_, &place_.width, &place_.height);
            glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height,
                                 mode->refreshRate);
        }
    }

    void draw(double seconds) {
        int width = 0, height = 0;
        glfwGetFramebufferSize(window_, &width, &height);
        glViewport(0, 0, width, height);
        state_.scale = state_.type_size * display_scale(window_, pixel_density(window_));
        const double own = toolkit_.frame([] { ImGui_ImplGlfw_NewFrame(); },
                                          [&] { draw_frame(state_, toolkit_, seconds); },
                                          state_.theme[plot::Role::background]);
        state_.frame_ms = smoothed(state_.frame_ms, own);
        if (!state_.clipboard.empty()) {
            glfwSetClipboardString(window_, std::exchange(state_.clipboard, "").c_str());
        }
        copy_picture_asked_for();
        glfwSwapBuffers(window_);
    }

    void copy_picture_asked_for() {
        const std::string png = std::exchange(state_.picture_for_clipboard, "");
        if (png.empty()) {
            return;
        }
        try {
            put_picture_on_clipboard(png);
            state_.notice.say("copied the figure as a picture");
        } catch (const CapabilityError& missing) {
            state_.notice.say("");
            state_.error = missing.what();
        }
    }

    void work_beside() {
        engines_.update(state_, glfwPostEmptyEvent);
        checks_.update(state_, glfwPostEmptyEvent);
        refiner_.update(state_, glfwPostEmptyEvent);
        comparer_.update(state_, glfwPostEmptyEvent);
        recorder_.update(state_);
        if (const std::string refused = lessons_.save(state_.lessons); !refused.empty()) {
            state_.notice.say(refused);
        }
    }

    GLFWwindow* window_;
    Toolkit toolkit_;
    GlfwBackend backend_;
    GpuSwitch engines_;  ///< outlives the caches that keep an encoder in its engines' memory
    AppState state_;
    CheckRunner checks_;
    FigureRefiner refiner_;
    EngineComparer comparer_;
    FigureRecorder recorder_;
    std::function<void(const AppState&)> at_rest_;
    LessonFile lessons_;
    PreferenceFile& preferences_;
    Kept kept_;  ///< as it was written last
    WindowSize units_;
    double kept_at_ = 0;
    std::string window_name_;
    bool is_full_ = false;
    Place place_;
};

}  // namespace

void run_app(const Scene& scene, const AppEngines& engines, const AppOptions& options) {
    figures::view_by_id(scene.view);  // refuses an unknown view before a window opens
    if (!options.lesson.empty()) {
        lessons::lesson_by_id(options.lesson);
    }
    plot::theme_by_name(options.theme);
    start_glfw();
    PreferenceFile preferences(options.preferences);
    const LoadedPreferences loaded = preferences.load();
    const Preferences& last = loaded.preferences;
    int signal = 0;
    {
        const NotedSignals signals;
        // The figure that reads such a file says so, and the window goes on.
        on_lost_pages(nullptr);
        App* open = nullptr;
        const EndOfDisplay end(
            [&open] {
                if (open != nullptr) {
                    open->save();
                }
            },
            options.on_lost_display);
        GLFWwindow* window = open_window({last.width >= kLeastWidth ? last.width : kWidth,
                                          last.height >= kLeastHeight ? last.height : kHeight});
        glfwMakeContextCurrent(window);
        glfwSwapInterval(1);
        Input input;
        listen(window, input);
        {
            App app(window, scene, engines, options, preferences, loaded);
            open = &app;
            glfwShowWindow(window);
            app.run(input, options.after_first_frame);
            const std::string refused = preferences.is_kept() ? app.save() : "";
            if (!refused.empty() && options.tell) {
                options.tell("app: what the window remembers was not saved: " + refused);
            }
            open = nullptr;
        }
        glfwDestroyWindow(window);
        signal = NotedSignals::taken();
    }
    if (signal != 0) {
        ::raise(signal);  // ends the program as if it had never been noted
    }
}

}  // namespace ropescope::gui
