// Score and decay curves of the GPU engine against the processor's; `check` holds both to long
// double.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "tests/gpu/gpu_context.h"
#include "tests/support/random.h"

namespace ropescope::test {
namespace {

class GpuPairCurves : public GpuTest {};

std::vector<double> random_weights(std::mt19937_64& random, Index pairs) {
    std::vector<double> weights(pairs);
    for (double& weight : weights) {
        weight = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
    }
    return weights;
}

/// Both are within pair_curves_error() of the truth.
void expect_same(const PairCurves& a, const PairCurves& b, const PairWeights& weights) {
    const PairCurvesError error = pair_curves_error(weights);
    ASSERT_EQ(a.even.size(), b.even.size());
    ASSERT_EQ(a.odd.size(), b.odd.size());
    ASSERT_EQ(a.moduli.size(), b.moduli.size());
    for (std::size_t i = 0; i < a.even.size(); ++i) {
        ASSERT_NEAR(a.even[i], b.even[i], 2 * error.component) << "distance " << i;
        ASSERT_NEAR(a.odd[i], b.odd[i], 2 * error.component) << "distance " << i;
        ASSERT_NEAR(a.moduli[i], b.moduli[i], 2 * error.moduli) << "distance " << i;
    }
}

TEST_F(GpuPairCurves, AreTheProcessorsAtEveryWidthAndLength) {
    const auto cpu = make_cpu_engine(1);
    std::mt19937_64 random(92);
    for (const int head_dim : {2, 6, 64, 256}) {
        const Spectrum spectrum = make_spectrum({head_dim, head_dim, 10000.0, Layout::interleaved});
        const auto a = random_weights(random, spectrum.pairs());
        const auto b = random_weights(random, spectrum.pairs());
        for (const std::int64_t count : {1, 3, 65, 601}) {
            std::vector<std::int64_t> distances(count);
            std::iota(distances.begin(), distances.end(), kMaxPosition - count + 1);
            expect_same(engine().pair_curves(spectrum, distances, {a, b}),
                        cpu->pair_curves(spectrum, distances, {a, b}), {a, b});
            for (std::int64_t& distance : distances) {
                distance = static_cast<std::int64_t>(random() >> 43) - kMaxPosition;
            }
            expect_same(engine().pair_curves(spectrum, distances, {a, b}),
                        cpu->pair_curves(spectrum, distances, {a, b}), {a, b});
        }
    }
}

/// pair_curves_error() counts on a square root within 4 units of 2^-53. GLSL promises a double's no
/// more than a float's (GLSL 4.30, section 4.7.1), so it is measured: with one pair and no sine the
/// modulus is the square root of the square of `even`, whose rounding is half a unit of it.
TEST_F(GpuPairCurves, TheDevicesSquareRootIsWithinFourUnits) {
    const Spectrum spectrum = make_spectrum({2, 2, 10000.0, Layout::interleaved});
    std::vector<std::int64_t> distances(4096);
    std::iota(distances.begin(), distances.end(), 1);
    const std::vector<double> none = {0.0};
    for (const double scale : {1.0, 3.0, 0x1p-101, 0x1.8p90}) {  // even and odd exponents
        const std::vector<double> weight = {scale};
        const PairCurves curves = engine().pair_curves(spectrum, distances, {weight, none});
        for (std::size_t i = 0; i < distances.size(); ++i) {
            const double expected = std::abs(curves.even[i]);
            ASSERT_NEAR(curves.moduli[i], expected, 4.5 * 0x1p-53 * expected)
                << "scale " << scale << ", distance " << distances[i];
        }
    }
}

TEST_F(GpuPairCurves, OfNoDistanceAndBeyondTheLastPosition) {
    const Spectrum spectrum = make_spectrum({8, 8, 10000.0, Layout::interleaved});
    const std::vector<double> ones(4, 1.0);
    EXPECT_TRUE(engine().pair_curves(spectrum, {}, {ones, ones}).even.empty());
    const std::vector<std::int64_t> beyond = {kMaxPosition + 1};
    EXPECT_THROW(engine().pair_curves(spectrum, beyond, {ones, ones}), InputError);
    EXPECT_THROW(make_cpu_engine(1)->pair_curves(spectrum, beyond, {ones, ones}), InputError);
}

TEST_F(GpuPairCurves, CarryNoAttentionFactor) {
    Spectrum spectrum = make_spectrum({8, 8, 10000.0, Layout::interleaved});
    spectrum.attention_factor = 3.0;
    const std::vector<double> ones(4, 1.0);
    const std::vector<std::int64_t> start = {0};
    const PairCurves curves = engine().pair_curves(spectrum, start, {ones, ones});
    EXPECT_EQ(curves.even[0], 4.0);
    EXPECT_EQ(curves.odd[0], 0.0);
    EXPECT_EQ(curves.moduli[0], 10.0);
}

}  // namespace
}  // namespace ropescope::test
