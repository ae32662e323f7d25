// Binds buffers and parameters, dispatches, and decides how much work goes into one launch.
#include "core/gpu/launcher.h"

#include <algorithm>
#include <epoxy/gl.h>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/index.h"

namespace ropescope::gpu {
namespace {

constexpr std::int64_t kRingBytes = std::int64_t{1} << 18;
/// A tenth of a second at 0.3 TFLOP/s, which is slower than any device made since 2012.
constexpr double kOperationsAtOnce = 3e10;

}  // namespace

Launcher::Launcher(const DeviceLimits& limits) : limits_(limits) {
    glGenBuffers(1, &ring_);
    glBindBuffer(GL_UNIFORM_BUFFER, ring_);
    glBufferData(GL_UNIFORM_BUFFER, kRingBytes, nullptr, GL_STREAM_DRAW);
}

Launcher::~Launcher() {
    glDeleteBuffers(1, &ring_);
}

/// Each launch has a place of its own in the ring. At its end we ask for new memory, and the driver
/// keeps the old until nothing reads it.
std::int64_t Launcher::place_parameters(std::span<const std::byte> parameters) {
    const std::int64_t size = std::ssize(parameters);
    const std::int64_t alignment = std::max<std::int64_t>(limits_.uniform_alignment, 16);
    std::int64_t offset = ceil_divide(ring_end_, alignment) * alignment;
    glBindBuffer(GL_UNIFORM_BUFFER, ring_);
    if (offset + size > kRingBytes) {
        glBufferData(GL_UNIFORM_BUFFER, kRingBytes, nullptr, GL_STREAM_DRAW);
        offset = 0;
    }
    glBufferSubData(GL_UNIFORM_BUFFER, offset, size, parameters.data());
    ring_end_ = offset + size;
    return offset;
}

void Launcher::run_bytes(std::uint32_t program, std::span<const BufferRange> buffers,
                         std::span<const std::byte> parameters, std::int64_t groups) {
    if (groups == 0) {
        return;
    }
    if (launches_left_ == 0) {
        throw CapabilityError("GPU: the OpenGL context was lost while computing (as a test asked)");
    }
    launches_left_ -= launches_left_ > 0 ? 1 : 0;
    for (const BufferRange& buffer : buffers) {
        if (buffer.bytes > limits_.storage_bytes) {
            throw CapabilityError(
                fmt::format("GPU: a range of {} MiB exceeds the {} MiB that {} gives a shader; use "
                            "a shorter sequence",
                            buffer.bytes >> 20, limits_.storage_bytes >> 20, limits_.renderer));
        }
    }
    glUseProgram(program);
    const std::int64_t offset = place_parameters(parameters);
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, ring_, offset, std::ssize(parameters));
    GLuint binding = 1;
    for (const BufferRange& buffer : buffers) {
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, binding++, buffer.name, buffer.offset_bytes,
                          buffer.bytes);
    }
    glDispatchCompute(narrow<GLuint>(groups), 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

std::int64_t steps_at_once(const DeviceLimits& limits, const StepCost& cost, std::int64_t grain) {
    std::int64_t most = limits.storage_bytes / std::max<std::int64_t>(cost.bytes, 1);
    most = std::min(most,
                    limits.groups * cost.groups_den / std::max<std::int64_t>(cost.groups_num, 1));
    const double by_time = kOperationsAtOnce / std::max(cost.operations, 1.0);
    most = std::min(most, floor_to_index(std::min(by_time, 0x1p40)));
    return std::max<std::int64_t>(most / grain, 1) * grain;
}

void in_parts(std::int64_t count, std::int64_t at_once,
              const std::function<void(std::int64_t first, std::int64_t count)>& part) {
    for (std::int64_t first = 0; first < count; first += at_once) {
        part(first, std::min(at_once, count - first));
        if (first + at_once < count) {
            glFlush();  // each part is a job of its own to the driver
        }
    }
}

}  // namespace ropescope::gpu
