// Makes, reuses, publishes and deletes OpenGL buffers.
#include "core/gpu/buffers.h"

#include <algorithm>
#include <cstring>
#include <epoxy/gl.h>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/gpu/gl_context.h"
#include "core/gpu/launcher.h"

namespace ropescope::gpu {
namespace {

constexpr std::int64_t kGrain = 4096;

/// Sizes grow by eighths of powers of two, so that nearly equal tensors share buffers.
std::int64_t rounded(std::int64_t bytes) {
    std::int64_t step = kGrain;
    while (step * 8 < bytes) {
        step *= 2;
    }
    return std::max(step, ceil_divide(bytes, step) * step);
}

}  // namespace

/// Where buffers come from and return to. Any thread may drop a handle; only the context's own
/// thread makes and deletes buffers.
struct GlBuffer::Home {
    std::mutex mutex;
    std::multimap<std::int64_t, std::uint32_t> idle;  ///< by capacity
    /// The fences of published buffers in use; null for those that were not published.
    std::map<std::uint32_t, GLsync> in_use;
    std::vector<GLsync> old_fences;
    bool open = true;

    std::uint32_t acquire(std::int64_t capacity);
    void forget_idle();
    /// Deletes all buffers, also those that handles still name.
    void close();

  private:
    std::uint32_t reuse(std::int64_t capacity);
    std::uint32_t make(std::int64_t capacity);
};

std::uint32_t GlBuffer::Home::reuse(std::int64_t capacity) {
    const std::lock_guard lock(mutex);
    const auto found = idle.find(capacity);
    if (found == idle.end()) {
        return 0;
    }
    const std::uint32_t name = found->second;
    idle.erase(found);
    in_use.emplace(name, nullptr);
    return name;
}

std::uint32_t GlBuffer::Home::make(std::int64_t capacity) {
    GLuint name = 0;
    glGenBuffers(1, &name);
    glBindBuffer(GL_COPY_WRITE_BUFFER, name);
    glBufferData(GL_COPY_WRITE_BUFFER, capacity, nullptr, GL_DYNAMIC_COPY);
    if (glGetError() != GL_NO_ERROR) {
        glDeleteBuffers(1, &name);
        return 0;
    }
    const std::lock_guard lock(mutex);
    in_use.emplace(name, nullptr);
    return name;
}

std::uint32_t GlBuffer::Home::acquire(std::int64_t capacity) {
    if (const std::uint32_t name = reuse(capacity); name != 0) {
        return name;
    }
    check_gl("asking for memory");
    for (const bool last_try : {false, true}) {
        if (const std::uint32_t name = make(capacity); name != 0) {
            return name;
        }
        if (!last_try) {
            forget_idle();
        }
    }
    throw CapabilityError(fmt::format("GPU: the device has no {} MiB left; use a shorter sequence",
                                      ceil_divide(capacity, 1 << 20)));
}

void GlBuffer::Home::forget_idle() {
    const std::lock_guard lock(mutex);
    for (const auto& [capacity, name] : idle) {
        glDeleteBuffers(1, &name);
    }
    idle.clear();
}

void GlBuffer::Home::close() {
    forget_idle();
    const std::lock_guard lock(mutex);
    open = false;
    // Otherwise a context that shares with this one would keep them alive.
    for (const auto& [name, fence] : in_use) {
        glDeleteBuffers(1, &name);
        glDeleteSync(fence);  // null is allowed
    }
    in_use.clear();
    for (const GLsync fence : old_fences) {
        glDeleteSync(fence);
    }
    old_fences.clear();
}

GlBuffer::GlBuffer(std::shared_ptr<Home> home, std::int64_t bytes)
    : home_(std::move(home)), bytes_(bytes), capacity_(rounded(bytes)) {}

GlBuffer::~GlBuffer() {
    const std::lock_guard lock(home_->mutex);
    if (!home_->open || name_ == 0) {
        return;  // its context is gone or going, or it never got memory
    }
    const auto used = home_->in_use.find(name_);
    home_->old_fences.push_back(used->second);
    home_->in_use.erase(used);
    home_->idle.emplace(capacity_, name_);
}

BufferRange GlBuffer::all() {
    if (name_ == 0) {
        name_ = home_->acquire(capacity_);
    }
    return {name_, 0, bytes_};
}

void GlBuffer::publish() {
    const std::uint32_t name = all().name;
    glMemoryBarrier(GL_ALL_BARRIER_BITS);  // the reader may use any kind of access
    const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();  // another context can wait only for a fence that was sent
    const std::lock_guard lock(home_->mutex);
    home_->old_fences.push_back(std::exchange(home_->in_use.at(name), fence));
    for (const GLsync old : home_->old_fences) {
        glDeleteSync(old);
    }
    home_->old_fences.clear();
}

std::optional<BufferRange> GlBuffer::published() const {
    const std::lock_guard lock(home_->mutex);
    const auto used = home_->in_use.find(name_);
    if (used == home_->in_use.end() || used->second == nullptr) {
        return std::nullopt;
    }
    glWaitSync(used->second, 0, GL_TIMEOUT_IGNORED);
    return BufferRange{name_, 0, bytes_};
}

GlBuffer& buffer_of(const DeviceTensor& tensor) {
    auto* buffer = dynamic_cast<GlBuffer*>(tensor.buffer.get());
    if (buffer == nullptr) {
        throw std::logic_error("a tensor of another engine, or none");
    }
    return *buffer;
}

GlBufferPool::GlBufferPool() : home_(std::make_shared<GlBuffer::Home>()) {}

GlBufferPool::~GlBufferPool() {
    home_->close();
}

std::shared_ptr<GlBuffer> GlBufferPool::take(std::int64_t bytes) {
    return std::shared_ptr<GlBuffer>(new GlBuffer(home_, bytes));
}

std::size_t GlBufferPool::idle() const {
    const std::lock_guard lock(home_->mutex);
    return home_->idle.size();
}

// Copies bytes to the device and back.

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
