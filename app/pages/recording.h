// The frames of a figure while one parameter changes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "app/pages/variation.h"
#include "app/plot/look.h"
#include "app/plot/render_figure.h"
#include "app/scene/scene.h"
#include "core/engine/engine.h"

namespace ropescope::pages {

/// A minute at the usual rate, and 200 MB of frames at the usual size.
inline constexpr std::size_t kMostRecorded = 1000;
inline constexpr int kRecordedPerSecond = 15;

struct Recording {
    Scene scene = {};
    Variation variation = {};
    /// Frames from one position to the next, 1 or more: what moves is drawn between its places.
    int steps = 1;
    plot::Look look = {};  ///< what a figure has not of it changes nothing
    plot::ExportOptions picture = {};
};

/// Throws InputError if the recording has too many frames, or has steps where its view or what
/// changes has none: before any work.
void require_recording(const Recording& recording);

/// The frames, each the bytes of a PNG of the same size. `progress` receives the share of the work
/// that is done, from 0 to 1; what it throws ends the work. Throws InputError if a scene cannot be
/// drawn.
std::vector<std::string> recorded_frames(const Recording& recording, Engine& engine,
                                         const std::function<void(double done)>& progress);

}  // namespace ropescope::pages
