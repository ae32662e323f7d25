#include "core/models/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/write_file.h"
#include "core/formats/presets.h"
#include "core/formats/safetensors.h"
#include "core/schemes/part.h"
#include "tests/support/input_error.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

using test::input_error;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kLlama =
    R"({"model_type":"llama","hidden_size":64,"num_attention_heads":1,"rope_theta":500000.0})";

TEST(Models, EveryPublishedOneIsOpenedByItsName) {
    for (const auto* presets : {&one_axis_presets(), &several_axes_presets()}) {
        for (const Preset& preset : *presets) {
            const Model model = open_model(preset.name);
            EXPECT_TRUE(model.published);
            EXPECT_EQ(model.title, preset.title);
            EXPECT_EQ(model.turns_in_several_axes(), presets == &several_axes_presets())
                << preset.name;
            for (const Part& part : model.parts) {
                EXPECT_EQ(part.model, preset.name);
                EXPECT_NO_THROW(validate(part.scheme)) << preset.name;
            }
        }
    }
    EXPECT_EQ(open_model(kMixedStart).part().kind, "vision");
    EXPECT_EQ(open_model("llama-2-7b").part().reach, 4096);
}

TEST(Models, AFileOrItsFolder) {
    const test::TempFolder folder;
    std::filesystem::create_directory(folder / "llama-x");
    write_file_whole(folder / "llama-x/config.json", kLlama);
    for (const char* path : {"llama-x", "llama-x/config.json"}) {
        const Model model = open_model(folder / path);
        EXPECT_EQ(model.name, folder / "llama-x/config.json");
        EXPECT_EQ(model.text->title, "llama-x");
        EXPECT_EQ(model.part().spec->base, 500000);
        EXPECT_FALSE(model.published);
    }
    EXPECT_THAT(input_error([&] { open_model(folder.path()); }),
                AllOf(HasSubstr("config.json"), HasSubstr("No such file")));
}

TEST(Models, TensorsAloneAreAModelWithoutParts) {
    const test::TempFolder folder;
    const std::vector<float> values(6, 1.0F);
    const Tensor tensor = make_tensor("w", {6}, std::span(values));
    write_safetensors(folder / "w.safetensors", std::vector{tensor});
    const Model model = open_with_tensors(folder / "w.safetensors");
    EXPECT_TRUE(model.parts.empty());
    EXPECT_EQ(model.files.at(0).count(), 6);
    write_file_whole(folder / "config.json", kLlama);
    const Model both = open_with_tensors(folder.path());
    EXPECT_EQ(both.files.size(), 1U);
    EXPECT_EQ(both.part().spec->base, 500000);
}

TEST(Models, ANameThatIsNoneIsRefusedWithThoseThatAreNear) {
    EXPECT_EQ(input_error([] { open_model("lama-3-8b"); }),
              "'lama-3-8b' is neither a file nor a published model; did you mean 'llama-3-8b', "
              "'llama-2-7b' or 'llama-3-70b'?");
    EXPECT_EQ(input_error([] { open_model(""); }),
              "'' is neither a file nor a published model; give a path or a name like llama-3-8b");
    EXPECT_EQ(input_error([] { open_with_tensors("qwen2.5-vl-7"); }),
              input_error([] { open_config("qwen2.5-vl-7"); }));
    EXPECT_THAT(input_error([] { open_model("qwen2.5-vl-7"); }), HasSubstr("'qwen2.5-vl-7b'"));
    // These are meant as paths.
    for (const char* path : {"./qwen2-vl-7b", "config.json", "q.npy"}) {
        EXPECT_THAT(input_error([&] { open_model(path); }), HasSubstr("No such file")) << path;
    }
}

TEST(Models, TypesOfLayersAreParts) {
    const Model gemma = open_model("gemma-3-4b");
    EXPECT_EQ(gemma.part().name(), "full_attention");
    EXPECT_EQ(gemma.part("text").name(), "full_attention");
    EXPECT_EQ(gemma.part("sliding_attention").spec->base, 10000.0);
    EXPECT_THAT(input_error([&] { gemma.part("vision"); }),
                HasSubstr("'vision' is not a part of gemma-3-4b; give full_attention or "
                          "sliding_attention"));
    ASSERT_EQ(gemma.kinds().size(), 1U);
    EXPECT_EQ(gemma.kinds().front().kind, "text");
}

TEST(Models, APartIsTakenToALength) {
    const Model model =
        parse_model(R"({"model_type":"llama","hidden_size":64,"num_attention_heads":1,
                        "max_position_embeddings":2048,
                        "rope_scaling":{"type":"dynamic","factor":4.0}})",
                    "config.json");
    const Part at = model.part().at_length(8192);
    EXPECT_EQ(at.spec->seq_len, 8192);
    EXPECT_EQ(at.scheme.heads.front().inv_freq_rad, make_spectrum(*at.spec).inv_freq_rad);
    EXPECT_NE(at.scheme.heads.front().inv_freq_rad, model.part().scheme.heads.front().inv_freq_rad);
    const Part nanochat = part_of(RopeSpec{}, true);
    EXPECT_EQ(nanochat.scheme.heads.front().inv_freq_rad,
              text_scheme(RopeSpec{}, true).heads.front().inv_freq_rad);
}

TEST(OpenModel, TakesTheIdOfAPublishedModelsFile) {
    EXPECT_EQ(open_model("meta-llama/Llama-3.1-8B").title, "Llama 3.1 8B");
    EXPECT_EQ(open_model("qwen/qwen2-vl-7b-instruct").title, "Qwen2-VL 7B, text");
    EXPECT_EQ(find_preset("Qwen/Qwen2.5-7B-Instruct"), nullptr) << "a preset that changes the file";
    EXPECT_THAT(test::input_error([] { open_model("meta-llama/Llama-3.1-8B-Instruct"); }),
                testing::HasSubstr("llama-3.1-8b is one, from config.json of "
                                   "meta-llama/Llama-3.1-8B: give it, or the path"));
}

}  // namespace
}  // namespace ropescope
