// Archives of NumPy that we write: read back whole, and the same bytes every time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/formats/npy.h"
#include "tests/support/input_error.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

TEST(WriteNpz, ComesBackAsItWasWritten) {
    const test::TempFolder folder;
    const std::vector<double> numbers = {1.5, -2.0, 0.25, 3.0, 4.0, -0.5};
    const std::vector<std::int64_t> ids = {7, -9};
    std::vector<Tensor> tensors;
    for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::f16, Dtype::bf16}) {
        tensors.push_back(make_tensor_as(dtype, std::string("as_") + std::string(to_string(dtype)),
                                         {2, 1, 3}, numbers));
    }
    tensors.push_back(make_tensor("ids", {2}, std::span(ids)));
    write_npz(folder / "one.npz", tensors);
    write_npz(folder / "two.npz", tensors);
    const std::vector<Tensor> read = read_npz(folder / "one.npz");
    ASSERT_EQ(read.size(), tensors.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
        EXPECT_EQ(read[i].name, tensors[i].name);
        EXPECT_EQ(read[i].dtype, tensors[i].dtype);
        EXPECT_EQ(read[i].shape, tensors[i].shape);
        EXPECT_EQ(read[i].bytes, tensors[i].bytes);
    }
    EXPECT_EQ(read_file(folder / "one.npz"), read_file(folder / "two.npz"));
}

TEST(WriteNpz, AFolderThatIsNotThereIsOneLine) {
    const std::vector<Tensor> one = {make_tensor_as(Dtype::f32, "x", {1}, std::vector{1.0})};
    EXPECT_THAT(test::input_error([&] { write_npz("/none/one.npz", one); }),
                testing::HasSubstr("/none/one.npz"));
}

}  // namespace
}  // namespace ropescope
