// Options and callbacks that a caller passes when it asks for a figure.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stop_token>

#include "app/figures/carried.h"
#include "app/figures/figure_cache.h"
#include "core/base/memo.h"
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
    /// Not null: what takes long goes to another instance of the program, or has come from one.
    Carried* carried = nullptr;

    /// Call after `engine.tensor_ops()`: creating them may fall back to another engine.
    bool draws_from(const Engine& engine) const { return live && engine.drawable(); }
    /// A result that takes long: it is known, or has come from another instance of the program as
    /// what is carried of it, the rest as `begin()` makes it, or is made by `make`, which keeps it
    /// if it is to be known from then on.
    template <typename Key, typename Value, typename Begin, typename Make>
    std::shared_ptr<const Value> result(Memo<Key, Value>& memo, const Key& key, const Begin& begin,
                                        const Make& make) const {
        if (carried != nullptr && carried->gives_out()) {
            Value value = begin();
            carried->give_out(value);
            auto known = std::make_shared<const Value>(std::move(value));
            memo.keep(key, known);
            return known;
        }
        std::shared_ptr<const Value> found = memo.find(key);
        if (!found) {
            found = make();
        }
        if (carried != nullptr) {
            carried->collect(*found);
        }
        return found;
    }
    void tell(double done) const {
        if (progress) {
            progress(done);
        }
    }
};

}  // namespace ropescope::figures
