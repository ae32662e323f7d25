// Tests that draw offscreen. Where there is no EGL they are skipped, unless
// ROPESCOPE_REQUIRE_IMAGE_TESTS=1 says that the machine must have it.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string_view>

#include "app/headless/egl_context.h"

namespace ropescope::test {

inline bool image_tests_required() {
    const char* required = std::getenv("ROPESCOPE_REQUIRE_IMAGE_TESTS");
    return required != nullptr && std::string_view(required) == "1";
}

inline bool egl_usable() {
    static const bool usable = std::ranges::any_of(
        headless::list_egl_devices(), [](const auto& device) { return device.usable; });
    return usable;
}

}  // namespace ropescope::test

#define ROPESCOPE_NEEDS_EGL()                                                             \
    if (!::ropescope::test::egl_usable()) {                                               \
        ASSERT_FALSE(::ropescope::test::image_tests_required()) << "EGL is required";     \
        GTEST_SKIP() << "no usable EGL device; install libegl-mesa0 and libgl1-mesa-dri"; \
    }                                                                                     \
    static_assert(true)
