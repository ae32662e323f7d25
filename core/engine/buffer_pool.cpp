// Hands out, takes back and borrows the memory of tensors on the CPU.
#include "core/engine/buffer_pool.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <stdexcept>

namespace ropescope {
namespace {

class BorrowedBuffer final : public CpuBuffer {
  public:
    explicit BorrowedBuffer(HostFloats values) : values_(std::move(values)) {}
    const float* data() const override { return values_.values.data(); }
    float* writable() override {
        throw std::logic_error("a tensor that was uploaded is written to");
    }

  private:
    HostFloats values_;
};

}  // namespace

/// Guarded by a mutex: another thread than the one that computes may drop a result.
struct BufferPool::Free {
    std::mutex mutex;
    std::vector<AlignedVector<float>> memory;

    /// The smallest buffer that holds `count` floats and is at most twice as large; or an empty
    /// one.
    AlignedVector<float> find(std::size_t count) {
        const std::lock_guard lock(mutex);
        auto best = memory.end();
        for (auto it = memory.begin(); it != memory.end(); ++it) {
            const bool fits = it->size() >= count && it->size() / 2 <= count;
            if (fits && (best == memory.end() || it->size() < best->size())) {
                best = it;
            }
        }
        if (best == memory.end()) {
            return {};
        }
        AlignedVector<float> found = std::move(*best);
        memory.erase(best);
        return found;
    }

    /// Returns all kept memory to the system if `count` floats dwarf it (logits of a large
    /// vocabulary): the peak matters then, and getting the memory again costs little beside that.
    void make_room(std::size_t count) {
        const std::lock_guard lock(mutex);
        std::size_t kept = 0;
        for (const AlignedVector<float>& values : memory) {
            kept += values.size();
        }
        if (count / 2 >= kept) {
            memory.clear();
        }
    }

    void keep(AlignedVector<float> values) {
        const std::lock_guard lock(mutex);
        memory.push_back(std::move(values));
    }
};

namespace {

class PooledBuffer final : public CpuBuffer {
  public:
    using GiveBack = std::function<void(AlignedVector<float>)>;
    PooledBuffer(AlignedVector<float> values, GiveBack give_back)
        : values_(std::move(values)), give_back_(std::move(give_back)) {}
    ~PooledBuffer() override { give_back_(std::move(values_)); }
    const float* data() const override { return values_.data(); }
    float* writable() override { return values_.data(); }

  private:
    AlignedVector<float> values_;
    GiveBack give_back_;
};

}  // namespace

BufferPool::BufferPool() : free_(std::make_shared<Free>()) {}

std::shared_ptr<CpuBuffer> BufferPool::take(std::int64_t count) {
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(count, 1));
    AlignedVector<float> values = free_->find(size);
    if (values.empty()) {
        free_->make_room(size);
        values.resize(size);
    }
    return std::make_shared<PooledBuffer>(
        std::move(values), [pool = std::weak_ptr<Free>(free_)](AlignedVector<float> returned) {
            if (const std::shared_ptr<Free> free = pool.lock()) {
                free->keep(std::move(returned));
            }
        });
}

std::shared_ptr<CpuBuffer> borrow(const HostFloats& values) {
    return std::make_shared<BorrowedBuffer>(values);
}

}  // namespace ropescope
