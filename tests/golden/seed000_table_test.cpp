// The notebook's cache of cos and sin (document 000), with its bf16 cast and without.
#include <cmath>
#include <gtest/gtest.h>

#include "tests/support/golden_arrays.h"

namespace ropescope::test {
namespace {

/// The images of (1, 0, 1, 0, ...) are the table itself: [rows, pairs, 2] of cos and sin.
nd::Array table_of(const System& system, const nd::Array& expected) {
    SystemInput input;
    input.base = 1e6;
    const std::int64_t rows = expected.shape[0];
    const std::int64_t head_dim = 2 * expected.shape[1];
    input.x.shape = {1, rows, 1, head_dim};
    for (std::int64_t i = 0; i < rows * head_dim; ++i) {
        input.x.values.push_back(i % 2 == 0 ? 1.0 : 0.0);
    }
    return nd::view(array_of(system.apply(input)), expected.shape);
}

TEST(Seed000Table, WithoutTheCast) {
    const SafetensorsFile file = open_golden("seed000/cache_small.safetensors");
    const nd::Array expected = golden_array(file, "freqs_cis_f32");
    // 15 positions of fp32 angles below 15 rad: pow and sin of PyTorch may be one ulp off.
    const double bound = 15 * 3.0 * 0x1p-24 + 0x1p-24;
    EXPECT_LE(largest_difference(table_of(find_system("notebook_fp32"), expected), expected),
              bound);
    EXPECT_LE(largest_difference(expected, golden_array(file, "freqs_cis_f64")), bound);
}

TEST(Seed000Table, AsWrittenItsEntriesAreBf16) {
    const SafetensorsFile file = open_golden("seed000/cache_small.safetensors");
    const nd::Array expected = golden_array(file, "freqs_cis_bf16");
    const nd::Array table = table_of(find_system("notebook_bf16"), expected);
    // The fp32 values agree to the bound above, so a bf16 value differs only where one of them lies
    // on the edge between two; none does here.
    EXPECT_EQ(largest_difference(table, expected), 0.0);
    const double off = largest_difference(table, golden_array(file, "freqs_cis_f64"));
    EXPECT_LE(off, 0x1p-9 * 1.001);
    EXPECT_GT(off, 0x1p-11) << "a bf16 table cannot be this exact";
}

}  // namespace
}  // namespace ropescope::test
