// Every system against the float64 rotation of core/rope, and the properties of the broken ones,
// over many head_dims, bases and offsets.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <ostream>

#include "core/rope/routes.h"
#include "core/systems/equivalence.h"
#include "core/systems/probe.h"
#include "core/systems/properties.h"
#include "core/systems/rotation_test.h"
#include "tests/support/golden_arrays.h"

namespace ropescope::test {
namespace {

constexpr std::int64_t kHeadDims[] = {2, 4, 6, 8, 10, 64, 96, 128, 192};
constexpr double kBases[] = {1e4, 5e5, 1e6};
constexpr std::int64_t kOffsets[] = {0, 3, 2000, 100000};

struct Rotating {
    const char* id;
    Layout layout;
};
void PrintTo(const Rotating& rotating, std::ostream* out) {
    *out << rotating.id;
}
constexpr Rotating kRotating[] = {
    {"notebook_bf16", Layout::interleaved},
    {"notebook_fp32", Layout::interleaved},
    {"meta_llama", Layout::interleaved},
    {"hf_roformer", Layout::interleaved},
    {"mistral", Layout::interleaved},
    {"hf_llama_offset", Layout::half_split},
    {"hf_llama_position_ids", Layout::half_split},
    {"strided_llama_repaired", Layout::half_split},
    {"keras_intended", Layout::half_split},
};

class RotatingSystem : public ::testing::TestWithParam<Rotating> {};

TEST_P(RotatingSystem, IsTheRotationWithinItsRounding) {
    const System& system = find_system(GetParam().id);
    std::uint64_t seed = 7000;
    for (const std::int64_t d : kHeadDims) {
        for (const double wanted : kBases) {
            for (const std::int64_t offset : kOffsets) {
                const double base = system.base(wanted);
                const nd::Array x = probe_vectors(++seed, 2, 2, 2, d);
                const nd::Array y = array_of(run_bhld(system, x, {wanted, offset}));
                const RopeSpec spec{static_cast<int>(d), static_cast<int>(d), base,
                                    GetParam().layout};
                double worst = 0.0;
                for (std::int64_t i = 0; i < 8; ++i) {
                    const Eigen::VectorXd head = vector_at(x, i);
                    const std::vector<double> truth = rotate_by_complex(
                        spec, {head.data(), static_cast<std::size_t>(d)}, offset + i % 2);
                    const Eigen::Map<const Eigen::VectorXd> exact(truth.data(), d);
                    worst = std::max(worst, (vector_at(y, i) - exact).norm() / head.norm());
                }
                const double bound =
                    rounding_bound(system, d, base, offset + 1, Arithmetic::as_written).total();
                ASSERT_LE(worst, bound) << "head_dim " << d << " base " << base << " offset "
                                        << offset << " seed " << seed;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Documents, RotatingSystem, ::testing::ValuesIn(kRotating),
                         [](const auto& each) { return each.param.id; });

/// Where each basis vector goes besides its own channel, at position 1 (no angle is zero there).
struct Pairing {
    std::vector<Index> partner;     ///< the other channel it reaches most; -1: none
    std::vector<Index> sign;        ///< of the entry there: +1 for the first channel of a pair
    std::vector<double> angle_rad;  ///< atan2(entry there, entry on the diagonal)
    bool mutual = false;  ///< every channel reaches exactly one other, which reaches it back
};
Pairing find_pairing(const System& system, std::int64_t head_dim, double base) {
    constexpr double kRounding = 1e-12;  // the smallest sine that matters is 1e-6
    const Eigen::MatrixXd matrix = operator_at(system, head_dim, base, 1).matrix;
    Pairing out{std::vector<Index>(head_dim, -1), std::vector<Index>(head_dim, 0),
                std::vector<double>(head_dim, 0.0), true};
    for (Index c = 0; c < head_dim; ++c) {
        Eigen::VectorXd others = matrix.col(c).cwiseAbs();
        others[c] = 0.0;
        Index reached = 0;
        if (others.maxCoeff(&reached) > kRounding) {
            out.partner[c] = reached;
            out.sign[c] = matrix(reached, c) > 0.0 ? 1 : -1;
            out.angle_rad[c] = std::atan2(matrix(reached, c), matrix(c, c));
        }
        out.mutual = out.mutual && (others.array() > kRounding).count() == 1;
    }
    for (Index c = 0; out.mutual && c < head_dim; ++c) {
        out.mutual = out.partner[out.partner[c]] == c;
    }
    return out;
}

TEST_P(RotatingSystem, PairsTheChannelsOfItsLayout) {
    const System& system = find_system(GetParam().id);
    for (const std::int64_t d : kHeadDims) {
        const Pairing pairing = find_pairing(system, d, 1e4);
        EXPECT_TRUE(pairing.mutual) << d;
        for (int pair = 0; pair < d / 2; ++pair) {
            const ChannelPair channels =
                pair_channels(GetParam().layout, static_cast<int>(d), pair);
            const auto first = static_cast<std::size_t>(channels.first);
            EXPECT_EQ(pairing.partner[first], channels.second);
            EXPECT_EQ(pairing.sign[first], 1);
            EXPECT_EQ(pairing.sign[static_cast<std::size_t>(channels.second)], -1);
            const double theta = std::pow(1e4, -2.0 * pair / static_cast<double>(d));
            EXPECT_NEAR(pairing.angle_rad[first], theta, 1e-14);
        }
    }
}

TEST(StridedLlama, IsNoRotationBeyondTwoChannels) {
    const System& broken = find_system("strided_llama_as_written");
    const System& repaired = find_system("strided_llama_repaired");
    for (const std::int64_t d : kHeadDims) {
        NormRange range;
        NormRange repaired_range;
        for (const std::int64_t position : {1, 2, 3, 10, 100, 1000, 4095}) {
            range.include(norm_ratio(broken, d, 1e4, position));
            repaired_range.include(norm_ratio(repaired, d, 1e4, position));
        }
        const double rounding = 4.0 * 0x1p-24;  // table and products, whatever the angle
        EXPECT_LE(repaired_range.change(), rounding);
        const double violation = relative_violation(broken, d, 1e4, 5, 2, 100);
        if (d == 2) {
            EXPECT_LE(range.change(), rounding);
        } else {
            EXPECT_GT(range.change(), 0.05) << d;
            EXPECT_LT(range.highest, std::sqrt(2.0) * (1 + rounding)) << d;
            EXPECT_GT(violation, 0.05) << d;
            EXPECT_FALSE(find_pairing(broken, d, 1e4).mutual) << d;
        }
    }
}

/// A bf16 table keeps the relative property to 2^-8 only; fp32 tables to their angles' rounding.
TEST(Properties, RelativeViolationAgainstShift) {
    for (const std::int64_t shift : {1, 900, 50000}) {
        const auto bound = [shift](const char* id) {
            return 4.0 *
                   rounding_bound(find_system(id), 192, 1e6, shift + 7, Arithmetic::as_written)
                       .total();
        };
        const double bf16 = relative_violation(find_system("notebook_bf16"), 192, 1e6, 7, 3, shift);
        const double fp32 = relative_violation(find_system("notebook_fp32"), 192, 1e6, 7, 3, shift);
        EXPECT_LE(bf16, bound("notebook_bf16"));
        EXPECT_LE(fp32, bound("notebook_fp32"));
        if (shift < 10000) {
            EXPECT_GT(bf16, 20.0 * fp32) << shift;
        }
    }
}

TEST(Properties, ScoresOfTheKerasLayerCarryNoPosition) {
    for (const std::int64_t d : {2, 8, 64}) {
        EXPECT_GT(position_response(find_system("keras_intended"), d, 1e4), 0.05);
        EXPECT_LE(position_response(find_system("keras_as_written"), d, 1e4), 8.0 * 0x1p-24);
    }
}

TEST(Properties, SingularValuesOfRotationsAreOne) {
    for (const Rotating& rotating : kRotating) {
        const System& system = find_system(rotating.id);
        const std::vector<double> values = singular_values(system, 64, 1e4, 1234);
        EXPECT_NEAR(values.front(), 1.0, 1e-13) << system.id;
        EXPECT_NEAR(values.back(), 1.0, 1e-13) << system.id;
    }
}

/// The shift map of the walk through Llama: p_{i + delta} = R p_i on every (sin, cos) pair.
TEST(Properties, SinusoidalTableShiftsLinearly) {
    const System& d2l = find_system("d2l_sinusoidal");
    const auto row = [&](std::int64_t position) {
        return operator_at(d2l, 32, 1e4, position).image_of_zero;
    };
    const std::int64_t delta = 37;
    for (const std::int64_t position : {0, 5, 1000}) {
        const Eigen::VectorXd here = row(position);
        const Eigen::VectorXd there = row(position + delta);
        for (int j = 0; j < 16; ++j) {
            const double angle = static_cast<double>(delta) * std::pow(1e4, -2.0 * j / 32.0);
            EXPECT_NEAR(there[2 * j],
                        std::cos(angle) * here[2 * j] + std::sin(angle) * here[2 * j + 1], 1e-12);
            EXPECT_NEAR(there[2 * j + 1],
                        -std::sin(angle) * here[2 * j] + std::cos(angle) * here[2 * j + 1], 1e-12);
        }
    }
}

}  // namespace
}  // namespace ropescope::test
