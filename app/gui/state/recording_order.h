// What the window can record of the figure that it shows, and the recording that is being made.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/state/playback.h"
#include "app/plot/look.h"
#include "app/plot/render_figure.h"
#include "app/scene/scene.h"

namespace ropescope::gui {

/// What may change in a recording.
struct OfferedVariation {
    std::string label;       ///< "both positions"
    std::string vary;        ///< as --vary takes it: "position=12:36"
    bool has_steps = false;  ///< what moves can be drawn between two positions
};

/// What plays in the window first, then the first sliders of the view; at most four.
std::vector<OfferedVariation> offered_variations(const Scene& scene, const Playback& playback,
                                                 bool draws_between);

struct RecordingState;
/// Among those that are offered now. Throws InputError if there is none.
OfferedVariation chosen_variation(const std::vector<OfferedVariation>& offered,
                                  const RecordingState& state);

struct RecordingOrder {
    std::string path;
    Scene scene;
    std::string vary;
    int steps = 1;  ///< frames from one position to the next
    plot::Look look = {};
    plot::ExportOptions picture = {};
};

struct RecordingState {
    /// Starts a recording. Throws InputError and CapabilityError before any work. Empty where the
    /// program cannot record: in a browser.
    std::function<void(const RecordingOrder& order)> start = {};
    std::optional<double> done = {};  ///< the share, 0 .. 1, while one is being made
    bool stop = false;                ///< the user wants it to end

    // Chosen in the sheet.
    std::string label = {};  ///< of what changes; empty: the first that is offered
    int steps = 4;
};

}  // namespace ropescope::gui
