// Allocates memory aligned to a cache line, in huge pages if it is large.
#include "core/base/aligned_vector.h"

#include <sys/mman.h>

namespace ropescope {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kHugePage = std::size_t{1} << 21;

/// From two huge pages on, the memory is laid out to consist of them.
std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes < 2 * kHugePage ? kCacheLine : kHugePage};
}

}  // namespace

void* allocate_aligned(std::size_t bytes) {
    void* memory = ::operator new(bytes, alignment(bytes));
    if (bytes >= 2 * kHugePage) {
        // One fault for 2 MiB instead of 512 of them. Advice only: a refusal costs nothing else.
        madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
    }
    return memory;
}

void free_aligned(void* memory, std::size_t bytes) {
    ::operator delete(memory, alignment(bytes));
}

}  // namespace ropescope
