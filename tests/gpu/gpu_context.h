// The device that the tests of this folder compute on. Without EGL they are skipped, unless
// ROPESCOPE_REQUIRE_IMAGE_TESTS=1 says that the machine must have it.
#pragma once

#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>

#include "app/headless/egl_context.h"
#include "core/gpu/gpu_engine.h"
#include "tests/support/needs_egl.h"

namespace ropescope::test {

/// A current context and an engine in it.
class GpuTest : public ::testing::Test {
  protected:
    void SetUp() override {
        setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
        ROPESCOPE_NEEDS_EGL();
        context_ = std::make_unique<headless::EglContext>(
            headless::EglRequest{.device = "", .compute = true});
        engine_ = make_gpu_engine();
    }
    void TearDown() override { engine_.reset(); }

    Engine& engine() { return *engine_; }

  private:
    std::unique_ptr<headless::EglContext> context_;
    std::unique_ptr<Engine> engine_;
};

}  // namespace ropescope::test
