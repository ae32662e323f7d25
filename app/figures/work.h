// What whoever waits for a figure gives to the one who computes it.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "core/checks/check_run.h"
#include "core/encoder/encoder.h"

namespace ropescope::figures {

/// The encoder used last, its weights in an engine's memory: a figure after a slider has moved
/// needs no new one. From one thread at a time; of one engine for each name, which must outlive it.
class EncoderCache {
  public:
    /// The encoder of `key` on this engine; made, and the one before dropped, where it is another.
    template <typename Make>
    const Encoder& get(const std::string& key, const Engine& engine, const Make& make) {
        const std::string name = engine.name() + "|" + key;
        if (!encoder_ || name != name_) {
            drop();
            encoder_.emplace(make());
            name_ = name;
        }
        return *encoder_;
    }
    void drop() { encoder_.reset(); }

  private:
    std::optional<Encoder> encoder_;
    std::string name_;
};

struct Work {
    std::stop_token stop = {};
    std::function<void(double done)> progress =
        {};                            ///< the share that is done, 0 .. 1; may be empty
    EncoderCache* encoders = nullptr;  ///< null: what is made for the figure goes with it
    /// The figure is to be looked at, nothing else: what an engine keeps where it can be drawn from
    /// (Engine::drawable) stays there (app/plot/live.h), and there is no data for a file.
    bool live = false;
    /// A frame waits for the picture: a view that takes longer may return a draft (Picture::draft).
    bool may_draft = false;
    /// For the view of the checks: the results so far of a run that the caller carries out. Null:
    /// the view runs all checks.
    const CheckRun* check_run = nullptr;

    /// Of whoever serves now: asked after its tensor_ops(), with which another may step in.
    bool draws_from(const Engine& engine) const { return live && engine.drawable(); }
    void tell(double done) const {
        if (progress) {
            progress(done);
        }
    }
};

}  // namespace ropescope::figures
