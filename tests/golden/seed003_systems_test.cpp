// Mistral's function and the block-wise expansion of document 003.
#include <cmath>
#include <gtest/gtest.h>

#include "core/systems/probe.h"
#include "core/systems/rotation_test.h"
#include "tests/support/golden_arrays.h"

namespace ropescope::test {
namespace {

class Seed003 : public ::testing::Test {
  protected:
    SafetensorsFile file_ = open_golden("seed003/cases.safetensors");
    const System& mistral_ = find_system("mistral");

    static constexpr std::int64_t kFirstPosition = 20;

    double bound(const nd::Array& x) const {
        return 3.0 * pair_length(x) *
               rounding_bound(mistral_, 16, 1e4, kFirstPosition + 6, Arithmetic::as_written)
                   .total();
    }

    SystemInput input(const nd::Array& x) const {
        SystemInput out;
        out.x = x;
        out.offset = kFirstPosition;
        return out;
    }
};

TEST_F(Seed003, MistralOnSeqHeadsChannels) {
    for (const std::string name : {"mistral_q", "mistral_k"}) {
        const nd::Array x = golden_array(file_, name);
        EXPECT_LE(largest_difference(array_of(mistral_.apply(input(x))),
                                     golden_array(file_, name + "_out")),
                  bound(x))
            << name;
    }
}

TEST_F(Seed003, MistralEqualsMetaBitForBitAndTakesFourAxes) {
    const nd::Array x = golden_array(file_, "mistral_q");
    const nd::Array y = array_of(mistral_.apply(input(x)));
    nd::Array batched = x;
    batched.shape.insert(batched.shape.begin(), 1);
    EXPECT_EQ(array_of(find_system("meta_llama").apply(input(batched))).values, y.values);
    EXPECT_EQ(array_of(mistral_.apply(input(batched))).values, y.values);
}

/// Scores of Mistral's images in exact arithmetic against q^T R_m^T R_n k and the expansion.
TEST_F(Seed003, ScoresAreTheBlockwiseExpansion) {
    const nd::Array q = golden_array(file_, "bx_q");
    const nd::Array k = golden_array(file_, "bx_k");
    const nd::Array expansion = golden_array(file_, "bx_expansion");
    const std::vector<std::int64_t> mn = to_i64(file_.at("bx_mn"));
    const auto images = [&](nd::Array x, std::int64_t position) {
        x.shape = {1, 64, 1, 16};
        return array_of(run_at_position(mistral_, x,
                                        {1e4, position, QkvRole::query, Arithmetic::real_numbers}));
    };
    for (std::size_t i = 0; i < 5; ++i) {
        const nd::Array image_q = images(q, mn[2 * i]);
        const nd::Array image_k = images(k, mn[2 * i + 1]);
        const auto largest = static_cast<double>(std::max(mn[2 * i], mn[2 * i + 1]));
        for (std::int64_t b = 0; b < 64; ++b) {
            const double score = vector_at(image_q, b).dot(vector_at(image_k, b));
            const double lengths = vector_at(q, b).norm() * vector_at(k, b).norm();
            // Angles of both sides carry |position| (ln base + 3) 2^-52, the sums 16 terms.
            const double bound = lengths * (largest * 13.0 * 4.0 + 64.0) * 0x1p-52;
            EXPECT_NEAR(score, expansion.values[i * 64 + b], bound);
        }
    }
}

}  // namespace
}  // namespace ropescope::test
