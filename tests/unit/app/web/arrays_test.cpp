#include "app/web/arrays.h"

#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"
#include "tests/support/input_error.h"
#include "tests/support/temp_folder.h"

namespace ropescope::web {
namespace {

TEST(Arrays, AreOneDumpInTheirPlace) {
    const test::TempFolder folder;
    const std::vector<float> values = {1, 2, 3, 4, 5, 6};
    write_npy(folder / "q.npy", make_tensor("", {2, 3}, values).view());
    write_npy(folder / "Q_ROT.NPY", make_tensor("", {6}, values).view());
    write_file_whole(folder / "config.json", "{}");
    join_arrays(folder.path());
    const SafetensorsFile dump = SafetensorsFile::open(OpenedFile(folder / "arrays.safetensors"));
    ASSERT_EQ(dump.tensors().size(), 2U);
    EXPECT_EQ(dump.at("q").shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(to_f32(dump.at("Q_ROT")), values);
    EXPECT_FALSE(std::filesystem::exists(folder / "q.npy"));
    EXPECT_TRUE(std::filesystem::exists(folder / "config.json"));
}

TEST(Arrays, OneThatIsNoneIsNamed) {
    const test::TempFolder folder;
    write_file_whole(folder / "q.npy", "no array");
    EXPECT_NE(test::input_error([&] { join_arrays(folder.path()); }).find("q.npy"),
              std::string::npos);
}

}  // namespace
}  // namespace ropescope::web
