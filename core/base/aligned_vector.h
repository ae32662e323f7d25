// A vector whose memory is aligned to a cache line and not initialised on resize. The first touch
// of fresh memory costs more than a copy, so only the code that fills the vector should touch it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace ropescope {

/// Returns memory aligned to a cache line, in huge pages if it is large and the system grants them.
void* allocate_aligned(std::size_t bytes);
/// `bytes` must be the size that was allocated.
void free_aligned(void* memory, std::size_t bytes);

template <typename T>
struct AlignedAllocator {
    using value_type = T;

    AlignedAllocator() = default;
    template <typename U>
    explicit AlignedAllocator(const AlignedAllocator<U>&) {}

    T* allocate(std::size_t count) {
        if (count > SIZE_MAX / sizeof(T)) {
            throw std::bad_array_new_length();
        }
        return static_cast<T*>(allocate_aligned(count * sizeof(T)));
    }
    void deallocate(T* pointer, std::size_t count) { free_aligned(pointer, count * sizeof(T)); }

    /// Default construction leaves arithmetic values uninitialised.
    template <typename U>
    void construct(U* pointer) {
        ::new (static_cast<void*>(pointer)) U;
    }
    template <typename U, typename... Args>
    void construct(U* pointer, Args&&... args) {
        ::new (static_cast<void*>(pointer)) U(std::forward<Args>(args)...);
    }

    template <typename U>
    bool operator==(const AlignedAllocator<U>&) const {
        return true;
    }
};

template <typename T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace ropescope
