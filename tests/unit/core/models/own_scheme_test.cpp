// Frequencies and channels of one's own, the file of `rotate --spec`, wherever a model is taken.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/expectation.h"
#include "core/diff/model_diff.h"
#include "core/formats/safetensors.h"
#include "core/models/model.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

std::string write_own_scheme(const test::TempFolder& folder, const std::string& name, double base) {
    std::vector<double> omega;
    std::vector<std::int64_t> pairs;
    for (std::int64_t i = 0; i < 8; ++i) {
        omega.push_back(std::pow(base, -static_cast<double>(i) / 8.0));
        pairs.insert(pairs.end(), {i, i + 8});
    }
    const std::string path = folder / name;
    write_safetensors(path, std::vector<Tensor>{make_tensor("omega", {1, 8, 1}, std::span(omega)),
                                                make_tensor("pairs", {8, 2}, std::span(pairs))});
    return path;
}

TEST(OwnScheme, IsAModelOfOnePart) {
    const test::TempFolder folder;
    const std::string path = write_own_scheme(folder, "own.safetensors", 1e4);
    for (const Model& model : {open_model(path), open_with_tensors(path)}) {
        ASSERT_EQ(model.parts.size(), 1U);
        const RotaryScheme& scheme = model.part().scheme;
        EXPECT_EQ(scheme.head_dim, 16);
        EXPECT_EQ(scheme.axes, std::vector<std::string>{"position"});
        EXPECT_EQ(scheme.heads.front().omega_rad(4)[0], 0.01);
        EXPECT_EQ(diagnosis::expectation_of(model).schemes.size(), 1U);
    }
    EXPECT_EQ(open_with_tensors(path).files.size(), 1U);
}

TEST(OwnScheme, IsComparedWithAnother) {
    const test::TempFolder folder;
    const Model a = open_model(write_own_scheme(folder, "a.safetensors", 1e4));
    const Model b = open_model(write_own_scheme(folder, "b.safetensors", 2e4));
    EXPECT_EQ(report_of(diff::compare_models(a, a)).verdict, diff::Sameness::equal);
    const diff::ModelDifference found = diff::compare_models(a, b);
    EXPECT_EQ(report_of(found).verdict, diff::Sameness::different);
    ASSERT_TRUE(found.layers.front().frequencies);
    EXPECT_EQ(found.layers.front().frequencies->pair, 1);
}

TEST(OwnScheme, OtherTensorsAreNone) {
    const test::TempFolder folder;
    const std::string path = folder / "weights.safetensors";
    write_safetensors(path, std::vector<Tensor>{make_tensor("w", {2}, std::vector{1.0, 2.0})});
    EXPECT_FALSE(holds_scheme(path));
    EXPECT_FALSE(holds_scheme("llama-3-8b"));
    EXPECT_TRUE(open_with_tensors(path).parts.empty());
}

}  // namespace
}  // namespace ropescope
