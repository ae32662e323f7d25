// q and k of the encoder in other views: the scores that they make are the encoder's own.
#include "app/figures/encoder/measured.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/view.h"
#include "app/scene/settings.h"
#include "core/base/error.h"

namespace ropescope::figures {
namespace {

double dot(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += static_cast<double>(a[i]) * b[i];
    }
    return sum;
}

TEST(MeasuredContent, ScoresAtItsOwnDistanceWhatTheEncoderScores) {
    const auto engine = make_cpu_engine(1);
    FigureCache cache;
    const Scene scene = on_encoder(apply_settings({}, {"view=scores"}), cache);
    const auto state = measured_state(scene, *engine, {.cache = &cache});
    const Spectrum spectrum = make_spectrum(rope_spec(scene));
    const Index tokens = state->tokens.count(), head_dim = state->config.head_dim();
    for (const OpenedHead at : {OpenedHead{0, 0}, {3, 2}}) {
        const LayerTrace& layer = state->pass->layers[at.layer];
        for (Index query = 0; query < tokens; ++query) {
            for (Index key = 0; key < tokens; ++key) {
                const Content content = measured_content(*state, spectrum, at, query, key);
                const auto row = [&](const TraceTensor& tensor, Index token) {
                    return tensor.values().subspan((at.head * tokens + token) * head_dim, head_dim);
                };
                const auto q = row(layer.q_rot, query), k = row(layer.k_rot, key);
                // The encoder rotates in fp32: each of the head's products is off by some units of
                // 2^-24 of |q| |k|.
                EXPECT_NEAR(score_cosine(content, spectrum, key - query),
                            dot(q, k) / std::sqrt(dot(q, q) * dot(k, k)), 8 * 0x1p-24 * 16)
                    << query << ", " << key;
            }
        }
    }
}

TEST(MeasuredContent, ShowsTheRopeOfTheEncoder) {
    FigureCache cache;
    const Scene shown = on_encoder(apply_settings({}, {"head_dim=64", "rotary_dim=16", "base=77",
                                                       "layout=half_split", "selected_pair=7"}),
                                   cache);
    EXPECT_EQ(shown.head_dim, 32);
    EXPECT_EQ(shown.rotary_dim, 32);
    EXPECT_EQ(shown.base, 10000);
    EXPECT_EQ(shown.layout, Layout::interleaved);
    EXPECT_THAT([&] { on_encoder(apply_settings({}, {"attention_source=no_position"}), cache); },
                ::testing::ThrowsMessage<InputError>(
                    ::testing::HasSubstr("trained without it; give attention_source=demo")));
}

TEST(MeasuredDecay, IsTheMeanOfTheMapAtEachDistance) {
    const auto engine = make_cpu_engine(1);
    FigureCache cache;
    const Scene scene = on_encoder(apply_settings({}, {"view=decay"}), cache);
    const auto state = measured_state(scene, *engine, {.cache = &cache});
    const OpenedHead at{0, 1};
    const MeasuredDecay measured = measured_decay(*state, at);
    const Index tokens = state->tokens.count();
    ASSERT_EQ(std::ssize(measured.cosine), tokens);
    ASSERT_EQ(std::ssize(measured.probability), 16);
    const HeadMap& map = state->map(at.layer, at.head);
    // The pairs of tokens at the largest distance are two.
    EXPECT_NEAR(measured.probability[1].back(),
                (map.probs[tokens - 1] + map.probs[(tokens - 1) * tokens]) / 2.0, 1e-7);
    double all = 0;
    for (Index distance = 0; distance < tokens; ++distance) {
        const double pairs = to_double(distance == 0 ? tokens : 2 * (tokens - distance));
        all += pairs * measured.probability[1][distance];
    }
    EXPECT_NEAR(all, to_double(tokens), 1e-5) << "every query gives 1 in all";
}

TEST(MeasuredContent, AFrameWaitsForALargeEncoder) {
    const auto engine = make_cpu_engine(1);
    for (const char* view : {"view=scores", "view=decay"}) {
        const Scene scene = apply_settings(
            {}, {view, "content_source=encoder", "attention_source=full", "attention_tokens=8"});
        const Picture picture = make_picture(scene, *engine, {.may_draft = true});
        EXPECT_TRUE(picture.draft);
        EXPECT_EQ(picture.figure.title, "Not computed yet: q and k of the encoder");
    }
}

}  // namespace
}  // namespace ropescope::figures
