// The Keras layer of document 002: what it does as written, and what was meant.
#include <gtest/gtest.h>

#include "core/systems/rotation_test.h"
#include "tests/support/golden_arrays.h"

namespace ropescope::test {
namespace {

class Seed002 : public ::testing::Test {
  protected:
    nd::Array tensor(const std::string& name) const { return golden_array(file_, name); }

    static nd::Array run(const std::string& system, const nd::Array& x) {
        SystemInput input;
        input.x = x;
        return array_of(find_system(system).apply(input));
    }

    /// Both sides are fp32 with fp32 angles; NumPy's functions are within one ulp.
    static double bound(const nd::Array& x) {
        return 3.0 * pair_length(x) *
               rounding_bound(find_system("keras_intended"), x.shape[2], 1e4, x.shape[1] - 1,
                              Arithmetic::as_written)
                   .total();
    }

    SafetensorsFile file_ = open_golden("seed002/cases.safetensors");
};

TEST_F(Seed002, Batch1GrowsToSeqBySeq) {
    const nd::Array x = tensor("b1_x");
    const nd::Array y = run("keras_as_written", x);
    EXPECT_EQ(y.shape, (nd::Shape{5, 5, 8}));
    EXPECT_LE(largest_difference(y, tensor("b1_seed")), bound(x));
}

TEST_F(Seed002, BatchEqualToSeqTurnsByBatchIndex) {
    const nd::Array x = tensor("bs_x");
    EXPECT_LE(largest_difference(run("keras_as_written", x), tensor("bs_seed")), bound(x));
    EXPECT_GT(largest_difference(run("keras_as_written", x), tensor("bs_intended")), 1.0);
}

TEST_F(Seed002, AsIntended) {
    for (const std::string name : {"b1", "bs", "b3s6"}) {
        const nd::Array x = tensor(name + "_x");
        EXPECT_LE(largest_difference(run("keras_intended", x), tensor(name + "_intended")),
                  bound(x))
            << name;
    }
}

TEST_F(Seed002, TableIsCosThenSin) {
    const nd::Array expected = tensor("rotary_embeddings");
    // (1 .. 1, 0 .. 0) turns into (cos .. cos, sin .. sin).
    nd::Array x{{1, 16, 8}, {}, NumberFormat::fp32};
    for (int i = 0; i < 16 * 8; ++i) {
        x.values.push_back(i % 8 < 4 ? 1.0 : 0.0);
    }
    EXPECT_LE(largest_difference(nd::view(run("keras_intended", x), {16, 8}), expected), bound(x));
}

}  // namespace
}  // namespace ropescope::test
