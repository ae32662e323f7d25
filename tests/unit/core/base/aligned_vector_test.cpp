#include "core/base/aligned_vector.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>

namespace ropescope {
namespace {

TEST(AlignedVector, StartsAtACacheLineWhateverItsSize) {
    for (const std::size_t size : {1UL, 17UL, 1000UL, 1UL << 20, (1UL << 20) + 1}) {
        AlignedVector<float> values(size);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % 64, 0U) << size;
        values.front() = 1.0F;
        values.back() = 2.0F;
    }
}

TEST(AlignedVector, KeepsItsValuesFromSmallToHugeMemory) {
    AlignedVector<std::int64_t> values(10);
    std::iota(values.begin(), values.end(), 0);
    values.resize(std::size_t{1} << 20);  // 8 MiB
    const AlignedVector<std::int64_t> copy = values;
    for (std::size_t i = 0; i < 10; ++i) {
        EXPECT_EQ(copy[i], static_cast<std::int64_t>(i));
    }
}

TEST(AlignedVector, AnImpossibleSizeIsRefused) {
    AlignedAllocator<double> allocator;
    EXPECT_THROW(allocator.allocate(SIZE_MAX / 4), std::bad_alloc);
}

}  // namespace
}  // namespace ropescope
