// Copies bytes to the device and back.
#include "core/gpu/transfer.h"

#include <algorithm>
#include <cstring>
#include <epoxy/gl.h>

#include "core/base/error.h"
#include "core/gpu/gl_error.h"
#include "core/gpu/launcher.h"

namespace ropescope::gpu {
namespace {

constexpr std::int64_t kStageBytes = std::int64_t{8} << 20;
constexpr std::int64_t kStages = 2;
constexpr GLuint64 kWaitNanoseconds = 100'000'000;

/// Waits as long as it takes, and checks in between whether the context was lost.
void wait_for(GLsync fence) {
    GLenum state = GL_TIMEOUT_EXPIRED;
    while (state == GL_TIMEOUT_EXPIRED) {
        state = glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, kWaitNanoseconds);
        check_gl("waiting for the device");
    }
    glDeleteSync(fence);
}

}  // namespace

std::shared_ptr<GlBuffer> upload_bytes(GlBufferPool& pool, std::span<const std::byte> bytes) {
    const std::int64_t size = std::ssize(bytes);
    std::shared_ptr<GlBuffer> buffer = pool.take(size);
    if (size > 0) {
        glBindBuffer(GL_COPY_WRITE_BUFFER, buffer->all().name);
        glBufferSubData(GL_COPY_WRITE_BUFFER, 0, size, bytes.data());
    }
    return buffer;
}

struct Readback::Stage {
    GLuint name = 0;
    GLsync fence = nullptr;
};

Readback::Readback() : stages_(std::make_unique<Stage[]>(kStages)) {}

Readback::~Readback() {
    for (std::int64_t i = 0; i < kStages; ++i) {
        glDeleteBuffers(1, &stages_[i].name);
    }
}

void Readback::read(const BufferRange& from, std::span<std::byte> to) {
    const std::int64_t size = std::ssize(to);
    const std::int64_t pieces = ceil_divide(size, kStageBytes);
    const auto piece_bytes = [&](std::int64_t piece) {
        return std::min(kStageBytes, size - piece * kStageBytes);
    };
    const auto begin = [&](std::int64_t piece) {
        Stage& stage = stages_[piece % kStages];
        if (stage.name == 0) {
            glGenBuffers(1, &stage.name);
            glBindBuffer(GL_COPY_WRITE_BUFFER, stage.name);
            glBufferData(GL_COPY_WRITE_BUFFER, kStageBytes, nullptr, GL_STREAM_READ);
        }
        glBindBuffer(GL_COPY_READ_BUFFER, from.name);
        glBindBuffer(GL_COPY_WRITE_BUFFER, stage.name);
        glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER,
                            from.offset_bytes + piece * kStageBytes, 0, piece_bytes(piece));
        stage.fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    };
    const auto finish = [&](std::int64_t piece) {
        Stage& stage = stages_[piece % kStages];
        wait_for(stage.fence);
        glBindBuffer(GL_COPY_READ_BUFFER, stage.name);
        const void* values =
            glMapBufferRange(GL_COPY_READ_BUFFER, 0, piece_bytes(piece), GL_MAP_READ_BIT);
        if (values == nullptr) {
            check_gl("reading values back");
            throw CapabilityError("GPU: values cannot be read back");
        }
        std::memcpy(to.data() + piece * kStageBytes, values, piece_bytes(piece));
        if (glUnmapBuffer(GL_COPY_READ_BUFFER) != GL_TRUE) {
            throw CapabilityError("GPU: values were lost on the way back");
        }
    };
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
        begin(piece);
        if (piece > 0) {
            finish(piece - 1);
        }
    }
    if (pieces > 0) {
        finish(pieces - 1);
    }
    check_gl("reading values back");
}

}  // namespace ropescope::gpu
