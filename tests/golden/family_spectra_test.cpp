// Every row of assets/families.json, held to spectra that tests/golden/family_spectra/make.py made
// from the facts of tests/golden/families.json by the papers' formulas, layer by layer.
#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/file.h"
#include "core/formats/model_config.h"
#include "core/rope/spectrum.h"
#include "tests/support/paths.h"

namespace ropescope {
namespace {

using Json = nlohmann::json;

/// As in rope_params_test.cpp; Python's powers are right to one unit of 2^-53.
constexpr double kOfPython = 1e-14;

const std::filesystem::path kFamilyFolder =
    std::filesystem::path(test::source_dir()) / "tests/golden";

Json read_family_facts(const char* name) {
    return Json::parse(read_file(kFamilyFolder / name));
}

void expect_family_spectrum(const RopeSpec& rope, const Json& golden) {
    const Spectrum spectrum = make_spectrum(rope);
    const double factor = golden.at("attention_factor");
    EXPECT_NEAR(spectrum.attention_factor, factor, factor * kOfPython);
    ASSERT_EQ(spectrum.inv_freq_rad.size(), golden.at("inv_freq").size());
    for (std::size_t i = 0; i < spectrum.inv_freq_rad.size(); ++i) {
        const double expected = golden.at("inv_freq").at(i);
        EXPECT_NEAR(spectrum.inv_freq_rad[i], expected, expected * kOfPython) << "pair " << i;
    }
}

/// The layers of this type that turn, by the program.
std::vector<Index> numbers_of(const ModelConfig& model, const std::string& type) {
    std::vector<Index> numbers;
    for (std::size_t layer = 0; layer < model.layer_types.size(); ++layer) {
        if (model.layer_types[layer] == type) {
            numbers.push_back(static_cast<Index>(layer));
        }
    }
    return numbers;
}

void expect_family_layers(const ModelConfig& model, const Json& golden, const Json& spectra) {
    ASSERT_EQ(model.layer_ropes.size(), golden.at("layers").size());
    for (const LayerRope& layer : model.layer_ropes) {
        SCOPED_TRACE(layer.layer_type);
        ASSERT_TRUE(golden.at("layers").contains(layer.layer_type));
        const Json& meant = golden.at("layers").at(layer.layer_type);
        EXPECT_EQ(layer.rope.head_dim, meant.at("head_dim").get<int>());
        expect_family_spectrum(layer.rope, spectra.at(meant.at("spectrum").get<std::string>()));
        if (meant.contains("numbers")) {
            std::vector<Index> turning = numbers_of(model, layer.layer_type);
            std::erase_if(turning, [&](Index number) {
                return std::ranges::count(model.layers_without, number) > 0;
            });
            std::vector<Index> expected = meant.at("numbers");
            std::erase_if(expected, [&](Index number) {
                return std::ranges::count(model.layers_without, number) > 0;
            });
            EXPECT_EQ(turning, expected);
        }
    }
}

TEST(FamilySpectra, OfEveryRowLayerByLayer) {
    const Json golden = read_family_facts("family_spectra/spectra.json");
    ASSERT_GE(golden.at("cases").size(), 200U);
    std::set<std::string> held;
    const Json facts = read_family_facts("families.json");
    for (const Json& each : facts.at("cases")) {
        const std::string name = each.at("name");
        SCOPED_TRACE(name);
        ASSERT_TRUE(golden.at("cases").contains(name)) << "make.py has not run";
        const Json& meant = golden.at("cases").at(name);
        const ModelConfig model = parse_model_config(each.at("config").dump(), name);
        held.insert(model.model_type);
        expect_family_spectrum(model.rope,
                               golden.at("spectra").at(meant.at("spectrum").get<std::string>()));
        expect_family_layers(model, meant, golden.at("spectra"));
        EXPECT_EQ(model.layers_without, meant.at("without").get<std::vector<Index>>());
    }
    for (const ModelFamily& family : model_families()) {
        const bool notebook = family.model_type == kNotebookType;  // its files name no type
        EXPECT_TRUE(held.contains(notebook ? "" : std::string(family.model_type)))
            << family.model_type << " has no spectrum from elsewhere";
    }
}

}  // namespace
}  // namespace ropescope
