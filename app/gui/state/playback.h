// The animation of a view, and single steps of what it moves: both positions, or one number from 0
// to 1 (figures::View::played).
#pragma once

#include <cstdint>
#include <string>

#include "app/scene/scene.h"

namespace ropescope::gui {

/// The scene with its query moved by `by` positions, or query and key together. Returns the scene
/// unchanged if a position would leave the supported range.
Scene moved(const Scene& scene, std::int64_t by, bool both);

/// One step (`by` is 1 or -1) of what the scene's view plays.
Scene stepped(const Scene& scene, int by);

/// Whether the positions change what the scene's view shows.
bool moves_positions(const Scene& scene);
/// Whether an animation of the positions, or of the number that the view plays, can be seen.
bool moves(const Scene& scene);

struct Playback;
/// Whether what plays can be seen in the scene.
bool plays_in(const Scene& scene, const Playback& playback);

struct Playback {
    bool playing = false;
    std::string parameter = {};  ///< that is played in place of what the view plays
    double fraction = 0;         ///< of its slider
    bool back = false;           ///< the played number goes from 1 to 0
    double remainder = 0;  ///< positions: the part of the next step that time has filled so far

    /// Stops or starts. A number at one end begins to move to the other end; a number in between
    /// goes on.
    void toggle(const Scene& scene);
    /// Starts to play a parameter from one end of its slider to the other, or stops it.
    void play(const Scene& scene, const std::string& parameter_name);
    /// Returns the scene after `seconds` of playing, or unchanged if nothing plays. Playing stops
    /// at the end of the range.
    Scene advance(const Scene& scene, double seconds);
    /// The part of the next step that has passed, 0 .. 1, while both positions play; else 0.
    double between_steps(const Scene& scene) const;
    /// Seconds until the next step, while it plays.
    double seconds_to_next(const Scene& scene) const;
};

}  // namespace ropescope::gui
