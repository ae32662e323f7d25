// What GGUF files mean for positions: layouts, types of layers, parts of a model in several files.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/formats/gguf/architectures.h"
#include "core/formats/gguf/model.h"
#include "core/formats/schemes/scheme_facts.h"
#include "core/models/model.h"
#include "core/rope/spectrum.h"
#include "core/schemes/multimodal_text.h"
#include "tests/support/gguf_bytes.h"
#include "tests/support/input_error.h"
#include "tests/support/temp_folder.h"

namespace ropescope::gguf {
namespace {

using test::Gguf;
using test::gguf_model;
using test::input_error;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Model open(const Gguf& file, const std::string& name = "model.gguf") {
    const test::TempFolder folder;
    test::write_gguf(folder / name, file.bytes());
    return open_model(folder / name);
}

std::string refusal(const Gguf& file) {
    return input_error([&] { open(file); });
}

TEST(GgufModel, EveryArchitectureOfTheTableIsReadOrHasNoRope) {
    int turning = 0;
    for (const GgufArchitecture& row : architectures()) {
        SCOPED_TRACE(row.architecture);
        Gguf file = gguf_model(std::string(row.architecture), 8, 64, 48);
        file.add(std::string(row.architecture) + ".attention.sliding_window", std::uint32_t{512});
        const bool in_axes = row.rope == RopeType::mrope || row.rope == RopeType::imrope;
        if (in_axes) {
            file.list(std::string(row.architecture) + ".rope.dimension_sections",
                      std::vector<std::uint32_t>{12, 10, 10, 0});
        }
        if (row.rope == RopeType::none) {
            EXPECT_FALSE(row.without.empty());
            EXPECT_THAT(refusal(file), HasSubstr("has no RoPE: " + std::string(row.without)));
            continue;
        }
        const Model model = open(file);
        EXPECT_EQ(model.text->confidence, Confidence::known);
        EXPECT_EQ(model.text->rope.layout,
                  row.rope == RopeType::norm ? Layout::interleaved : Layout::half_split);
        EXPECT_EQ(model.turns_in_several_axes(), in_axes);
        EXPECT_EQ(row.rope == RopeType::norm,
                  model.text->assumptions.end() !=
                      std::ranges::find_if(model.text->assumptions, [](const std::string& text) {
                          return text.starts_with("interleaved (NORM)");
                      }));
        if (!row.scheme.empty()) {
            EXPECT_NO_THROW(scheme_facts(row.scheme));
        }
        ++turning;
    }
    EXPECT_GT(turning, 100);
}

TEST(GgufModel, AnUnknownArchitectureIsInferredAndSaysSoFirst) {
    const Model model = open(gguf_model("quasar"));
    EXPECT_EQ(model.text->confidence, Confidence::inferred);
    EXPECT_EQ(model.text->rope.layout, Layout::half_split);
    EXPECT_THAT(model.text->assumptions.front(),
                AllOf(HasSubstr("architecture 'quasar' is not in llama.cpp's table"),
                      HasSubstr("are assumed")));
    EXPECT_EQ(model.part().assumptions.front(), model.text->assumptions.front());
}

TEST(GgufModel, SizesAndNames) {
    Gguf file = gguf_model("llama", 32, 128, 16, 500000.0F);
    file.add("general.name", "Llama 3 of mine")
        .add("llama.attention.head_count_kv", std::uint32_t{8});
    const Model model = open(file);
    EXPECT_EQ(model.text->title, "Llama 3 of mine");
    EXPECT_EQ(model.text->model_type, "gguf:llama");
    EXPECT_EQ(model.text->n_layers, 16);
    EXPECT_EQ(model.part().q_heads, 32);
    EXPECT_EQ(model.part().kv_heads, 8);
    EXPECT_EQ(model.part().reach, 8192);
    EXPECT_EQ(model.text->rope, (RopeSpec{128, 128, 500000.0, Layout::interleaved}));
}

TEST(GgufModel, KeyLengthGoesBeforeTheEmbedding) {
    const Gguf wide = gguf_model("qwen3").add("qwen3.attention.key_length", std::uint32_t{128});
    EXPECT_EQ(open(wide).text->rope, (RopeSpec{128, 64, 10000.0, Layout::half_split}));
    // MLA: the channels that turn are apart from the rest of the head.
    const Gguf mla = gguf_model("deepseek2")
                         .add("deepseek2.attention.key_length", std::uint32_t{576})
                         .add("deepseek2.attention.key_length_mla", std::uint32_t{192});
    EXPECT_EQ(open(mla).text->rope, (RopeSpec{64, 64, 10000.0, Layout::interleaved}));
}

TEST(GgufModel, LayersWithAWindowHaveTheirOwnBase) {
    Gguf file = gguf_model("gemma3", 4, 64, 12, 1e6F);
    file.add("gemma3.attention.sliding_window", std::uint32_t{512})
        .add("gemma3.rope.scaling.type", "linear")
        .add("gemma3.rope.scaling.factor", 8.0F);
    const Model model = open(file);
    ASSERT_EQ(model.parts.size(), 2U);
    const RopeSpec full = *model.part("full_attention").spec;
    EXPECT_EQ(full.base, 1e6);
    EXPECT_EQ(full.scaling, Scaling(LinearScaling{8.0}));
    EXPECT_EQ(*model.part("sliding_attention").spec, (RopeSpec{64, 64, 10000.0}));
    EXPECT_EQ(model.text->layer_ropes[0].layers, 2);
    EXPECT_EQ(model.text->layer_types[5], "full_attention");
    EXPECT_EQ(model.text->layer_types[6], "sliding_attention");
    file.add("gemma3.rope.freq_base_swa", 20000.0F);
    EXPECT_EQ(open(file).part("sliding_attention").spec->base, 20000.0);
}

TEST(GgufModel, APatternOfTheFileGoesBeforeTheRule) {
    Gguf file = gguf_model("gemma4", 8, 256, 4, 1e6F);
    file.list("gemma4.attention.sliding_window_pattern", std::vector<bool>{true, false, true, true})
        .add("gemma4.attention.key_length", std::uint32_t{512})
        .add("gemma4.attention.key_length_swa", std::uint32_t{256})
        .add("gemma4.rope.dimension_count_swa", std::uint32_t{256});
    std::vector<float> factors(256, 1e30F);
    std::fill(factors.begin(), factors.begin() + 64, 1.0F);
    Gguf whole = file;
    whole.keys[5] = Gguf().add("gemma4.rope.dimension_count", std::uint32_t{512}).keys[0];
    whole.tensor("rope_freqs.weight", factors);
    const Model model = open(whole);
    EXPECT_EQ(model.text->layer_types[1], "full_attention");
    const RopeSpec full = *model.part("full_attention").spec;
    EXPECT_EQ(full.head_dim, 512);
    EXPECT_EQ(full.scaling, Scaling(ProportionalScaling{.partial_rotary_factor = 0.25}));
    EXPECT_EQ(*model.part("sliding_attention").spec, (RopeSpec{256, 256, 10000.0}));
    EXPECT_EQ(model.text->softmax_scale, 1.0);
    EXPECT_THAT(refusal(file.tensor("rope_freqs.weight", {1.0F})),
                HasSubstr("rope_freqs.weight: 1 values; one for each of the 128 pairs"));
}

TEST(GgufModel, LayersInWhichNothingTurns) {
    const auto without = [](Gguf file) { return open(file).text->layers_without; };
    EXPECT_THAT(without(gguf_model("smollm3", 8, 64, 8)), ElementsAre(3, 7));
    EXPECT_THAT(without(gguf_model("cohere2", 8, 64, 8)), ElementsAre(3, 7));
    EXPECT_THAT(without(gguf_model("llama4", 8, 64, 8)), ElementsAre(3, 7));
    EXPECT_THAT(without(gguf_model("llama4", 8, 64, 8)
                            .add("llama4.attention.sliding_window", std::uint32_t{0})),
                ElementsAre());
    EXPECT_THAT(without(gguf_model("exaone4", 8, 64, 8)), ElementsAre());
    EXPECT_THAT(without(gguf_model("exaone4", 8, 64, 8)
                            .add("exaone4.attention.sliding_window", std::uint32_t{4096})),
                ElementsAre(3, 7));
    EXPECT_THAT(without(gguf_model("smallthinker", 8, 64, 8)
                            .add("smallthinker.attention.sliding_window", std::uint32_t{4096})),
                ElementsAre(0, 4));
    EXPECT_THAT(without(gguf_model("cohere2moe", 8, 64, 8)
                            .add("cohere2moe.leading_dense_block_count", std::uint32_t{1})),
                ElementsAre(4));
}

TEST(GgufModel, SwitchesAndAlibi) {
    EXPECT_THAT(refusal(gguf_model("granite").add("granite.rope.scaling.finetuned", false)),
                HasSubstr("'granite' has no RoPE: rope.scaling.finetuned is false"));
    EXPECT_EQ(open(gguf_model("granite").add("granite.attention.scale", 0.25F)).text->softmax_scale,
              0.25);
    EXPECT_THAT(refusal(gguf_model("baichuan", 8, 64, 40)), HasSubstr("with 40 layers"));
    EXPECT_NO_THROW(open(gguf_model("baichuan", 8, 64, 32)));
    EXPECT_THAT(refusal(Gguf().add("general.architecture", "clip")),
                HasSubstr("the part that sees of a model (mmproj)"));
}

TEST(GgufModel, SectionsBecomeAxes) {
    Gguf file = gguf_model("qwen3vl", 8, 128);
    file.list("qwen3vl.rope.dimension_sections", std::vector<std::uint32_t>{24, 20, 20, 0});
    const Model model = open(file);
    ASSERT_EQ(model.parts.size(), 1U);
    EXPECT_THAT(model.part().scheme.axes, ElementsAre("t", "h", "w"));
    EXPECT_EQ(model.part().scheme.id, "qwen3_vl_text");
    const std::vector<Index> axes = axis_of_pairs({24, 20, 20}, SectionOrder::cyclic, 64);
    for (Index pair = 0; pair < 64; ++pair) {
        for (Index axis = 0; axis < 3; ++axis) {
            EXPECT_EQ(model.part().scheme.heads[0].inv_freq_rad[pair * 3 + axis] != 0.0,
                      axis == axes[pair])
                << pair;
        }
    }
    EXPECT_THAT(input_error([&] { model.part("vision"); }), HasSubstr("mmproj"));
    // One entry, as some converters wrote it.
    EXPECT_THAT(refusal(gguf_model("qwen2vl").list("qwen2vl.rope.dimension_sections",
                                                   std::vector<std::uint32_t>{16})),
                HasSubstr("qwen2vl.rope.dimension_sections: is missing or has no pairs of two"));
    const Model four = open(
        gguf_model("hunyuan_vl")
            .list("hunyuan_vl.rope.dimension_sections", std::vector<std::uint32_t>{8, 8, 8, 8}));
    EXPECT_FALSE(four.turns_in_several_axes());
    EXPECT_THAT(four.text->assumptions, Contains(HasSubstr("8 pairs to a fourth axis")));
    // GLM-4 turns in one axis, and its kin with sections in several.
    EXPECT_EQ(open(gguf_model("glm4")).part().spec->layout, Layout::interleaved);
    EXPECT_TRUE(open(gguf_model("glm4").list("glm4.rope.dimension_sections",
                                             std::vector<std::uint32_t>{8, 12, 12, 0}))
                    .turns_in_several_axes());
}

TEST(GgufModel, AlphaStretchesTheBaseOfHunyuanAlone) {
    const RopeSpec read =
        open(gguf_model("hunyuan_vl", 8, 128).add("hunyuan_vl.rope.scaling.alpha", 1000.0F))
            .text->rope;
    EXPECT_EQ(read.scaling, Scaling(NtkScaling{1000}));
    const Spectrum spectrum = make_spectrum(read);
    const double base = read.base * std::pow(1000.0, 128.0 / 126.0);
    // Two powers and a quotient in double, whose exponents are below 2.
    EXPECT_NEAR(spectrum.inv_freq_rad[63] / std::pow(base, -126.0 / 128.0), 1.0, 1e-13);
    EXPECT_EQ(open(gguf_model("qwen2", 8, 128).add("qwen2.rope.scaling.alpha", 1000.0F))
                  .text->rope.scaling,
              Scaling(NoScaling{}));
}

TEST(GgufModel, DeepSeekOcrTurnsWholeHeads) {
    const RopeSpec read = open(Gguf()
                                   .add("general.architecture", "deepseek2-ocr")
                                   .add("deepseek2-ocr.embedding_length", std::uint32_t{1280})
                                   .add("deepseek2-ocr.block_count", std::uint32_t{12})
                                   .add("deepseek2-ocr.attention.head_count", std::uint32_t{10})
                                   .add("deepseek2-ocr.rope.dimension_count", std::uint32_t{0})
                                   .add("deepseek2-ocr.rope.scaling.type", "yarn")
                                   .add("deepseek2-ocr.rope.scaling.factor", 40.0F))
                              .text->rope;
    EXPECT_EQ(read.rotary_dim, 128);
    EXPECT_EQ(read.layout, Layout::half_split);
    EXPECT_EQ(read.scaling, Scaling(NoScaling{}));
}

TEST(GgufModel, WhatIsMissingIsNamedOrAssumed) {
    Gguf bare;
    bare.add("general.architecture", "qwen2").add("qwen2.attention.head_count", std::uint32_t{2});
    EXPECT_THAT(refusal(bare), HasSubstr("model.gguf: qwen2.attention.key_length: is missing"));
    bare.add("qwen2.embedding_length", std::uint32_t{128});
    const Model model = open(bare);
    EXPECT_EQ(model.text->rope, (RopeSpec{64, 64, 10000.0}));
    EXPECT_THAT(model.text->assumptions, Contains("rope.freq_base is missing: 10000"));
    EXPECT_THAT(refusal(Gguf().add("qwen2.block_count", std::uint32_t{2})),
                HasSubstr("general.architecture: is missing"));
    EXPECT_THAT(refusal(gguf_model("qwen2").add("qwen2.rope.scaling.type", "magic")),
                HasSubstr("qwen2.rope.scaling.type: 'magic'; none, linear, yarn or longrope"));
    EXPECT_THAT(refusal(gguf_model("qwen2", 8, 63)), HasSubstr("qwen2.rope.dimension_count"));
}

/// A model in three files: the metadata in the first, the factors in the last.
struct SplitModel {
    test::TempFolder folder;

    std::string path(int number) const {
        return folder / ("big-0000" + std::to_string(number) + "-of-00003.gguf");
    }
    SplitModel() {
        for (std::uint16_t number = 0; number < 3; ++number) {
            Gguf part = number == 0 ? gguf_model("llama") : Gguf();
            part.add("split.no", number).add("split.count", std::uint16_t{3});
            if (number == 2) {
                part.tensor("rope_freqs.weight", std::vector<float>(32, 2.0F));
            }
            test::write_gguf(path(number + 1), part.bytes());
        }
    }
};

TEST(GgufModel, AnyPartOpensTheModel) {
    const SplitModel split;
    for (int number = 1; number <= 3; ++number) {
        const Model model = open_model(split.path(number));
        const auto scaling = std::get<LongRopeScaling>(model.text->rope.scaling);
        EXPECT_EQ(scaling.short_factor, std::vector<double>(32, 2.0));
        EXPECT_EQ(model.text->confidence, Confidence::known);
        EXPECT_EQ(model.name, split.path(1));
    }
}

TEST(GgufModel, APartThatIsNotThereIsNamed) {
    const SplitModel split;
    std::filesystem::remove(split.path(3));
    const Model model = open_model(split.path(2));
    EXPECT_EQ(model.text->confidence, Confidence::inferred);
    EXPECT_THAT(model.text->assumptions.front(),
                HasSubstr("the first of them big-00003-of-00003.gguf, is not beside this one"));
    std::filesystem::remove(split.path(1));
    EXPECT_THAT(input_error([&] { open_model(split.path(2)); }),
                HasSubstr("is part 2 of 3 of a model, and the first part, "
                          "big-00001-of-00003.gguf, which has the metadata, is not beside it"));
    std::filesystem::rename(split.path(2), split.folder / "x.gguf");
    EXPECT_THAT(input_error([&] { open_model(split.folder / "x.gguf"); }),
                HasSubstr("its name does not end in -00002-of-00003.gguf"));
}

TEST(GgufModel, TheMetadataAreAConfigurationOfTheirOwn) {
    const test::TempFolder folder;
    Gguf file = gguf_model("llama");
    file.tensor("rope_freqs.weight", std::vector<float>(32, 2.0F));
    test::write_gguf(folder / "m.gguf", file.bytes());
    const Model model = open_model(folder / "m.gguf");
    const Model again = parse_model(model.config.text, "config");
    EXPECT_EQ(again.text->rope, model.text->rope);
    EXPECT_EQ(open_with_tensors(folder / "m.gguf").text->rope, model.text->rope);
    // By its first bytes, whatever its name.
    std::filesystem::rename(folder / "m.gguf", folder / "blob");
    EXPECT_EQ(open_with_tensors(folder / "blob").text->rope, model.text->rope);
    test::write_gguf(folder / "not.gguf", "{}");
    EXPECT_THAT(input_error([&] { open_model(folder / "not.gguf"); }),
                HasSubstr("a GGUF file begins with the letters GGUF"));
}

}  // namespace
}  // namespace ropescope::gguf
