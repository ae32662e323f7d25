// All engines of a window are on one device, and share with its context if they can.
#include <epoxy/gl.h>
#include <gmock/gmock.h>

#include "app/headless/egl_context.h"
#include "app/headless/offscreen_engine.h"
#include "core/base/error.h"
#include "core/gpu/buffers.h"
#include "core/gpu/gl_context.h"
#include "tests/support/needs_egl.h"

namespace ropescope::headless {
namespace {

TEST(SharedDevice, IsTheOneThatWasOpenedFirst) {
    ROPESCOPE_NEEDS_EGL();
    const SharedDevice device("");
    EXPECT_EQ(device.device(), "");
    const SharedDevice copy = device;
    const auto first = device.open();
    const auto devices = list_egl_devices();
    const int number = std::stoi(copy.device());
    ASSERT_LT(number, std::ssize(devices));
    EXPECT_EQ(devices.at(number).number, number);
    EXPECT_THAT(first->device(), ::testing::HasSubstr(devices.at(number).name));
    EXPECT_EQ(copy.open()->device(), first->device());
    EXPECT_EQ(copy.device(), std::to_string(number));
}

TEST(SharedDevice, IsStillOpenAfterARefusal) {
    const SharedDevice device("Voodoo");
    EXPECT_THROW(device.open(), CapabilityError);
    EXPECT_EQ(device.device(), "Voodoo");
}

TEST(SharedDevice, SharesWithTheContextThatIsCurrent) {
    ROPESCOPE_NEEDS_EGL();
    EXPECT_FALSE(current_egl_context());
    const EglContext window({"", true, {}});
    const SharedDevice any("");
    any.share_with_current_context();
    const auto first = any.open(), second = any.open();
    EXPECT_TRUE(first->drawable());
    EXPECT_TRUE(second->drawable());
    EXPECT_TRUE(current_egl_context()) << "the window's is still current here";

    const std::unique_ptr<TensorOps> ops = first->tensor_ops();
    const std::vector<float> values{1, 2, 3, 4};
    const DeviceTensor tensor = ops->upload({nullptr, values}, 2, 2);
    const gpu::GlBuffer& buffer = gpu::buffer_of(tensor);
    EXPECT_FALSE(buffer.published()) << "it is not published yet";
    ops->publish(tensor);
    ASSERT_TRUE(buffer.published());
    std::vector<float> seen(values.size());
    gpu::Readback().read(*buffer.published(), std::as_writable_bytes(std::span(seen)));
    EXPECT_EQ(seen, values);
}

TEST(SharedDevice, DoesNotShareASoftwareWindowWhereHardwareIsAskedFor) {
    ROPESCOPE_NEEDS_EGL();
    const EglContext window({"software", true, {}});
    const SharedDevice device("hardware");
    device.share_with_current_context();
    try {
        EXPECT_FALSE(device.open()->drawable());
    } catch (const CapabilityError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("hardware"));
    }
}

TEST(EglContext, ThatSharesTellsOfResetsLikeTheOther) {
    ROPESCOPE_NEEDS_EGL();
    const auto strategy = [] {
        GLint value = 0;
        glGetIntegerv(GL_RESET_NOTIFICATION_STRATEGY_ARB, &value);
        return value;
    };
    const EglContext window({"", true, {}});
    GlThread thread({"", true, current_egl_context()});
    ASSERT_TRUE(thread.shares());
    GLint shared = 0;
    thread.run([&] { shared = strategy(); });
    EXPECT_EQ(shared, strategy());
    EXPECT_EQ(shared, GL_LOSE_CONTEXT_ON_RESET_ARB) << "as Mesa's EGL knows how";
}

/// Because nothing tells which device of the list the window uses.
TEST(SharedDevice, SharesNothingWhenADeviceIsAskedForByNumber) {
    ROPESCOPE_NEEDS_EGL();
    const EglContext window({"", true, {}});
    const SharedDevice device("0");
    device.share_with_current_context();
    EXPECT_FALSE(device.open()->drawable());
    EXPECT_EQ(device.device(), "0");
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
