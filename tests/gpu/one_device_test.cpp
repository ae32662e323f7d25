// Whoever computes for one window does so on one device.
#include <gmock/gmock.h>

#include "app/headless/egl_context.h"
#include "app/headless/offscreen_engine.h"
#include "core/base/error.h"
#include "core/gpu/device_limits.h"
#include "tests/support/needs_egl.h"

namespace ropescope::headless {
namespace {

TEST(OneDevice, IsTheOneThatWasOpenedFirst) {
    ROPESCOPE_NEEDS_EGL();
    const OneDevice device("");
    EXPECT_EQ(device.device(), "");
    const OneDevice copy = device;
    const auto first = device.open();
    const auto devices = list_egl_devices();
    const std::size_t number = std::stoul(copy.device());
    ASSERT_LT(number, devices.size());
    EXPECT_EQ(devices[number].number, static_cast<int>(number));
    EXPECT_THAT(first->device(), ::testing::HasSubstr(devices[number].name));
    EXPECT_EQ(copy.open()->device(), first->device());
    EXPECT_EQ(copy.device(), std::to_string(number));
}

TEST(OneDevice, IsStillOpenAfterARefusal) {
    const OneDevice device("Voodoo");
    EXPECT_THROW(device.open(), CapabilityError);
    EXPECT_EQ(device.device(), "Voodoo");
}

TEST(EglDevice, WhatTheProcessorImitatesIsNoHardware) {
    ROPESCOPE_NEEDS_EGL();
    for (const EglDevice& device : list_egl_devices()) {
        EXPECT_EQ(device.software, gpu::is_software(device.name)) << device.name;
    }
    try {
        const EglContext context({"hardware", true});
        EXPECT_FALSE(gpu::is_software(context.device().name)) << context.device().name;
    } catch (const CapabilityError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("hardware"));
        EXPECT_THAT(error.what(), ::testing::Not(::testing::HasSubstr("\n")));
    }
}

}  // namespace
}  // namespace ropescope::headless
