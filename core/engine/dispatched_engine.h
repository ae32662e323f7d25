// The decorator around every engine: it decides where calls run, measures how long callers wait,
// and lets another engine take over when the first one fails.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/engine/engine.h"

namespace ropescope {

/// A thread that runs calls one after the other.
class CallThread {
  public:
    virtual ~CallThread() = default;
    /// Runs `call` and returns when it is done. Rethrows what it throws, or what an earlier posted
    /// call threw.
    virtual void run(const std::function<void()>& call) = 0;
    /// Runs `call` later. If it throws, calls posted after it are skipped until the next run().
    virtual void post(std::function<void()> call) = 0;
};

/// The engine that takes over when the first one throws CapabilityError.
struct Fallback {
    std::unique_ptr<Engine> engine = {};  ///< null: the error reaches the caller
    /// Called once, with the reason in one line; may be empty.
    std::function<void(const std::string& line)> tell = {};
};

struct Dispatch {
    /// Runs all calls to the engine, and its destruction; null: the caller's thread does.
    std::shared_ptr<CallThread> thread = {};
    Fallback fallback = {};
    bool drawable = false;  ///< Engine::drawable() of the engine
};

/// The same engine, reached as `dispatch` says and with a clock (Engine::time). An engine throws
/// CapabilityError before it changes anything of the caller's, so the fallback repeats the call and
/// nothing is lost. Tensor operations that the failed engine has made keep throwing, because they
/// hold its memory; the next tensor_ops() come from the fallback.
std::unique_ptr<Engine> make_dispatched_engine(std::unique_ptr<Engine> engine,
                                               Dispatch dispatch = {});

/// Returns work(). If it throws CapabilityError and a fallback has taken over meanwhile, runs it
/// once more from the beginning.
template <typename Work>
auto with_fallback(Engine& engine, Work work) {
    const EngineKind began_with = engine.kind();
    try {
        return work();
    } catch (const CapabilityError&) {
        if (engine.kind() == began_with) {
            throw;
        }
    }
    return work();
}

}  // namespace ropescope
