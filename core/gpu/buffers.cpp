// Makes, reuses, publishes and deletes OpenGL buffers.
#include "core/gpu/buffers.h"

#include <algorithm>
#include <epoxy/gl.h>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/gpu/gl_error.h"
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

}  // namespace ropescope::gpu
