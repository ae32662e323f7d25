// What holds for every RoPE, on random specs, vectors and positions. u stands for 2^-53.
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "core/rope/rotate.h"
#include "core/rope/routes.h"
#include "core/rope/score.h"
#include "tests/support/random.h"

namespace ropescope {
namespace {

using test::Random;

constexpr int kTrials = 40;
const double kU = std::ldexp(1.0, -53);

/// A rotation of one vector in double: reduced angle 2^-51, cosine, sine, two products and a sum,
/// together below 12 u of the vector's norm_of.
const double kRotation = 12.0 * kU;

RopeSpec random_spec(Random& random) {
    const int half = static_cast<int>(random.integer(1, 64));
    return {.head_dim = 2 * half,
            .rotary_dim = 2 * static_cast<int>(random.integer(1, half)),
            .base = std::pow(10.0, random.real(0.1, 7.0)),
            .layout = random.pick<Layout>({Layout::interleaved, Layout::half_split})};
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
double norm_of(const std::vector<double>& a) {
    return std::sqrt(dot(a, a));
}

double distance_of(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return std::sqrt(sum);
}

std::int64_t random_position(Random& random) {
    return random.integer(-kMaxPosition / 2, kMaxPosition / 2);
}

TEST(RopeProperty, ThreeRoutesAgree) {
    Random random;
    SCOPED_TRACE(random.trace());
    for (int trial = 0; trial < kTrials; ++trial) {
        const RopeSpec spec = random_spec(random);
        const std::vector<double> x = random.normal(spec.head_dim);
        const std::int64_t m = random_position(random);
        const std::vector<double> y = rotate_by_complex(spec, x, m);
        EXPECT_LE(distance_of(y, rotate_by_matrix(spec, x, m)), 2 * kRotation * norm_of(x));
        EXPECT_LE(distance_of(y, rotate_by_elements(spec, x, m)), 2 * kRotation * norm_of(x));
    }
}

TEST(RopeProperty, RotationKeepsTheNorm) {
    Random random;
    SCOPED_TRACE(random.trace());
    for (int trial = 0; trial < kTrials; ++trial) {
        const RopeSpec spec = random_spec(random);
        const std::vector<double> x = random.normal(spec.head_dim);
        const std::vector<double> y = rotate_by_elements(spec, x, random_position(random));
        // Each norm_of adds up head_dim squares: head_dim u at most.
        EXPECT_NEAR(norm_of(y), norm_of(x),
                    (kRotation + 2 * to_double(spec.head_dim) * kU) * norm_of(x));
    }
}

TEST(RopeProperty, RotationsCompose) {
    Random random;
    SCOPED_TRACE(random.trace());
    for (int trial = 0; trial < kTrials; ++trial) {
        const RopeSpec spec = random_spec(random);
        const std::vector<double> x = random.normal(spec.head_dim);
        const std::int64_t a = random_position(random);
        const std::int64_t b = random_position(random);
        const std::vector<double> twice = rotate_by_complex(spec, rotate_by_complex(spec, x, a), b);
        EXPECT_LE(distance_of(twice, rotate_by_complex(spec, x, a + b)),
                  3 * kRotation * norm_of(x));
        const std::vector<double> back = rotate_by_complex(spec, rotate_by_complex(spec, x, a), -a);
        EXPECT_LE(distance_of(back, x), 2 * kRotation * norm_of(x));
    }
}

TEST(RopeProperty, RotationIsLinear) {
    Random random;
    SCOPED_TRACE(random.trace());
    for (int trial = 0; trial < kTrials; ++trial) {
        const RopeSpec spec = random_spec(random);
        const std::vector<double> x = random.normal(spec.head_dim);
        const std::vector<double> y = random.normal(spec.head_dim);
        const double s = random.real(-3.0, 3.0);
        std::vector<double> sum(x.size());
        for (std::size_t c = 0; c < x.size(); ++c) {
            sum[c] = s * x[c] + y[c];
        }
        const std::int64_t m = random_position(random);
        const std::vector<double> rotated_x = rotate_by_matrix(spec, x, m);
        std::vector<double> expected = rotate_by_matrix(spec, y, m);
        for (std::size_t c = 0; c < x.size(); ++c) {
            expected[c] += s * rotated_x[c];
        }
        const double scale = std::abs(s) * norm_of(x) + norm_of(y);
        EXPECT_LE(distance_of(rotate_by_matrix(spec, sum, m), expected), 2 * kRotation * scale);
    }
}

TEST(RopeProperty, ScoresDependOnTheDistanceAlone) {
    Random random;
    SCOPED_TRACE(random.trace());
    for (int trial = 0; trial < kTrials; ++trial) {
        const RopeSpec spec = random_spec(random);
        const std::vector<double> q = random.normal(spec.head_dim);
        const std::vector<double> k = random.normal(spec.head_dim);
        const std::int64_t m = random_position(random);
        const std::int64_t n = random_position(random);
        const std::int64_t shift = random_position(random);
        const auto score = [&](std::int64_t at_m, std::int64_t at_n) {
            return dot(rotate_by_complex(spec, q, at_m), rotate_by_complex(spec, k, at_n));
        };
        // Two rotations and a sum of head_dim products on either side.
        const double bound =
            2 * (2 * kRotation + to_double(spec.head_dim) * kU) * norm_of(q) * norm_of(k);
        EXPECT_NEAR(score(m + shift, n + shift), score(m, n), bound);

        const double root = std::sqrt(to_double(spec.head_dim));
        const double from_terms = score_logits(spec, make_spectrum(spec), pair_terms(spec, q, k),
                                               pass_through_term(spec, q, k), n - m);
        EXPECT_NEAR(from_terms * root, score(m, n), bound) << "block-wise terms";
    }
}

TEST(RopeProperty, LayoutsAreAPermutationApart) {
    Random random;
    SCOPED_TRACE(random.trace());
    for (int trial = 0; trial < kTrials; ++trial) {
        const RopeSpec spec = random_spec(random);
        const std::int64_t positions = random.integer(1, 40);
        const RotationTable table =
            make_rotation_table(make_spectrum(spec), random_position(random), positions);
        const std::vector<float> x = random.normal<float>(3 * positions * spec.head_dim);
        const std::vector<Index> to_half = layout_permutation(
            Layout::interleaved, Layout::half_split, spec.head_dim, spec.rotary_dim);
        const auto rotated = [&](std::vector<float> values, Layout layout) {
            rotate_in_place(bhld_view(values.data(), 1, 3, positions, spec.head_dim), table.view(),
                            {layout, Direction::forward, {}, 0});
            return values;
        };
        std::vector<float> permuted(x.size());
        permute_channels<float>(x, permuted, to_half);
        std::vector<float> expected(x.size());
        permute_channels<float>(rotated(x, Layout::interleaved), expected, to_half);
        EXPECT_EQ(rotated(permuted, Layout::half_split), expected) << "bit for bit";
    }
}

TEST(RopeProperty, TheEngineFollowsTheRoutesOnAnyTensor) {
    Random random;
    SCOPED_TRACE(random.trace());
    for (int trial = 0; trial < kTrials; ++trial) {
        const RopeSpec spec = random_spec(random);
        const std::int64_t heads = random.integer(1, 3);
        const std::int64_t positions = random.integer(1, 150);
        const std::int64_t first = random_position(random);
        const RotationTable table = make_rotation_table(make_spectrum(spec), first, positions);
        const std::vector<float> x = random.normal<float>(heads * positions * spec.head_dim);
        std::vector<float> y = x;
        const bool adjoining = random.integer(0, 1) == 1;
        const auto view = [&](float* data) {
            return adjoining ? blhd_view(data, 1, positions, heads, spec.head_dim)
                             : bhld_view(data, 1, heads, positions, spec.head_dim);
        };
        rotate_in_place(
            view(y.data()), table.view(),
            {spec.layout, Direction::forward, {}, static_cast<int>(random.integer(1, 4))});
        const std::int64_t h = random.integer(0, heads - 1);
        const std::int64_t l = random.integer(0, positions - 1);
        const float* from = view(const_cast<float*>(x.data())).row(0, h, l);
        const float* to = view(y.data()).row(0, h, l);
        const std::vector<double> head(from, from + spec.head_dim);
        const std::vector<double> expected = rotate_by_complex(spec, head, first + l);
        // Table 2^-25, products and sum 2^-24 each, of |x| + |y| <= sqrt(2) |(x, y)| in a pair;
        // over both channels and all pairs at most twice that of the norm_of. The angle, 2^20 u, is
        // 1e-10.
        EXPECT_LE(distance_of({to, to + spec.head_dim}, expected),
                  2 * 2.5 * std::ldexp(1.0, -24) * norm_of(head));
    }
}

TEST(RopeProperty, ChannelsPastTheRotaryOnesKeepTheirBits) {
    Random random;
    SCOPED_TRACE(random.trace());
    for (int trial = 0; trial < kTrials; ++trial) {
        RopeSpec spec = random_spec(random);
        spec.head_dim += 2 * static_cast<int>(random.integer(1, 20));
        const std::int64_t positions = random.integer(1, 20);
        const auto head_dim = spec.head_dim;
        const auto rotary_dim = spec.rotary_dim;
        // Any bits at all: infinities, NaN with payloads, subnormal numbers.
        std::vector<float> x(positions * head_dim);
        for (float& value : x) {
            const auto bits = static_cast<std::uint32_t>(random.integer(0, UINT32_MAX));
            std::memcpy(&value, &bits, sizeof(value));
        }
        const RotationTable table = make_rotation_table(make_spectrum(spec), 5, positions);
        const RotateOptions options = {spec.layout, Direction::forward, {}, 1};
        std::vector<float> in_place = x;
        std::vector<float> out(x.size());
        rotate_in_place(bhld_view(in_place.data(), 1, 1, positions, spec.head_dim), table.view(),
                        options);
        rotate(bhld_view<const float>(x.data(), 1, 1, positions, spec.head_dim),
               bhld_view(out.data(), 1, 1, positions, spec.head_dim), table.view(), options);
        for (std::size_t row = 0; row < x.size(); row += head_dim) {
            const std::size_t at = row + rotary_dim;
            const std::size_t size = (head_dim - rotary_dim) * sizeof(float);
            EXPECT_EQ(std::memcmp(&in_place[at], &x[at], size), 0);
            EXPECT_EQ(std::memcmp(&out[at], &x[at], size), 0);
        }
    }
}

TEST(RopeProperty, TableEntriesAreWithinTheirBound) {
    Random random;
    SCOPED_TRACE(random.trace());
    for (int trial = 0; trial < kTrials; ++trial) {
        const RopeSpec spec = random_spec(random);
        const Spectrum spectrum = make_spectrum(spec);
        std::vector<std::int64_t> positions;
        for (int i = 0; i < 20; ++i) {
            positions.push_back(random.integer(-kMaxPosition, kMaxPosition));
        }
        const RotationTable table = make_rotation_table(spectrum, positions);
        for (std::size_t r = 0; r < positions.size(); ++r) {
            for (std::size_t i = 0; i < spectrum.inv_freq_rad.size(); ++i) {
                // The C library reduces the product exactly; its rounding is |m| inv_freq u, our
                // table's own error 45 u, and that of fp32 2^-25.
                const double angle = to_double(positions[r]) * spectrum.inv_freq_rad[i];
                const double bound = std::ldexp(1.0, -25) + (std::abs(angle) + 45.0) * kU;
                const std::size_t at = r * spectrum.inv_freq_rad.size() + i;
                ASSERT_NEAR(table.cos[at], std::cos(angle), bound) << "position " << positions[r];
                ASSERT_NEAR(table.sin[at], std::sin(angle), bound) << "position " << positions[r];
            }
        }
    }
}

}  // namespace
}  // namespace ropescope
