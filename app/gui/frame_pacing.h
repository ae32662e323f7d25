// Decides when the window draws its next frame. It has neither a window nor a clock, so that tests
// decide when an event comes.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "app/gui/state/app_state.h"

namespace ropescope::gui {

inline constexpr double kUntilAnEvent = std::numeric_limits<double>::infinity();

/// For a loop that passes on the events that have come, draws a frame, and waits.
class FramePacing {
  public:
    /// Frames after the one that gets an event: a press and a release that come together reach
    /// ImGui over two frames, what they change is drawn in a third, and one more is drawn for
    /// places that depend on the frame before.
    static constexpr int kFramesAfterEvent = 3;

    /// Tells that an event has come. The count of frames begins again, also during the frames of an
    /// earlier event.
    void event() { frames_due_ = kFramesAfterEvent + 1; }
    /// Returns how many seconds to wait for an event before the next frame; 0: draw it at once.
    /// `state`: after a frame that began `elapsed` seconds ago.
    double wait_after_frame(const AppState& state, double elapsed);

  private:
    /// Everything that a frame shows beside its figure and that can change after it was drawn.
    struct Seen {
        Overlay overlay;
        std::string_view theme;
        double type_size;
        bool presenting, full_screen;
        std::string edited, error, figure_error, notice;
        RegionOptions::Explanation explanation;
        bool explanation_shown, playing, draft, refining_stopped, gpu_wanted;
        std::optional<double> refined, recorded;
        ChecksState::Phase checks;
        int check_results;
        EngineState::Gpu gpu;
        bool compared;
        const lessons::Lesson* lesson;
        std::size_t lesson_step;
        bool lesson_done, lesson_hint, lesson_offered;
        std::uint32_t focused;
        bool operator==(const Seen&) const = default;
    };
    static Seen seen(const AppState& state);

    int frames_due_ = kFramesAfterEvent + 1;
    std::optional<Seen> last_;
};

}  // namespace ropescope::gui
