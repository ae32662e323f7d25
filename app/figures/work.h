// Options and callbacks that a caller passes when it asks for a figure.
#pragma once

#include <functional>
#include <span>
#include <stop_token>

#include "app/figures/figure_cache.h"
#include "core/checks/check_run.h"
#include "core/engine/engine.h"

namespace ropescope::figures {

struct Work {
    std::stop_token stop = {};
    std::function<void(double done)> progress = {};  ///< the share that is done, 0 .. 1
    /// What is kept for the next figure. If the caller leaves it null, make_picture() passes the
    /// view a cache that lasts for this picture.
    FigureCache* cache = nullptr;
    /// The figure is only to be looked at: numbers that an engine can draw from
    /// its own memory (Engine::drawable) stay there (app/plot/live.h), and there is no data for a
    /// file.
    bool live = false;
    /// A frame waits for the picture: a view that takes longer may return a draft (Picture::draft).
    bool may_draft = false;
    /// For the view of the checks: the results so far of a run that the caller carries out. Null:
    /// the view runs all checks.
    const CheckRun* check_run = nullptr;
    /// Checks that the view runs after those of the library if `check_run` is null; they outlive
    /// the cache.
    std::span<const Check> more_checks = {};

    /// Call after `engine.tensor_ops()`: creating them may fall back to another engine.
    bool draws_from(const Engine& engine) const { return live && engine.drawable(); }
    void tell(double done) const {
        if (progress) {
            progress(done);
        }
    }
};

}  // namespace ropescope::figures
