// Schemes in several axes: parts that must fit together, and the relative property in each axis.
#include "core/schemes/rotary_scheme.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/formats/schemes/scheme_facts.h"
#include "core/schemes/diffusion.h"
#include "core/schemes/multimodal_text.h"
#include "core/schemes/parts_of_heads.h"
#include "core/schemes/scaled_grids.h"
#include "core/schemes/vision_towers.h"
#include "tests/support/input_error.h"
#include "tests/support/random.h"

namespace ropescope {
namespace {

using test::input_error;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::array<Index, 3> kFlux = {16, 56, 56};
constexpr std::array<Index, 4> kFlux2 = {32, 32, 32, 32};

/// One of every function that makes a scheme.
std::vector<RotaryScheme> all_schemes(test::Random& random) {
    const RopeSpec spec{.head_dim = 128, .rotary_dim = 128, .base = 1e6};
    return {scheme_of(spec),
            multimodal_text("qwen2_vl_text", spec, {16, 24, 24}, SectionOrder::bands, {}),
            multimodal_text("qwen3_vl_text", spec, {24, 20, 20}, SectionOrder::cyclic, {}),
            multimodal_text("videorope", spec, {16, 24, 24}, SectionOrder::space_first, {}),
            qwen2_vl_vision(80),
            muse_glimmer_vision(96),
            minimax_m3_vision(80),
            sam3_vit(64),
            efficientloftr(32, 8),
            four_axes_text("hunyuan_vl_text", spec, std::array<Index, 4>{16, 16, 16, 16},
                           {.family = MultimodalFamily::hunyuan_vl}),
            pixtral(64),
            pixtral(64, 1e4, Layout::interleaved),
            llama4_vision(88),
            gemma4_vision(64),
            moonvit(72),
            sam2(256),
            ropevit_axial(64),
            ropevit_mixed(32, 3, random.normal(2 * 3 * 16)),
            timm_language({}, {.reference_rows = 16, .reference_columns = 16}),
            timm_pixels({}, {}),
            dinov3({}),
            timm_mrope({}),
            flux1(kFlux),
            flux2(kFlux2),
            qwen_image(kFlux),
            wan(128),
            hunyuan_video(kFlux),
            cogvideox(64, PatchGrid{1, 30, 45}),
            cosmos({}),
            ltx({.heads = 3}),
            ltx({.heads = 3, .layout = Layout::half_split}),
            parts_of_a_head(std::vector<Index>{32, 32}, 1e4, 128),
            parts_of_a_head(std::vector<Index>{16, 56, 56}, 256, 128),
            cogview4(40),
            allegro(96),
            minimax_h3(128, 16),
            lumina_next(72),
            hunyuan_dit(88)};
}

/// q at position p and k at position r, rotated; their product, in double from fp32.
double score(const RotaryScheme& scheme, Index head, const std::vector<float>& q,
             const std::vector<float>& k, const std::vector<double>& p,
             const std::vector<double>& r) {
    std::vector<double> values;
    for (std::size_t a = 0; a < p.size(); ++a) {
        values.insert(values.end(), {p[a], r[a]});
    }
    RotaryScheme one = scheme;
    one.heads = {scheme.heads[scheme.heads.size() > 1 ? head : 0]};
    const RotationTable table = make_rotation_table(one, {values, std::ssize(p)}, 1);
    std::vector<float> both = q;
    both.insert(both.end(), k.begin(), k.end());
    rotate_in_place(bhld_view(both.data(), 1, 1, 2, scheme.head_dim), table.view(),
                    rotate_options(one, {}));
    double sum = 0;
    for (Index c = 0; c < scheme.head_dim; ++c) {
        sum += double{both[c]} * double{both[scheme.head_dim + c]};
    }
    return sum;
}

double length(const std::vector<float>& x) {
    double sum = 0;
    for (const float value : x) {
        sum += double{value} * double{value};
    }
    return std::sqrt(sum);
}

// Each rotated vector lies within sqrt(2) (2^-25 + 2^-23) |x| (table, two products and a sum), and
// the angles of either side within 2^-49 (|omega| |position|, at most 2^14 * 64 here) of the exact
// ones: two vectors of two scores, 4 * 1.5 * 2^-23 |q| |k| and 4 * 2^-29 |q| |k|.
constexpr double kScoreBound = 4 * 1.5 * 0x1p-23 + 4 * 0x1p-29;

TEST(RotaryScheme, AScoreDependsOnTheDifferenceInEveryAxisAlone) {
    test::Random random;
    SCOPED_TRACE(random.trace());
    for (const RotaryScheme& scheme : all_schemes(random)) {
        SCOPED_TRACE(scheme.id);
        const auto q = random.normal<float>(scheme.head_dim);
        const auto k = random.normal<float>(scheme.head_dim);
        const Index axes = std::ssize(scheme.axes);
        std::vector<double> p(axes), r(axes);
        for (Index a = 0; a < axes; ++a) {
            p[a] = to_double(random.integer(-128, 128)) / 8.0;
            r[a] = to_double(random.integer(-128, 128)) / 8.0;
        }
        const Index head = std::ssize(scheme.heads) - 1;
        const double before = score(scheme, head, q, k, p, r);
        for (Index a = 0; a <= axes; ++a) {  // in each axis, then in all of them
            std::vector<double> moved_p = p, moved_r = r;
            const double by = to_double(random.integer(-256, 256)) / 8.0;
            for (Index b = a == axes ? 0 : a; b < std::min(a + 1, axes); ++b) {
                moved_p[b] += by;
                moved_r[b] += by;
            }
            EXPECT_NEAR(score(scheme, head, q, k, moved_p, moved_r), before,
                        kScoreBound * length(q) * length(k))
                << "axis " << a;
        }
    }
}

TEST(RotaryScheme, EverySchemeHasFactsAndSaysHowItIsMade) {
    test::Random random;
    for (const RotaryScheme& scheme : all_schemes(random)) {
        SCOPED_TRACE(scheme.id);
        EXPECT_NO_THROW(validate(scheme));
        EXPECT_FALSE(scheme_facts(scheme.id).source.empty());
        EXPECT_FALSE(describe_positions(scheme).empty());
        EXPECT_FALSE(describe_turning(scheme).empty());
    }
    EXPECT_THAT(input_error([] { scheme_facts("flux3"); }),
                HasSubstr("scheme: 'flux3' is not known; did you mean 'flux1'"));
}

TEST(RotaryScheme, TextOfEqualPositionsTurnsAsInOneAxisToTheBit) {
    const RopeSpec spec{.head_dim = 64, .rotary_dim = 64};
    const std::vector<double> once = {0, 1, 500, 70000};
    std::vector<double> thrice;
    for (int a = 0; a < 3; ++a) {
        thrice.insert(thrice.end(), once.begin(), once.end());
    }
    const RotationTable expected = make_rotation_table(scheme_of(spec), {once, 1}, 1);
    for (const SectionOrder order :
         {SectionOrder::bands, SectionOrder::cyclic, SectionOrder::space_first}) {
        const RotaryScheme scheme = multimodal_text("qwen2_vl_text", spec, {12, 10, 10}, order, {});
        const RotationTable table = make_rotation_table(scheme, {thrice, 3}, 1);
        EXPECT_EQ(table.cos, expected.cos);
        EXPECT_EQ(table.sin, expected.sin);
    }
}

TEST(RotaryScheme, PartsOfHeadsLieOneBelowTheOther) {
    test::Random random;
    const RotaryScheme scheme = ropevit_mixed(8, 2, random.normal(2 * 2 * 4));
    const std::vector<double> values = {1, 2, 3, 4};
    const AxisPositions positions{values, 2};
    const RotationTable both = make_rotation_table(scheme, positions, 1);
    const RotationTable second = make_rotation_table(scheme.heads[1], positions, 1);
    ASSERT_EQ(both.rows, 4);
    EXPECT_TRUE(std::equal(second.cos.begin(), second.cos.end(), both.cos.begin() + 8));
    EXPECT_TRUE(std::equal(second.sin.begin(), second.sin.end(), both.sin.begin() + 8));
    const std::vector<Index> rows = {0, 1};
    EXPECT_EQ(rotate_options(scheme, rows).rows_per_head, 2);
    EXPECT_EQ(rotate_options(sam2(8), rows).rows_per_head, 0);
}

TEST(Sections, GiveAnAxisToEveryPair) {
    EXPECT_THAT(axis_of_pairs({1, 2, 3}, SectionOrder::bands, 6), ElementsAre(0, 1, 1, 2, 2, 2));
    EXPECT_THAT(axis_of_pairs({4, 2, 1}, SectionOrder::cyclic, 7),
                ElementsAre(0, 1, 2, 0, 1, 0, 0));
    EXPECT_THAT(axis_of_pairs({4, 1, 2}, SectionOrder::cyclic, 7),
                ElementsAre(0, 1, 2, 0, 0, 2, 0));
    EXPECT_THAT(axis_of_pairs({2, 2, 2}, SectionOrder::space_first, 6),
                ElementsAre(1, 2, 1, 2, 0, 0));
}

TEST(Sections, RefuseWhatDoesNotAddUpOrSuit) {
    const auto refusal = [](const Sections& sections, SectionOrder order) {
        return input_error([&] { axis_of_pairs(sections, order, 8); });
    };
    EXPECT_THAT(refusal({2, 3, 4}, SectionOrder::bands),
                HasSubstr("mrope_section: t 2, h 3, w 4 make 9 pairs; this model turns 8"));
    EXPECT_THAT(refusal({10, -1, -1}, SectionOrder::bands), HasSubstr("t 10, h -1, w -1"));
    EXPECT_THAT(refusal({4, 3, 1}, SectionOrder::space_first), HasSubstr("take pairs by turns"));
    EXPECT_THAT(refusal({2, 4, 2}, SectionOrder::cyclic), HasSubstr("h at most 3 and w at most 2"));
    EXPECT_THAT(refusal({3, 2, 3}, SectionOrder::cyclic), HasSubstr("h at most 3 and w at most 2"));
}

TEST(RotaryScheme, RefusesWhatDoesNotFit) {
    EXPECT_THAT(input_error([] { moonvit(70); }),
                HasSubstr("head_dim: 70 does not fit moonvit; give a multiple of 4"));
    EXPECT_THAT(input_error([] { sam2(64, -1.0); }), HasSubstr("sam2: base -1"));
    EXPECT_THAT(input_error([] { flux2(kFlux); }), HasSubstr("the channels of each of 4 axes"));
    const std::array<Index, 3> odd = {15, 57, 56};
    EXPECT_THAT(input_error([&] { flux1(odd); }), HasSubstr("flux1: 15 channels"));
    EXPECT_THAT(input_error([] { ropevit_mixed(8, 2, std::vector<double>(15)); }),
                HasSubstr("freqs: 15 numbers for 2 heads of 4 pairs"));
    EXPECT_THAT(input_error([] {
                    dinov3({.periods = Dinov3::Periods{0.0, 1.0}});
                }),
                HasSubstr("pos_embed_rope_min_period: 0"));
    RotaryScheme scheme = sam2(64);
    scheme.pairs.pop_back();
    EXPECT_THAT(input_error([&] { validate(scheme); }),
                HasSubstr("omega: 32 pairs in 2 axes; this"));
    scheme = sam2(64);
    scheme.heads[0].inv_freq_rad[3] = NAN;
    EXPECT_THAT(input_error([&] { validate(scheme); }),
                HasSubstr("omega: nan for pair 1 in axis y"));
    scheme.heads.clear();
    EXPECT_THAT(input_error([&] { validate(scheme); }), HasSubstr("frequencies of 0 heads"));
    EXPECT_THAT(
        input_error([] {
            make_rotation_table(sam2(64), AxisPositions{std::vector<double>{1, 2, 3}, 3}, 1);
        }),
        HasSubstr("positions: 3 numbers in 3 axes; give [2, tokens]"));
}

}  // namespace
}  // namespace ropescope
