// Rotations of seed document 001 in float64 (tests/golden/ORIGIN.md), against every route of ours.
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/formats/safetensors.h"
#include "core/rope/rotate.h"
#include "core/rope/routes.h"
#include "tests/support/paths.h"

namespace ropescope {
namespace {

struct RotateCase {
    const char* file;
    int head_dim;
    double base;
    std::int64_t first_position;
};

class Seed001Rotate : public ::testing::TestWithParam<RotateCase> {
  protected:
    RopeSpec spec(Layout layout) const {
        return {GetParam().head_dim, GetParam().head_dim, GetParam().base, layout};
    }
    SafetensorsFile file() const {
        return SafetensorsFile::open((test::source_dir() + "/tests/golden/seed001/") +
                                     GetParam().file + ".safetensors");
    }
};

constexpr Layout kLayouts[] = {Layout::interleaved, Layout::half_split};

std::string truth_name(Layout layout, const std::string& tensor) {
    return (layout == Layout::interleaved ? "f64_interleaved_" : "f64_half_") + tensor;
}

/// For every channel the sum of the magnitudes of its pair: what the errors scale with.
std::vector<double> pair_magnitudes(const RopeSpec& spec, const std::vector<double>& x) {
    std::vector<double> sums(x.size());
    for (std::size_t head = 0; head < x.size(); head += spec.head_dim) {
        for (int i = 0; i < spec.pairs(); ++i) {
            const ChannelPair pair = pair_channels(spec.layout, spec.rotary_dim, i);
            const std::size_t a = head + pair.first;
            const std::size_t b = head + pair.second;
            sums[a] = sums[b] = std::abs(x[a]) + std::abs(x[b]);
        }
    }
    return sums;
}

// x' = x c - y s in fp32: the entry of the table is off by 2^-25, each product and the sum are
// rounded by 2^-24 of themselves, together at most 2.5 * 2^-24 (|x| + |y|). The angles, off by less
// than 1e-9, do not show.
TEST_P(Seed001Rotate, TheEngineIsWithinItsBoundOfFloat64) {
    const SafetensorsFile golden = file();
    for (const Layout layout : kLayouts) {
        for (const std::string tensor : {"q", "k"}) {
            const TensorBytes* input = golden.find(tensor);
            if (input == nullptr) {
                continue;  // the excerpts have q alone
            }
            const auto& shape = input->shape;
            std::vector<float> y = to_f32(*input);
            const RotationTable table = make_rotation_table(make_spectrum(spec(layout)),
                                                            GetParam().first_position, shape[2]);
            rotate_in_place(bhld_view(y.data(), shape[0], shape[1], shape[2], shape[3]),
                            table.view(), {layout, Direction::forward, {}, 0});
            const std::vector<double> truth = to_f64(golden.at(truth_name(layout, tensor)));
            const std::vector<double> magnitude = pair_magnitudes(spec(layout), to_f64(*input));
            ASSERT_EQ(y.size(), truth.size());
            for (std::size_t i = 0; i < y.size(); ++i) {
                ASSERT_NEAR(y[i], truth[i], 2.5 / (1 << 24) * magnitude[i] + 1e-9)
                    << tensor << " " << to_string(layout) << " value " << i;
            }
        }
    }
}

// Both sides form m * inv_freq with inv_freq off by at most 4 units of 2^-53 and then round a few
// times: (8 m + 16) 2^-53 of the pair's magnitude.
TEST_P(Seed001Rotate, TheRoutesAreFloat64) {
    const SafetensorsFile golden = file();
    const std::vector<double> x = to_f64(golden.at("q"));
    const auto& shape = golden.at("q").shape;
    const auto head_dim = GetParam().head_dim;
    for (const Layout layout : kLayouts) {
        const std::vector<double> truth = to_f64(golden.at(truth_name(layout, "q")));
        const std::vector<double> magnitude = pair_magnitudes(spec(layout), x);
        using Route =
            std::vector<double> (*)(const RopeSpec&, std::span<const double>, std::int64_t);
        for (const Route route :
             {Route{rotate_by_complex}, Route{rotate_by_matrix}, Route{rotate_by_elements}}) {
            for (std::size_t head = 0; head < x.size(); head += head_dim) {
                const std::int64_t m = GetParam().first_position +
                                       static_cast<std::int64_t>(head / head_dim) % shape[2];
                const std::vector<double> y =
                    route(spec(layout), std::span(x).subspan(head, head_dim), m);
                for (Index c = 0; c < head_dim; ++c) {
                    const double bound = std::ldexp(8.0 * to_double(m) + 16.0, -53);
                    ASSERT_NEAR(y[c], truth[head + c], bound * magnitude[head + c])
                        << to_string(layout) << " position " << m << " channel " << c;
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Files, Seed001Rotate,
                         ::testing::Values(RotateCase{"d2_s4_b10000_o0", 2, 1e4, 0},
                                           RotateCase{"d4_s5_b10000_o0", 4, 1e4, 0},
                                           RotateCase{"d6_s5_b10000_o3", 6, 1e4, 3},
                                           RotateCase{"d8_s16_b10000_o0", 8, 1e4, 0},
                                           RotateCase{"d8_s16_b1000000_o0", 8, 1e6, 0},
                                           RotateCase{"d128_s6_b10000_o2000", 128, 1e4, 2000},
                                           RotateCase{"d128_s6_b500000_o0", 128, 5e5, 0}),
                         [](const auto& tested) { return std::string(tested.param.file); });

}  // namespace
}  // namespace ropescope
