// An engine that another one stands in for when it fails.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/engine/engine.h"

namespace ropescope {

/// Told once, in one line, why the first engine is given up.
using TellFallback = std::function<void(const std::string& line)>;

/// `first` until it throws CapabilityError, then `second` for that call and all others. An engine
/// throws it before it changes anything of the caller's, so nothing is lost. Tensor operations that
/// are under way hold what only `first` has: they throw the CapabilityError, and tensor_ops() asked
/// for again are those of `second`.
std::unique_ptr<Engine> make_fallback_engine(std::unique_ptr<Engine> first,
                                             std::unique_ptr<Engine> second, TellFallback tell);

/// Does `work`, and once more where the engine it began with fails and another stands in for it.
template <typename Work>
auto with_fallback(Engine& engine, Work work) {
    const std::string began_with = engine.name();
    try {
        return work();
    } catch (const CapabilityError&) {
        if (engine.name() == began_with) {
            throw;
        }
    }
    return work();
}

}  // namespace ropescope
