// The attention view: what is masked, what a checkpoint brings, what is kept between figures.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/encoder/tokens.h"
#include "app/figures/view.h"
#include "app/scene/settings.h"
#include "core/base/error.h"
#include "tests/support/figure_text.h"
#include "tests/support/forwarding_engine.h"
#include "tests/support/paths.h"

namespace ropescope::figures {
namespace {

using ::testing::HasSubstr;

const std::string kGoldenEncoder = test::source_dir() + "/tests/golden/";

/// The CPU under the GPU's name, counting the encoders that are made on it.
class CountingEngine final : public test::ForwardingEngine {
  public:
    int encoders = 0;

    EngineKind kind() const override { return EngineKind::gpu; }
    std::unique_ptr<TensorOps> tensor_ops() override {
        ++encoders;
        return ForwardingEngine::tensor_ops();
    }
};

Scene attention_scene(std::vector<std::string> settings) {
    Scene scene = apply_settings({}, settings);
    scene.view = "attention";
    return scene;
}

template <typename T>
const std::vector<T>& column(const plot::Figure& figure, const std::string& name) {
    const auto found = std::ranges::find(figure.data.columns, name, &plot::Column::name);
    return std::get<std::vector<T>>(found->values);
}

TEST(AttentionView, PaddedKeysAreMaskedAndMarked) {
    const auto engine = make_cpu_engine(1);
    const Scene scene = attention_scene(
        {"attention_tokens=12", "attention_padding=3", "attention_quantity=softmax"});
    const plot::Figure figure = make_figure(scene, *engine);
    const auto& keys = column<std::int64_t>(figure, "key");
    const auto& masked = column<std::int64_t>(figure, "masked");
    const auto& probs = column<double>(figure, "largest_probability");
    ASSERT_EQ(probs.size(), 144U);
    for (std::size_t i = 0; i < probs.size(); ++i) {
        EXPECT_EQ(masked[i], keys[i] >= 9 ? 1 : 0);
        if (masked[i] == 1) {
            EXPECT_EQ(probs[i], 0.0);
        }
    }
    // Each query's probabilities are those of a distribution over the keys that are left.
    for (std::size_t query = 0; query < 12; ++query) {
        double sum = 0;
        for (std::size_t key = 0; key < 9; ++key) {
            sum += probs[query * 12 + key];
        }
        EXPECT_NEAR(sum, 1.0, 1e-5);
    }
    EXPECT_THAT(figure.subtitle, HasSubstr("3 padded keys masked"));
    EXPECT_THAT(figure.panels.front().corners.top_right, HasSubstr("masked"));
    const plot::Figure whole = make_figure(
        attention_scene({"attention_tokens=12", "attention_quantity=softmax"}), *engine);
    EXPECT_LT(whole.panels.front().marks.size(), figure.panels.front().marks.size());
}

TEST(AttentionView, ACheckpointsFolderIsShownWhenItIsOpened) {
    const std::string folder = kGoldenEncoder + "hf_roformer_base";
    const Scene opened = attention_scene({"model=" + folder, "attention_tokens=11"});
    EXPECT_EQ(opened.attention_source, AttentionSource::folder);
    EXPECT_EQ(opened.attention_folder, folder);
    const auto engine = make_cpu_engine(1);
    EXPECT_THAT(make_figure(opened, *engine).subtitle, HasSubstr("hf_roformer_base: 2 layers"));
    EXPECT_EQ(attention_scene({"model=" + folder + "/config.json"}).attention_source,
              AttentionSource::demo);
    EXPECT_EQ(attention_scene({"model=llama-3-8b"}).attention_source, AttentionSource::demo);
    EXPECT_EQ(attention_scene({"model=" + folder, "attention_source=demo"}).attention_source,
              AttentionSource::demo);
}

TEST(AttentionView, ASecondSegmentChangesAModelWithTokenTypes) {
    const auto engine = make_cpu_engine(1);
    const auto scores = [&](const std::string& model, const char* segment) {
        return column<double>(
            make_figure(attention_scene({"model=" + kGoldenEncoder + model, "attention_tokens=11",
                                         std::string("attention_segment=") + segment}),
                        *engine),
            "mean_score");
    };
    EXPECT_NE(scores("hf_roformer_base", "0"), scores("hf_roformer_base", "5"));
    EXPECT_EQ(scores("hf_roformer_base", "0"), scores("hf_roformer_base", "11"));
}

TEST(AttentionView, KeepsItsEncoderBetweenFigures) {
    CountingEngine engine;
    FigureCache cache;
    for (const char* shift : {"1", "20", "300"}) {
        make_figure(attention_scene({"attention_source=random", "attention_tokens=9",
                                     "content_seed=77", std::string("attention_shift=") + shift}),
                    engine, {.cache = &cache});
    }
    EXPECT_EQ(engine.encoders, 1);
    make_figure(
        attention_scene({"attention_source=random", "attention_tokens=9", "content_seed=78"}),
        engine, {.cache = &cache});
    EXPECT_EQ(engine.encoders, 2) << "other weights";
}

TEST(AttentionView, WhatEarlierFiguresLeftChangesNothing) {
    const auto engine = make_cpu_engine(1);
    const Scene before = attention_scene({"attention_tokens=9", "attention_shift=20"});
    for (const char* change :
         {"attention_shift=300", "attention_table=bf16", "attention_padding=3",
          "attention_text=another one", "content_seed=78", "attention_tokens=11",
          "attention_masked=3", "attention_compare=rope_off", "attention_compare=reversed",
          "attention_source=no_position"}) {
        FigureCache cache;
        make_figure(before, *engine, {.cache = &cache});
        const Scene after = apply_settings(before, {change});
        EXPECT_EQ(plot::figure_text(make_figure(after, *engine, {.cache = &cache})),
                  plot::figure_text(make_figure(after, *engine)))
            << change;
    }
}

TEST(AttentionView, ADraftShowsWhatAnyEngineHasComputed) {
    const auto cpu = make_cpu_engine(1);
    CountingEngine other;
    FigureCache cache;
    const Work frame{.cache = &cache, .may_draft = true};
    const auto moved_by = [](const char* shift) {
        return attention_scene({"attention_tokens=90", std::string("attention_shift=") + shift});
    };
    const Picture waiting = make_picture(moved_by("0"), *cpu, frame);
    EXPECT_TRUE(waiting.draft);
    EXPECT_EQ(waiting.readouts_at("map", {3, 3}).front().name, "not computed yet");

    const Picture whole = make_picture(moved_by("20"), *cpu, {.cache = &cache});
    EXPECT_FALSE(whole.draft);
    EXPECT_FALSE(make_picture(moved_by("20"), *cpu, frame).draft) << "it is known now";
    const Picture by_another = make_picture(moved_by("20"), other, frame);
    EXPECT_TRUE(by_another.draft);
    EXPECT_EQ(by_another.figure.title, whole.figure.title);
    const Picture at_rest = make_picture(moved_by("30"), other, frame);
    EXPECT_TRUE(at_rest.draft);
    EXPECT_THAT(at_rest.figure.title, HasSubstr("computing what changes"));
    EXPECT_EQ(at_rest.readouts_at("map", {3, 3}).size(), whole.readouts_at("map", {3, 3}).size());
    const Scene compared = apply_settings(moved_by("20"), {"attention_compare=rope_off"});
    const std::string both = make_picture(compared, *cpu, {.cache = &cache}).figure.title;
    EXPECT_NE(both, whole.figure.title);
    EXPECT_EQ(make_picture(compared, other, frame).figure.title, both);
    EXPECT_EQ(make_picture(moved_by("20"), other, frame).figure.title, whole.figure.title);
    EXPECT_EQ(other.encoders, 0) << "a draft runs nothing";
}

TEST(AttentionView, TellsItsProgressAndEndsWhenAsked) {
    CountingEngine engine;
    std::vector<double> shares;
    const Scene scene = attention_scene({"attention_tokens=15", "content_seed=79"});
    make_figure(scene, engine, {.progress = [&](double done) { shares.push_back(done); }});
    EXPECT_GT(shares.size(), 20U);
    EXPECT_THAT(shares, ::testing::WhenSorted(::testing::ContainerEq(shares)));
    EXPECT_NEAR(shares.back(), 1.0, 1e-12);

    std::stop_source stop;
    shares.clear();
    make_figure(attention_scene({"attention_tokens=15", "content_seed=80"}), engine,
                {.stop = stop.get_token(), .progress = [&](double done) {
                     shares.push_back(done);
                     stop.request_stop();
                 }});
    EXPECT_EQ(shares.size(), 1U) << "the first step is the last";
}

TEST(AttentionView, LongSequencesAreSampled) {
    const auto engine = make_cpu_engine(1);
    const plot::Figure figure = make_figure(attention_scene({"attention_tokens=1500"}), *engine);
    EXPECT_THAT(figure.subtitle, HasSubstr("6 × 6 pairs"));
    EXPECT_THAT(figure.subtitle, HasSubstr("of one query in 2"));
    EXPECT_EQ(column<double>(figure, "mean_score").size(), 250U * 250U);
}

/// The word of the map's row, or nothing.
std::string word_at(const plot::Figure& figure, double row) {
    for (const plot::Mark& mark : figure.panels.front().marks) {
        const auto* label = std::get_if<plot::Label>(&mark);
        if (label != nullptr && label->role == plot::Role::query && label->at.y == row + 0.5) {
            return label->text;
        }
    }
    return "";
}

TEST(AttentionView, AClickOnAWordMasksItAndAnotherShowsIt) {
    const auto engine = make_cpu_engine(1);
    const Scene scene =
        attention_scene({"attention_text=a person of the sea", "attention_masked=0"});
    const Picture before = make_picture(scene, *engine);
    EXPECT_EQ(word_at(before.figure, 2), "person");
    EXPECT_THAT(before.figure.report, ::testing::Not(HasSubstr("would put")));
    const Scene masked = before.scene_after_click(scene, "map", {-0.5, 2.5});
    EXPECT_EQ(masked.attention_masked, 2);
    const Picture after = make_picture(masked, *engine);
    EXPECT_EQ(word_at(after.figure, 2), "[MASK]");
    EXPECT_THAT(after.figure.report, HasSubstr("In the place of [MASK] the model would put"));
    EXPECT_EQ(after.scene_after_click(masked, "map", {2.5, -0.2}).attention_masked, 0)
        << "a word above a column";
    EXPECT_EQ(after.scene_after_click(masked, "map", {3.5, 3.5}).attention_masked, 2)
        << "a cell is no word";
}

TEST(AttentionView, MasksNeitherTheEndsOfATextNorAModelWithoutTheToken) {
    const auto engine = make_cpu_engine(1);
    for (const char* masked : {"0", "4", "400"}) {  // [CLS], [SEP], none
        const plot::Figure figure =
            make_figure(attention_scene({"attention_text=a person of",
                                         std::string("attention_masked=") + masked}),
                        *engine);
        EXPECT_THAT(figure.report, ::testing::Not(HasSubstr("[MASK]"))) << masked;
    }
    EXPECT_THAT(make_figure(attention_scene({"attention_source=random"}), *engine).report,
                ::testing::Not(HasSubstr("[MASK]")));
}

TEST(AttentionView, TheTwinIsComparedWithItsOwnModelAlone) {
    const auto engine = make_cpu_engine(1);
    EXPECT_THAT(
        [&] {
            make_figure(
                attention_scene({"attention_source=random", "attention_compare=no_position"}),
                *engine);
        },
        ::testing::ThrowsMessage<InputError>(HasSubstr("give attention_source=demo")));
}

TEST(AttentionView, TheOppositeOrderKeepsThePiecesOfAWordAndTheEnds) {
    const auto order = [](std::vector<std::string> words, std::int64_t seen) {
        Tokens tokens{.ids = std::vector<std::int64_t>(words.size()), .words = std::move(words)};
        return in_order(tokens, reversed_order(tokens, seen)).words;
    };
    using Words = std::vector<std::string>;
    EXPECT_EQ(order({"[CLS]", "a", "small", "##er", "##s", "dog", "[SEP]"}, 7),
              (Words{"[CLS]", "dog", "small", "##er", "##s", "a", "[SEP]"}));
    EXPECT_EQ(order({"[CLS]", "a", "dog", "[PAD]", "[PAD]"}, 3),
              (Words{"[CLS]", "dog", "a", "[PAD]", "[PAD]"}));
    EXPECT_EQ(order({"dog", "bites", "man"}, 3), (Words{"man", "bites", "dog"}));
    EXPECT_EQ(order({"##er", "dog"}, 2), (Words{"dog", "##er"})) << "a piece without its beginning";
    EXPECT_EQ(order({"[CLS]"}, 1), (Words{"[CLS]"}));
}

TEST(AttentionView, AWordOfTheOppositeOrderIsMaskedInBoth) {
    const auto engine = make_cpu_engine(1);
    const Scene scene = attention_scene(
        {"attention_text=a person of the sea", "attention_masked=0", "attention_compare=reversed"});
    const Picture picture = make_picture(scene, *engine);
    // [CLS] sea the of person a [SEP]
    const auto readouts = picture.readouts_at("map.other", {1.5, 4.5});
    EXPECT_EQ(readouts.at(0).value, "4  person");
    EXPECT_EQ(readouts.at(1).value, "1  sea");
    EXPECT_EQ(picture.scene_after_click(scene, "map.other", {-0.5, 4.5}).attention_masked, 2);
}

TEST(AttentionView, WithoutRopeAWordsPlaceIsUnknownToTheTwin) {
    const auto engine = make_cpu_engine(1);
    // Two queries with the same token see the same keys, so that they give the same probabilities.
    const plot::Figure figure =
        make_figure(attention_scene({"attention_source=no_position", "attention_layer=3",
                                     "attention_text=of the sea of", "attention_masked=0"}),
                    *engine);
    const auto& probs = column<double>(figure, "largest_probability");
    for (std::size_t key = 0; key < 6; ++key) {
        EXPECT_NEAR(probs[1 * 6 + key], probs[4 * 6 + key], 1e-5) << key;
    }
}

}  // namespace
}  // namespace ropescope::figures
