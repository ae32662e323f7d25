// What each dtype costs, against PyTorch and NumPy: bits of the stored tables, the largest error of
// cos and sin, and how much a score changes when both positions move.
#include "core/analysis/precision.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/analysis/turns.h"
#include "tests/support/golden_arrays.h"

namespace ropescope::test {
namespace {

using F = NumberFormat;

/// PyTorch's cos and sin in fp32 are within one unit of 2^-24, the table here within half of one.
constexpr double kTorchUnit = 1.5 * 0x1p-24;

SafetensorsFile tables() {
    return open_golden("precision/tables_d128_b10000.safetensors");
}

/// PyTorch's fp32 inv_freq, which its pow makes up to 1.2 units off.
Spectrum torch_spectrum() {
    const SafetensorsFile file = tables();
    return {.inv_freq_rad = to_f64(file.at("inv_freq_f32"))};
}

PrecisionChain chain_of(F position, F inv_freq, F angle, F evaluated, F stored) {
    return {.id = "test",
            .title = "test",
            .where = "",
            .position = position,
            .inv_freq = inv_freq,
            .angle = angle,
            .evaluated = evaluated,
            .stored = stored};
}

TEST(GoldenPrecision, StoredTablesBitForBit) {
    const SafetensorsFile file = tables();
    const std::vector<std::int64_t> positions = to_i64(file.at("positions"));
    const Spectrum spectrum = make_spectrum({});
    for (const auto& [id, bits] : {std::pair{"fp16_table", "fp16"}, {"bf16_table", "bf16"}}) {
        const auto cos = to_f64(file.at(std::string("cos_") + bits + "_of_exact"));
        const auto sin = to_f64(file.at(std::string("sin_") + bits + "_of_exact"));
        ChainRow row;
        for (std::size_t p = 0; p < positions.size(); ++p) {
            fill_chain_row(precision_chain(id), spectrum, positions[p], row);
            for (std::size_t i = 0; i < row.cos.size(); ++i) {
                EXPECT_EQ(row.cos[i], cos[p * 64 + i]) << bits << " " << positions[p] << " " << i;
                EXPECT_EQ(row.sin[i], sin[p * 64 + i]) << bits << " " << positions[p] << " " << i;
            }
        }
    }
}

TEST(GoldenPrecision, Fp32AnglesOfPyTorch) {
    const SafetensorsFile file = tables();
    const std::vector<std::int64_t> positions = to_i64(file.at("positions"));
    const std::vector<double> cos = to_f64(file.at("cos_f32_torch"));
    const std::vector<double> sin = to_f64(file.at("sin_f32_torch"));
    ChainRow row;
    for (std::size_t p = 0; p < positions.size(); ++p) {
        fill_chain_row(precision_chain("fp32_angle"), torch_spectrum(), positions[p], row);
        for (std::size_t i = 0; i < row.cos.size(); ++i) {
            EXPECT_NEAR(row.cos[i], cos[p * 64 + i], kTorchUnit) << positions[p] << " " << i;
            EXPECT_NEAR(row.sin[i], sin[p * 64 + i], kTorchUnit) << positions[p] << " " << i;
        }
    }
}

struct LargestError {
    const char* name;
    PrecisionChain chain;
    bool torch_inv_freq;
    double below_2048, below_8192;
};

TEST(GoldenPrecision, LargestErrors) {
    const Spectrum truth = make_spectrum({}), torch = torch_spectrum();
    const LargestError cases[] = {
        {"fp32 throughout", chain_of(F::fp32, F::fp32, F::fp32, F::fp32, F::fp32), true,
         0.00011542803788272549, 0.00048352636794325027},
        {"fp32 inv_freq", chain_of(F::fp64, F::fp32, F::fp64, F::fp64, F::fp64), true,
         6.0540823225624374e-05, 0.0002431163301979105},
        {"fp32 angle", chain_of(F::fp64, F::fp64, F::fp32, F::fp64, F::fp64), false,
         6.0265115989555085e-05, 0.0002435062131691812},
        {"fp32 table", precision_chain("fp32_table"), false, 2.980192415069638e-08,
         2.9802280088198074e-08},
        {"fp16 table", precision_chain("fp16_table"), false, 0.0002441655542660959,
         0.00024416989570241743},
        {"bf16 table", precision_chain("bf16_table"), false, 0.0019531402031920386,
         0.0019531538234659473},
        {"fp32 throughout, bf16 table", chain_of(F::fp32, F::fp32, F::fp32, F::fp32, F::bf16), true,
         0.0019864508752746035, 0.0022282558209870684},
        {"bf16 positions", precision_chain("bf16_positions"), true, 1.994955659958753,
         1.9998932185668348},
        {"bf16 inv_freq", precision_chain("bf16_inv_freq"), false, 1.895686889522327,
         1.9999986507349763},
        {"all bf16", chain_of(F::bf16, F::bf16, F::bf16, F::fp32, F::bf16), false,
         1.9999309189413776, 1.9999994805077146},
        {"bf16 angle", chain_of(F::fp64, F::fp64, F::bf16, F::fp32, F::fp32), false,
         1.999773005207425, 1.999975099000549},
    };
    for (const LargestError& expected : cases) {
        double largest = 0;
        ChainRow row;
        Turn exact;
        for (std::int64_t position = 0; position < 8192; ++position) {
            fill_chain_row(expected.chain, expected.torch_inv_freq ? torch : truth, position, row);
            fill_turn(truth, position, exact);
            for (std::size_t i = 0; i < row.cos.size(); ++i) {
                largest = std::max({largest, std::abs(row.cos[i] - exact.cos[i]),
                                    std::abs(row.sin[i] - exact.sin[i])});
            }
            if (position == 2047) {
                EXPECT_NEAR(largest, expected.below_2048, kTorchUnit) << expected.name;
            }
        }
        EXPECT_NEAR(largest, expected.below_8192, kTorchUnit) << expected.name;
    }
}

/// The largest |q_{d+p} . k_p - q_d . k_0| / (|q| |k|) over 128 q, k (half-split) and the distances
/// d of the reference.
double largest_change(const PrecisionChain& chain, const Spectrum& spectrum, std::int64_t p) {
    const SafetensorsFile file = open_golden("precision/qk.safetensors");
    const std::vector<double> q = to_f64(file.at("q"));
    const std::vector<double> k = to_f64(file.at("k"));
    double largest = 0;
    for (const std::int64_t d : {0, 1, 5, 64, 1000}) {
        ChainRow rows[4];
        const std::int64_t positions[4] = {d, 0, d + p, p};
        for (int i = 0; i < 4; ++i) {
            fill_chain_row(chain, spectrum, positions[i], rows[i]);
        }
        for (std::size_t head = 0; head < 128; ++head) {
            const double* x = q.data() + head * 128;
            const double* y = k.data() + head * 128;
            double change = 0, xx = 0, yy = 0;
            for (std::size_t i = 0; i < 64; ++i) {
                const auto re = [&](int a, int b) {
                    return rows[a].cos[i] * rows[b].cos[i] + rows[a].sin[i] * rows[b].sin[i];
                };
                const auto im = [&](int a, int b) {
                    return rows[a].cos[i] * rows[b].sin[i] - rows[a].sin[i] * rows[b].cos[i];
                };
                change += (x[i] * y[i] + x[i + 64] * y[i + 64]) * (re(2, 3) - re(0, 1)) +
                          (x[i + 64] * y[i] - x[i] * y[i + 64]) * (im(2, 3) - im(0, 1));
                xx += x[i] * x[i] + x[i + 64] * x[i + 64];
                yy += y[i] * y[i] + y[i + 64] * y[i + 64];
            }
            largest = std::max(largest, std::abs(change) / std::sqrt(xx * yy));
        }
    }
    return largest;
}

TEST(GoldenPrecision, ScoresThatStopBeingRelative) {
    const Spectrum truth = make_spectrum({}), torch = torch_spectrum();
    const auto expect = [&](const char* id, const Spectrum& spectrum, std::int64_t p,
                            double expected) {
        EXPECT_NEAR(largest_change(precision_chain(id), spectrum, p), expected, kTorchUnit)
            << id << " moved by " << p;
    };
    expect("fp32_angle", torch, 1000, 2.651491275974588e-06);
    expect("fp32_angle", torch, 100000, 0.00022184972739974104);
    expect("fp16_table", truth, 100, 6.901149482568357e-05);
    expect("bf16_table", truth, 10000, 0.0006229796155143393);
    expect("bf16_positions", torch, 1, 0.06700328204702946);
    expect("bf16_positions", torch, 100000, 0.20470540234492426);
    expect("bf16_inv_freq", truth, 100000, 0.0001323135196327412);
}

}  // namespace
}  // namespace ropescope::test
