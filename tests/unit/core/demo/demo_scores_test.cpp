// What the engine counts on the held-out text, against what the script that trained the demo models
// counted with PyTorch: assets/demo-roformer/scores.json.
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/checks/reference/reference_encoder.h"
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
    std::cerr << of << " " << found.right << " " << expected.at("right") << " " << found.undecided
              << "\n";
    EXPECT_LE(std::abs(found.right - expected.at("right").get<Index>()), found.undecided)
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

/// Two engines in fp32 may each err by the bound of core/checks/reference in each of two logits:
/// where these differ by more than four times the bound, both name the same piece. The bound is
/// that of a text of the training's length.
double undecided_logits(const EncoderFiles& files, const EncoderRope& rope) {
    EncoderInput input;
    const std::vector<Index>& ids = demo::held_out_text().ids;
    input.ids = {ids.begin(), ids.begin() + demo::kTrainedLength};
    input.shape = {1, demo::kTrainedLength};
    const Estimates logits = reference_forward(files.config, files.weights, input, rope).logits;
    double largest = 0.0;
    for (std::size_t i = 0; i < logits.value.size(); ++i) {
        largest = std::max(largest, logits.bound(i));
    }
    return 4.0 * largest;
}

TEST(DemoScores, AreThoseOfTheScript) {
    const auto engine = make_cpu_engine();
    const EncoderFiles files = demo::demo_model(demo::DemoModel::rope);
    const Encoder encoder(*engine, files.config, files.weights);
    const json script = script_counts("rope");
    const double undecided = undecided_logits(files, {});
    for (const json& of : script.at("changes")) {
        const std::string change = of.at("change");
        expect_the_same(
            demo::masked_accuracy(encoder, demo::kTrainedLength, rope_of_change(change), undecided),
            of, change);
    }
    ASSERT_EQ(script.at("lengths").size(), 20U);
    for (const json& of : script.at("lengths")) {
        const std::string method = of.at("scaling");
        const Index length = of.at("length");
        expect_the_same(
            demo::masked_accuracy(encoder, length, rope_of_scaling(files.config, method, length),
                                  undecided),
            of, fmt::format("{} at {}", method, length));
    }
}

TEST(DemoScores, OfTheTwinWithoutPositionAreThoseOfTheScript) {
    const auto engine = make_cpu_engine();
    const EncoderFiles files = demo::demo_model(demo::DemoModel::no_position);
    const Encoder encoder(*engine, files.config, files.weights);
    const json script = script_counts("none");
    const EncoderRope off = rope_of_change("off");
    const double undecided = undecided_logits(files, off);
    expect_the_same(demo::masked_accuracy(encoder, demo::kTrainedLength, off, undecided),
                    script.at("changes").at(0), "the twin");
}

}  // namespace
}  // namespace ropescope::test
