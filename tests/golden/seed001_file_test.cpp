// Files that another implementation of safetensors wrote (tests/golden/ORIGIN.md).
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/formats/safetensors.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

const std::filesystem::path kSeedFolder =
    std::filesystem::path(test::source_dir()) / "tests/golden/seed001";

TEST(Seed001File, ShapesAndDtypes) {
    const SafetensorsFile file = SafetensorsFile::open(kSeedFolder / "d2_s4_b10000_o0.safetensors");
    const TensorBytes& q = file.at("q");
    EXPECT_EQ(q.dtype, Dtype::f32);
    EXPECT_EQ(q.shape, (std::vector<std::int64_t>{2, 3, 4, 2}));
    EXPECT_EQ(file.at("f64_half_q").dtype, Dtype::f64);
    EXPECT_EQ(file.metadata().count("layout"), 1U);
    // Offset 0: the first position is not rotated.
    EXPECT_EQ(to_f32(q)[0], static_cast<float>(to_f64(file.at("f64_half_q"))[0]));
}

TEST(Seed001File, WrittenAgainIsTheSameFile) {
    const auto path = kSeedFolder / "d2_s4_b10000_o0.safetensors";
    const SafetensorsFile file = SafetensorsFile::open(path);
    std::vector<Tensor> tensors;
    for (const TensorBytes& tensor : file.tensors()) {
        tensors.push_back(
            {tensor.name, tensor.dtype, tensor.shape, {tensor.bytes.begin(), tensor.bytes.end()}});
    }
    const test::TempFolder folder;
    write_safetensors(folder / "again.safetensors", tensors, file.metadata());
    EXPECT_EQ(read_file(folder / "again.safetensors"), read_file(path));
}

}  // namespace
}  // namespace ropescope
