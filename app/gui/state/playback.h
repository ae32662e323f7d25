// The animation of a view, and single steps of what it moves: both positions, or one number from 0
// to 1 (figures::View::played).
#pragma once

#include <cstdint>

#include "app/scene/scene.h"

namespace ropescope::gui {

/// The scene with its query moved, or query and key together. The same scene if a position would
/// leave the supported range.
Scene moved(const Scene& scene, std::int64_t by, bool both);

/// Whether the scene's view has a number to play in place of the positions.
bool plays_number(const Scene& scene);
/// One step (`by` is 1 or -1) of what the scene's view plays.
Scene stepped(const Scene& scene, int by);

struct Playback {
    bool playing = false;
    bool back = false;     ///< the played number goes from 1 to 0
    double remainder = 0;  ///< positions: the part of the next step that time has filled so far

    /// Stops, or starts: from an end the number goes to the other one, from between it goes on.
    void toggle(const Scene& scene);
    /// The scene after `seconds` of playing; the same scene if nothing plays. Stops at the end of
    /// the range.
    Scene advance(const Scene& scene, double seconds);
    /// Until the next frame that looks different, while it plays.
    double seconds_to_next(const Scene& scene) const;
};

}  // namespace ropescope::gui
