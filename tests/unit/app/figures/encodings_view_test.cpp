// The view encodings: what sinusoids add is what the layer's own maps make of the moved input, and
// each of its two figures reads only its own parameters.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/encodings/encodings.h"
#include "app/scene/settings.h"
#include "core/encoder/encoder.h"
#include "core/encoder/tensor_names.h"

namespace ropescope::figures {
namespace {

using ::testing::Contains;
using ::testing::Not;

/// The head's rows of W x + b, [channels].
std::vector<double> of_head(const EncoderFiles& files, const std::string& layer, OpenedHead at,
                            const std::vector<double>& x) {
    const HostFloats weight = files.weights.floats(layer + ".weight");
    const HostFloats bias = files.weights.floats(layer + ".bias");
    const Index channels = files.config.head_dim(), first = at.head * channels;
    std::vector<double> y(channels);
    for (Index c = 0; c < channels; ++c) {
        y[c] = bias.values[first + c];
        for (Index i = 0; i < std::ssize(x); ++i) {
            y[c] += static_cast<double>(weight.values[(first + c) * std::ssize(x) + i]) * x[i];
        }
    }
    return y;
}

/// A layer's input, [tokens][hidden], of a pass without any position.
std::vector<std::vector<double>> embeddings(Engine& engine, const EncoderFiles& files,
                                            const std::vector<std::int64_t>& ids) {
    const Encoder encoder(engine, files.config, files.weights);
    EncoderInput input;
    input.shape = {1, std::ssize(ids)};
    input.ids.assign(ids.begin(), ids.end());
    ForwardOptions options;
    options.rope.enabled = false;
    options.trace = {.hidden = true, .logits = false};
    const Trace trace = encoder.forward(input, options);
    const Index hidden = files.config.hidden_size;
    std::vector<std::vector<double>> rows;
    for (Index token = 0; token < std::ssize(ids); ++token) {
        const auto row = trace.hidden.front().values().subspan(token * hidden, hidden);
        rows.emplace_back(row.begin(), row.end());
    }
    return rows;
}

std::vector<double> with_sinusoids(std::vector<double> x, Index position) {
    for (Index i = 0; i < std::ssize(x); i += 2) {
        const double angle =
            to_double(position) * std::pow(10000.0, -to_double(i) / to_double(std::ssize(x)));
        x[i] += std::sin(angle);
        x[i + 1] += std::cos(angle);
    }
    return x;
}

double dot_over_root(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * b[i];
    }
    return sum / std::sqrt(to_double(std::ssize(a)));
}

TEST(EncodingsView, SinusoidsAddWhatTheLayersMapsMakeOfTheMovedInput) {
    const auto engine = make_cpu_engine(1);
    FigureCache cache;
    const Scene scene =
        apply_settings({}, {"view=encodings", "attention_masked=0", "attention_head=2"});
    const auto encoder = measured_state(scene, *engine, {.cache = &cache});
    const EncodingsState state = make_encodings_state(scene, *encoder);
    const EncoderFiles files = demo::demo_model(demo::DemoModel::rope);
    const LayerTensorNames names = encoder_names(files.config).layers.front();
    const auto x = embeddings(*engine, files, encoder->tokens.ids);
    for (Index m = 0; m < state.tokens(); ++m) {
        for (Index n = 0; n < state.tokens(); ++n) {
            const auto q = [&](const std::vector<double>& of) {
                return of_head(files, names.query, state.at, of);
            };
            const auto k = [&](const std::vector<double>& of) {
                return of_head(files, names.key, state.at, of);
            };
            const double content = dot_over_root(q(x[m]), k(x[n]));
            const double score =
                dot_over_root(q(with_sinusoids(x[m], m)), k(with_sinusoids(x[n], n)));
            // What rounding in fp32 explains of the scores of a pass.
            const double rounding = encoder->rounding() + 0x1p-16 * std::abs(score);
            const Index at = m * state.tokens() + n;
            EXPECT_NEAR(state.content[at], content, rounding);
            EXPECT_NEAR(state.encoding("sinusoidal").added[at], score - content, 2 * rounding);
        }
    }
}

TEST(EncodingsView, NamesInEachFigureOnlyWhatItDraws) {
    const auto engine = make_cpu_engine(1);
    FigureCache cache;
    const auto names = [&](const std::string& show, const std::string& causal) {
        const Scene scene = apply_settings(
            {}, {"view=encodings", "encodings_show=" + show, "encodings_causal=" + causal});
        std::vector<std::string> entries;
        for (const auto& entry : make_figure(scene, *engine, {.cache = &cache}).legend) {
            entries.push_back(entry.label);
        }
        return entries;
    };
    EXPECT_THAT(names("scores", "no"), Contains("sinusoids"));
    EXPECT_THAT(names("scores", "no"), Not(Contains("RoPE, YaRN")));
    EXPECT_THAT(names("trained", "no"), Contains("RoPE, YaRN"));
    EXPECT_THAT(names("trained", "yes"), Not(Contains("RoPE, YaRN")));
    EXPECT_THAT(names("trained", "yes"), Contains("learned"));
}

TEST(EncodingsView, ReadsTheTextOnlyWhereItIsRead) {
    const View& view = view_by_id("encodings");
    const Scene scores = apply_settings({}, {"view=encodings"});
    const Scene trained = apply_settings({}, {"view=encodings", "encodings_show=trained"});
    EXPECT_TRUE(view.needs("attention_text", scores));
    EXPECT_FALSE(view.needs("attention_text", trained));
    EXPECT_FALSE(view.needs("stretch_length", scores));
    EXPECT_TRUE(view.needs("stretch_length", trained));
}

}  // namespace
}  // namespace ropescope::figures
