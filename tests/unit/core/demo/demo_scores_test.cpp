// What the engine counts on the held-out text, against what the script that trained the demo models
// counted with PyTorch: assets/demo-roformer/scores.json.
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/demo/demo_file.h"
#include "core/demo/masked_accuracy.h"
#include "core/engine/engine.h"
#include "core/scaling/scaling.h"

namespace ropescope::test {
namespace {

using nlohmann::json;

/// The script's counts of the shipped model on the text that is shipped, too.
json script_counts(const std::string& position) {
    const json scores = json::parse(demo::demo_file("assets/demo-roformer/scores.json").value());
    for (const json& model : scores.at("models")) {
        if (model.at("position") == position && model.contains("sample")) {
            return model.at("sample");
        }
    }
    throw std::runtime_error("no counts of " + position);
}

/// Every place that is not undecided must come out alike.
void expect_the_same(const demo::MaskedCount& found, const json& expected, const std::string& of) {
    EXPECT_EQ(found.of, expected.at("of")) << of;
    EXPECT_LE(std::abs(found.right - expected.at("right").get<Index>()),
              std::max(found.undecided, expected.at("undecided").get<Index>()))
        << of << ": " << found.right << " are right, the script counted " << expected.dump();
}

EncoderRope rope_of_change(const std::string& change) {
    EncoderRope rope;
    rope.enabled = change != "off";
    if (change == "half_split") {
        rope.layout = Layout::half_split;
    }
    return rope;
}

/// The method in the words of a config.json, with the values of tools/train-demo/scalings.py.
EncoderRope rope_of_scaling(const EncoderConfig& config, const std::string& method, Index length) {
    EncoderRope rope;
    const double factor = to_double(length) / demo::kTrainedLength;
    if (method == "none" || factor == 1.0) {
        return rope;
    }
    RopeSpec spec = config.rope();
    spec.seq_len = length;
    if (method == "linear") {
        spec.scaling = LinearScaling{.factor = factor};
    } else if (method == "ntk") {
        spec.scaling = NtkScaling{.factor = factor};
    } else if (method == "yarn") {
        spec.scaling = YarnScaling{.factor = factor, .original_positions = demo::kTrainedLength};
    } else {
        spec.scaling = Llama3Scaling{.factor = factor, .original_positions = demo::kTrainedLength};
    }
    rope.spectrum = make_spectrum(spec);
    return rope;
}

TEST(DemoScores, AreThoseOfTheScript) {
    const auto engine = make_cpu_engine();
    const EncoderFiles files = demo::demo_model(demo::DemoModel::rope);
    const Encoder encoder(*engine, files.config, files.weights);
    const json script = script_counts("rope");
    for (const json& of : script.at("changes")) {
        const std::string change = of.at("change");
        expect_the_same(
            demo::masked_accuracy(encoder, demo::kTrainedLength, rope_of_change(change)), of,
            change);
    }
    ASSERT_EQ(script.at("lengths").size(), 20U);
    for (const json& of : script.at("lengths")) {
        const std::string method = of.at("scaling");
        const Index length = of.at("length");
        expect_the_same(
            demo::masked_accuracy(encoder, length, rope_of_scaling(files.config, method, length)),
            of, fmt::format("{} at {}", method, length));
    }
}

TEST(DemoScores, OfTheTwinWithoutPositionAreThoseOfTheScript) {
    const auto engine = make_cpu_engine();
    const EncoderFiles files = demo::demo_model(demo::DemoModel::no_position);
    const Encoder encoder(*engine, files.config, files.weights);
    const json script = script_counts("none");
    expect_the_same(demo::masked_accuracy(encoder, demo::kTrainedLength, rope_of_change("off")),
                    script.at("changes").at(0), "the twin");
}

}  // namespace
}  // namespace ropescope::test
