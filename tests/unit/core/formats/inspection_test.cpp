#include "core/formats/inspection.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/model_family.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"
#include "tests/support/input_error.h"
#include "tests/support/paths.h"
#include "tests/support/safetensors_bytes.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

using test::input_error;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kConfig =
    R"({"model_type":"llama","hidden_size":64,"num_attention_heads":1,"rope_theta":500000.0})";

TEST(Inspection, AFolderGivesItsConfigAndItsTensors) {
    const test::TempFolder folder;
    write_file_whole(folder / "config.json", kConfig);
    const std::vector<float> values(6, 1.0F);
    const Tensor first = make_tensor("b", {2, 3}, std::span(values));
    const Tensor second = make_tensor("a", {6}, std::span(values));
    write_safetensors(folder / "model-2.safetensors", std::vector{first});
    write_safetensors(folder / "model-1.safetensors", std::vector{second});
    const Inspection found = list_contents(folder.path());
    EXPECT_EQ(found.config.text, kConfig);
    ASSERT_EQ(found.files.size(), 2U);
    EXPECT_EQ(found.files[0].tensors[0].name, "a") << "files by name";
    EXPECT_THAT(found.files[1].tensors[0].shape, ElementsAre(2, 3));
    EXPECT_EQ(found.files[1].count(), 6);
    EXPECT_EQ(found.files[1].bytes(), 24);
    EXPECT_TRUE(list_contents(folder / "model-1.safetensors").config.text.empty());
}

TEST(Inspection, ListsDtypesThatAreNotRead) {
    const test::TempFolder folder;
    const std::string header = R"({"w":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[0,3]},)"
                               R"("s":{"dtype":"I16","shape":[2],"data_offsets":[3,7]}})";
    write_file_whole(folder / "x.safetensors", test::safetensors_bytes(header, 7));
    const TensorFile file = list_contents(folder / "x.safetensors").files.at(0);
    ASSERT_EQ(file.tensors.size(), 2U);
    EXPECT_EQ(file.tensors[0].dtype, Dtype::f8_e4m3);
    EXPECT_EQ(file.tensors[1].bytes, 4);
    const SafetensorsFile opened = SafetensorsFile::open(folder / "x.safetensors");
    EXPECT_THAT(input_error([&] { to_f32(opened.at("w")); }),
                AllOf(HasSubstr("'w'"), HasSubstr("F8_E4M3"), HasSubstr("BF16")));
    EXPECT_EQ(to_f32(opened.at("s")).size(), 2U);
}

TEST(Inspection, AnNpyByItsFirstBytes) {
    const test::TempFolder folder;
    const std::vector<float> values(12, 1.0F);
    write_npy(folder / "dump", make_tensor("dump", {3, 4}, std::span(values)).view());
    const TensorFile file = list_contents(folder / "dump").files.at(0);
    EXPECT_EQ(file.format, "npy");
    EXPECT_THAT(file.tensors.at(0).shape, ElementsAre(3, 4));
}

TEST(Inspection, NamesWhatLiesBesideAConfig) {
    const test::TempFolder folder;
    for (const auto& [name, said] : std::vector<std::pair<std::string, std::string>>{
             {"tokenizer.json", "describes a tokenizer"},
             {"generation_config.json", "how text is generated"},
             {"model.safetensors.index.json", "which file has which tensor"}}) {
        write_file_whole(folder / name, "{}");
        EXPECT_THAT(input_error([&] { list_contents(folder / name); }),
                    AllOf(HasSubstr(said), HasSubstr("open the config.json beside it")));
    }
    write_file_whole(folder / "pytorch_model.bin", "PK\x03\x04 and more");
    EXPECT_THAT(input_error([&] { list_contents(folder / "pytorch_model.bin"); }),
                HasSubstr("torch.save"));
    write_file_whole(folder / "x", "");
    EXPECT_THAT(input_error([&] { list_contents(folder / "x"); }), HasSubstr("is empty"));
}

TEST(Inspection, SaysWhatIsExpected) {
    const test::TempFolder folder;
    EXPECT_THAT(input_error([&] { list_contents(folder.path()); }),
                AllOf(HasSubstr("config.json"), HasSubstr(".safetensors")));
    write_file_whole(folder / "notes", "some words");
    EXPECT_THAT(input_error([&] { list_contents(folder / "notes"); }),
                AllOf(HasSubstr("notes"), HasSubstr(".npz")));
    EXPECT_THAT(input_error([&] { list_contents(folder / "none.json"); }),
                HasSubstr("No such file"));
}

}  // namespace
}  // namespace ropescope
