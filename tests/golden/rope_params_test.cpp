// From a config.json to inv_freq, against numbers from another implementation
// (tests/golden/ORIGIN.md).
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/formats/model_config.h"
#include "core/rope/spectrum.h"

namespace ropescope {
namespace {

TEST(RopeParams, InvFreqOfPublishedModels) {
    const auto path =
        std::filesystem::path(ROPESCOPE_SOURCE_DIR) / "tests/golden/rope_params/default.json";
    const nlohmann::json cases = nlohmann::json::parse(read_file(path));
    ASSERT_EQ(cases.size(), 4U);
    for (const nlohmann::json& golden : cases) {
        const std::string name = golden.at("name");
        const ModelConfig model = parse_model_config(golden.at("config").dump(), name);
        EXPECT_EQ(model.rope.rotary_dim, golden.at("rotary_dim").get<int>()) << name;
        const Spectrum spectrum = make_spectrum(model.rope);
        ASSERT_EQ(spectrum.inv_freq_rad.size(), golden.at("inv_freq").size()) << name;
        for (std::size_t i = 0; i < spectrum.inv_freq_rad.size(); ++i) {
            const double expected = std::stod(golden.at("inv_freq").at(i).get<std::string>());
            // 4 units of 2^-53 of ours (spectrum.h) and as many of theirs.
            EXPECT_NEAR(spectrum.inv_freq_rad[i], expected, expected * 8 * 0x1p-53)
                << name << " pair " << i;
        }
    }
}

}  // namespace
}  // namespace ropescope
