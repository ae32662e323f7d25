// From a config.json to inv_freq and the attention factor, against numbers from another
// implementation (tests/golden/ORIGIN.md).
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/formats/model_config.h"
#include "core/rope/spectrum.h"
#include "core/scaling/method.h"
#include "core/scaling/yarn.h"
#include "tests/support/paths.h"

namespace ropescope {
namespace {

/// Ours: a method adds at most ten operations to a frequency that is right to 1.02 units of 2^-53;
/// theirs: torch's float64 powers, 3e-16 from the papers' formulas by their own measurement.
constexpr double kRelative = 1e-14;

double number_of(const nlohmann::json& text) {
    return std::stod(text.get<std::string>());
}

TEST(RopeParams, SpectraOfPublishedAndSyntheticConfigs) {
    const auto path =
        std::filesystem::path(test::source_dir()) / "tests/golden/rope_params/published.json";
    const nlohmann::json cases = nlohmann::json::parse(read_file(path));
    ASSERT_EQ(cases.size(), 12U);
    for (const nlohmann::json& golden : cases) {
        SCOPED_TRACE(golden.at("name").get<std::string>());
        ModelConfig model = parse_model_config(golden.at("config").dump(), "config.json");
        model.rope.seq_len = golden.at("seq_len").get<std::int64_t>();
        EXPECT_EQ(scaling_type(model.rope.scaling), golden.at("rope_type").get<std::string>());
        EXPECT_EQ(model.rope.rotary_dim, golden.at("rotary_dim").get<int>());
        const Spectrum spectrum = make_spectrum(model.rope);
        const double factor = number_of(golden.at("attention_factor"));
        EXPECT_NEAR(spectrum.attention_factor, factor, factor * 4 * 0x1p-53);
        ASSERT_EQ(spectrum.inv_freq_rad.size(), golden.at("inv_freq").size());
        for (std::size_t i = 0; i < spectrum.inv_freq_rad.size(); ++i) {
            const double expected = number_of(golden.at("inv_freq").at(i));
            EXPECT_NEAR(spectrum.inv_freq_rad[i], expected, expected * kRelative) << "pair " << i;
        }
        if (const auto* yarn = std::get_if<YarnScaling>(&model.rope.scaling)) {
            const YarnRamp ramp = yarn_ramp(*yarn, frequency_input(model.rope));
            EXPECT_NEAR(ramp.low, golden.at("yarn").at("low").get<double>(), 1e-12);
            EXPECT_NEAR(ramp.high, golden.at("yarn").at("high").get<double>(), 1e-12);
        }
    }
}

}  // namespace
}  // namespace ropescope
