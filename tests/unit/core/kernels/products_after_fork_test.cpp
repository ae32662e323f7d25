// Products of oneDNN, which brings OpenMP along, in a child of fork().
#include <gtest/gtest.h>
#include <type_traits>
#include <vector>

#include "core/base/parallel.h"
#include "core/kernels/packed_matrix.h"
#include "core/kernels/sgemm.h"
#include "tests/support/forked.h"

namespace ropescope {
namespace {

constexpr std::int64_t kSize = 96;

/// Whether the square of a matrix of ones has kSize everywhere, by both kinds of products, each in
/// two parts.
bool multiplies() {
    const std::vector<float> ones(kSize * kSize, 1.0F);
    const MatrixView<const float> a{ones.data(), kSize, kSize, kSize};
    std::vector<float> plain(kSize * kSize), by_packed(kSize * kSize);
    const PackedMatrix packed(a);
    parallel_for(kSize, 1, 2, [&](std::int64_t begin, std::int64_t end) {
        const auto rows = [&](auto& values) {
            using Value = std::remove_pointer_t<decltype(values.data())>;
            return MatrixView<Value>{values.data() + begin * kSize, end - begin, kSize, kSize};
        };
        sgemm(1.0F, rows(ones), a, Factor::plain, rows(plain));
        for (std::int64_t part = 0; part < packed.parts(); ++part) {
            packed.multiply(part, rows(ones), rows(by_packed));
        }
    });
    const std::vector<float> expected(kSize * kSize, float{kSize});
    return plain == expected && by_packed == expected;
}

TEST(ProductsAfterFork, AChildMultipliesAndEnds) {
    if (const std::string why = test::no_children_here(test::OtherThreads::idle); !why.empty()) {
        GTEST_SKIP() << why;
    }
    ASSERT_TRUE(multiplies());
    EXPECT_EQ(test::problem_in_child(multiplies), "");
    EXPECT_TRUE(multiplies());
}

}  // namespace
}  // namespace ropescope
