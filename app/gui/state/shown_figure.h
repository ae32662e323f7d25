// The figure that the window shows: what it was made of, and when it is made again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "app/figures/view.h"

namespace ropescope::gui {

/// The progress of the whole figure that replaces a draft.
struct Refining {
    std::optional<double> done;  ///< 0 .. 1, once it is known
    bool stopped = false;        ///< the user has stopped it: the draft stays
};

struct ShownFigure {
    std::optional<figures::Picture> picture;  ///< the last one that could be made
    std::string error;                        ///< why `picture` is not of `scene`; else empty

    // What `picture`, or else `error`, was made of.
    std::optional<Scene> scene;
    std::optional<EngineKind> engine;
    std::int64_t check_results = 0;  ///< of the run of checks, if the view shows one

    std::uint64_t count = 0;        ///< pictures made so far, drafts and whole ones
    std::uint64_t drafts = 0;       ///< drafts made so far
    Refining refining;              ///< of the draft that is shown
    std::int64_t readout_rows = 0;  ///< the most values that a panel of the figure shows

    bool may_draft = false;  ///< somebody completes drafts: FigureRefiner, in a page web::Beside
    /// Of a picture that update() waits for: the share that is done, 0 .. 1.
    std::function<void(double done)> progress = {};
    bool live = true;            ///< figures may be drawn from the engine's memory (Work::live)
    figures::FigureCache cache;  ///< results that the next figures can use

    /// Makes the picture again if something that its view reads has changed.
    void update(const Scene& wanted, Engine& on, const CheckRun& run);
    /// Whether the picture or the error is of exactly these values; if not, update() makes it
    /// again.
    bool is_of(const Scene& wanted, const Engine& on, const CheckRun& run) const;
    /// Shows a picture of `scene`.
    void show(figures::Picture next);
    /// The next update() makes the picture again.
    void forget() { scene.reset(); }

    /// Null before the first one.
    const plot::Figure* figure() const { return picture ? &picture->figure : nullptr; }
    /// The figure, if it is of `scene`; null while only an earlier one can be shown.
    const plot::Figure* current() const { return error.empty() ? figure() : nullptr; }
    bool is_draft() const { return picture && picture->draft; }
    /// Whether the whole figure of the draft is to be computed.
    bool wants_whole() const { return is_draft() && error.empty() && !refining.stopped; }
};

/// Whether the scene's view shows a run of the checks.
bool shows_checks(const Scene& scene);

}  // namespace ropescope::gui
