// The forward passes of the attention view: what they run with, and when a known one is used again.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "app/figures/encoder/passes.h"
#include "app/figures/view.h"
#include "app/scene/settings.h"
#include "tests/support/figure_text.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace ropescope::figures {
namespace {

namespace fs = std::filesystem;

const std::string kGolden = test::source_dir() + "/tests/golden/";

Scene scene_of(const std::string& folder, const std::vector<std::string>& settings) {
    Scene scene = apply_settings({}, {"attention_source=folder", "attention_folder=" + folder,
                                      "attention_tokens=11", "attention_layer=1"});
    scene.view = "attention";
    return apply_settings(scene, settings);
}

std::vector<double> shown_scores(const Scene& scene, Engine& engine) {
    const plot::Figure figure = make_figure(scene, engine);
    const auto found =
        std::ranges::find(figure.data.columns, std::string("mean_score"), &plot::Column::name);
    return std::get<std::vector<double>>(found->values);
}

struct Scores {
    std::vector<double> values;  ///< of the opened layer and head, [queries, keys]
    double rounding = 0;         ///< two sums of fp32 products of the same q and k differ by less
};

double longest_row(const TraceTensor& rows, Index head_dim) {
    double longest = 0;
    for (std::size_t at = 0; at < rows.values().size(); at += static_cast<std::size_t>(head_dim)) {
        double squares = 0;
        for (Index i = 0; i < head_dim; ++i) {
            const double x = rows.values()[at + static_cast<std::size_t>(i)];
            squares += x * x;
        }
        longest = std::max(longest, std::sqrt(squares));
    }
    return longest;
}

/// By a forward pass of the encoder, without the view.
Scores scores_of_encoder(const Scene& scene, Engine& engine) {
    const EncoderFiles files = open_encoder(scene.attention_folder);
    const Encoder encoder(engine, files.config, files.weights);
    EncoderInput input;
    input.ids =
        tokens_by_spelling(scene.attention_text, {scene.attention_tokens, kMostAttentionTokens},
                           files.config.vocab_size)
            .ids;
    const Index count = std::ssize(input.ids);
    input.shape = {1, count};
    if (scene.attention_segment > 0) {
        for (Index token = 0; token < count; ++token) {
            input.type_ids.push_back(token < scene.attention_segment ? 0 : 1);
        }
    }
    ForwardOptions options;
    options.rope.table_dtype = scene.attention_table;
    options.rope.shift = scene.attention_shift;
    options.trace = {.q_and_k = true, .scores = true, .logits = false};
    const Trace trace = encoder.forward(input, options);
    const LayerTrace& layer = trace.layers.at(static_cast<std::size_t>(scene.attention_layer));
    const auto all = layer.scores.values();
    const auto head = all.subspan(static_cast<std::size_t>(scene.attention_head * count * count),
                                  static_cast<std::size_t>(count * count));
    const Index head_dim = layer.q_rot.shape.back();
    // Each of head_dim products and sums and the division round once; |q| |k| bounds the sum of
    // the products' magnitudes.
    const double largest = longest_row(layer.q_rot, head_dim) * longest_row(layer.k_rot, head_dim) /
                           std::sqrt(to_double(head_dim));
    return {{head.begin(), head.end()}, 2 * to_double(head_dim + 2) * 0x1p-24 * largest};
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    EXPECT_EQ(a.size(), b.size());
    double largest = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        largest = std::max(largest, std::abs(a[i] - b[i]));
    }
    return largest;
}

TEST(AttentionPasses, RunWithTheTableTheShiftAndTheSegmentOfTheScene) {
    const auto engine = make_cpu_engine(1);
    std::vector<Scores> different;
    for (const std::vector<std::string>& settings : std::vector<std::vector<std::string>>{
             {"attention_table=fp32", "attention_shift=0"},
             {"attention_table=bf16", "attention_shift=0"},
             {"attention_table=bf16", "attention_shift=20"},
             {"attention_table=fp32", "attention_shift=0", "attention_segment=4"}}) {
        const Scene scene = scene_of(kGolden + "hf_roformer_base", settings);
        const Scores expected = scores_of_encoder(scene, *engine);
        SCOPED_TRACE(::testing::Message() << ::testing::PrintToString(settings));
        EXPECT_LE(largest_difference(shown_scores(scene, *engine), expected.values),
                  expected.rounding);
        for (const Scores& other : different) {
            EXPECT_GT(largest_difference(other.values, expected.values), 10 * expected.rounding)
                << "these settings show nothing";
        }
        different.push_back(expected);
    }
}

TEST(AttentionPasses, AreMadeAgainForAnotherSegment) {
    const auto engine = make_cpu_engine(1);
    const Scene before = scene_of(kGolden + "hf_roformer_base", {"attention_segment=0"});
    const Scene after = apply_settings(before, {"attention_segment=5"});
    FigureCache cache;
    const std::string first = plot::figure_text(make_figure(before, *engine, {.cache = &cache}));
    const std::string second = plot::figure_text(make_figure(after, *engine, {.cache = &cache}));
    EXPECT_NE(first, second);
    EXPECT_EQ(second, plot::figure_text(make_figure(after, *engine)));
}

TEST(AttentionPasses, AreMadeAgainWhenTheFilesHaveBeenReplaced) {
    const auto engine = make_cpu_engine(1);
    const test::TempFolder folder;
    const auto put = [&](const std::string& model) {
        for (const char* name : {"config.json", "model.safetensors"}) {
            fs::copy_file(kGolden + model + "/" + name, folder / name,
                          fs::copy_options::overwrite_existing);
        }
    };
    const Scene scene = scene_of(folder.path().string(), {});
    FigureCache cache;
    put("hf_roformer_base");
    fs::last_write_time(folder / "model.safetensors",
                        fs::file_time_type::clock::now() - std::chrono::hours(1));
    const std::string before = plot::figure_text(make_figure(scene, *engine, {.cache = &cache}));
    put("hf_roformer_variant");
    const std::string after = plot::figure_text(make_figure(scene, *engine, {.cache = &cache}));
    EXPECT_NE(before, after);
    EXPECT_EQ(after, plot::figure_text(make_figure(scene, *engine)));
}

}  // namespace
}  // namespace ropescope::figures
