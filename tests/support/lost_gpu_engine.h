// The real GPU engine on a device that is lost in the middle of the work.
#pragma once

#include <memory>

#include "app/headless/offscreen_engine.h"
#include "core/gpu/gpu_engine.h"

namespace ropescope::test {

/// As make_offscreen_engine(), and lost after `launches` of shaders.
inline std::unique_ptr<Engine> make_lost_gpu_engine(std::int64_t launches, Fallback fallback = {},
                                                    headless::EglRequest request = {}) {
    request.compute = true;
    const auto thread = std::make_shared<headless::GlThread>(request);
    std::unique_ptr<Engine> engine;
    thread->run([&] { engine = make_gpu_engine(launches); });
    return make_dispatched_engine(
        std::move(engine),
        {.thread = thread, .fallback = std::move(fallback), .drawable = thread->shares()});
}

}  // namespace ropescope::test
