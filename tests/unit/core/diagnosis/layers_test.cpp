// Dumps of several layers: which of them are alike, and what is said of all.
#include "core/diagnosis/layers.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/diagnosis/expectation.h"
#include "core/diagnosis/report.h"
#include "core/diagnosis/words.h"
#include "core/formats/npy.h"
#include "core/rope/routes.h"
#include "tests/support/input_error.h"
#include "tests/support/temp_folder.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Index kLayerTokens = 48, kChannels = 32;
const RopeSpec kLayerSpec{.head_dim = kChannels, .rotary_dim = kChannels};

/// How a layer turns: q and k, by `sign` times their positions.
struct Turning {
    RopeSpec spec = kLayerSpec;
    Index q_sign = 1, k_sign = 1;
    double gain = 1.0;
};

void add_layer(std::vector<Tensor>& tensors, Index number, const Turning& turning = {}) {
    for (const std::string side : {"q", "k"}) {
        std::vector<double> before, after;
        for (Index token = 0; token < kLayerTokens; ++token) {
            std::vector<double> x(kChannels);
            for (std::size_t c = 0; c < x.size(); ++c) {
                const double phase = (side == "q" ? 0.3 : 1.9) + 0.7 * to_double(number);
                x[c] =
                    to_float(std::sin(phase + 5.0 * to_double(token) + static_cast<double>(c * c)));
            }
            const Index sign = side == "q" ? turning.q_sign : turning.k_sign;
            std::vector<double> y = rotate_by_elements(turning.spec, x, sign * token);
            for (double& value : y) {
                value *= turning.gain;
            }
            before.insert(before.end(), x.begin(), x.end());
            after.insert(after.end(), y.begin(), y.end());
        }
        const std::string name = "layers." + std::to_string(number) + "." + side;
        const std::vector<std::int64_t> shape = {1, 1, kLayerTokens, kChannels};
        tensors.push_back(make_tensor_as(Dtype::f32, name, shape, before));
        tensors.push_back(make_tensor_as(Dtype::f32, name + "_rot", shape, after));
    }
}

/// Layers 0, 1, 2, ...
std::vector<Tensor> layer_tensors(const std::vector<Turning>& turnings) {
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < turnings.size(); ++i) {
        add_layer(tensors, static_cast<Index>(i), turnings[i]);
    }
    return tensors;
}

LayeredDiagnosis diagnosed_layers(const std::vector<Tensor>& tensors,
                                  const Expectation* expectation = nullptr) {
    std::vector<TensorBytes> views;
    for (const Tensor& tensor : tensors) {
        views.push_back(tensor.view());
    }
    return diagnose_layers(DumpFile::of(views, nullptr, "dump.npz"), expectation);
}

LayeredDiagnosis diagnosed_layers(const std::vector<Turning>& turnings,
                                  const Expectation* expectation = nullptr) {
    return diagnosed_layers(layer_tensors(turnings), expectation);
}

/// Where the first finding with this code is; "none" without one.
std::string where(const LayeredDiagnosis& found, const std::string& code) {
    for (const Finding& finding : found.whole.findings) {
        if (finding.code == code) {
            return finding.where();
        }
    }
    return "none";
}

Turning with_base(double base) {
    Turning turning;
    turning.spec.base = base;
    return turning;
}

const Turning kStill{.q_sign = 0, .k_sign = 0};

TEST(Layers, ThatDoTheSameAreOneKind) {
    const LayeredDiagnosis found = diagnosed_layers(std::vector<Turning>(4));
    EXPECT_EQ(found.whole.verdict, Verdict::valid);
    EXPECT_THAT(found.whole.summary(), HasSubstr("valid: layers 0 to 3: half-split"));
    ASSERT_THAT(found.kinds, SizeIs(1));
    EXPECT_THAT(found.kinds.front().layers, ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(found.whole.base, 10000.0);
    EXPECT_EQ(where(found, "spectrum.default"), "q and k");
    EXPECT_EQ(where(found, "spectrum.per_layer"), "none");
}

TEST(Layers, TheWorstDecidesAndFindingsNameTheirLayers) {
    std::vector<Turning> all(5);
    all[3].k_sign = -1;
    const LayeredDiagnosis found = diagnosed_layers(all);
    EXPECT_EQ(found.whole.verdict, Verdict::invalid);
    EXPECT_FALSE(passes(found.whole));
    EXPECT_EQ(where(found, "sign.k_reversed"), "k, layer 3");
    EXPECT_EQ(where(found, "layout.half_split"), "q and k");
    EXPECT_EQ(found.whole.summary(), "invalid: k turns the other way than q. (k, layer 3)");
    ASSERT_THAT(found.kinds, SizeIs(2));
    EXPECT_THAT(found.kinds[0].layers, ElementsAre(0, 1, 2, 4));
    EXPECT_EQ(found.kinds[0].diagnosis.verdict, Verdict::valid);
    EXPECT_THAT(found.kinds[1].layers, ElementsAre(3));
    const std::string report = diagnosis_text(found);
    EXPECT_THAT(report, HasSubstr("\nlayers 0 to 2 and 4: valid: half-split"));
    EXPECT_THAT(report, HasSubstr("\nlayer 3: invalid: k turns the other way than q.\n"));
}

TEST(Layers, EquivalentAndUndeterminedAreWorseThanValid) {
    std::vector<Turning> all(3);
    all[1].q_sign = all[1].k_sign = -1;
    EXPECT_EQ(diagnosed_layers(all).whole.verdict, Verdict::equivalent);
    std::vector<Tensor> tensors = layer_tensors(all);
    for (Tensor& tensor : tensors) {
        if (tensor.name.starts_with("layers.2.")) {
            std::ranges::fill(tensor.bytes, std::byte{0});
        }
    }
    const LayeredDiagnosis found = diagnosed_layers(tensors);
    EXPECT_EQ(found.whole.verdict, Verdict::undetermined);
    EXPECT_THAT(found.whole.summary(), HasSubstr("undetermined: layer 2: q is zero everywhere"));
    EXPECT_THAT(texts_of(found.whole.next),
                ElementsAre(AllOf(HasSubstr("layer 2: q is zero everywhere"),
                                  HasSubstr("the same holds for k"))));
}

TEST(Layers, MayTurnAtSpeedsOfTheirOwn) {
    std::vector<Turning> all(6, with_base(10000.0));
    all[5] = with_base(1000000.0);
    const LayeredDiagnosis found = diagnosed_layers(all);
    EXPECT_EQ(found.whole.verdict, Verdict::valid);
    EXPECT_FALSE(found.whole.base);
    EXPECT_EQ(found.whole.layout, "half_split");
    EXPECT_THAT(found.whole.summary(),
                HasSubstr("layers 0 to 4: half-split, 32 of 32 channels turn, base 10000; layer 5: "
                          "half-split, 32 of 32 channels turn, base 1000000"));
    EXPECT_EQ(where(found, "spectrum.per_layer"), "q and k");
    EXPECT_THAT(diagnosis_text(found),
                HasSubstr("Layers turn at 2 different sets of speeds: layers 0 to 4: base 10000; "
                          "layer 5: base 1000000."));
}

TEST(Layers, DifferentLayoutsAreAFault) {
    std::vector<Turning> all(3);
    all[2].spec.layout = Layout::interleaved;
    const LayeredDiagnosis found = diagnosed_layers(all);
    EXPECT_EQ(found.whole.verdict, Verdict::invalid);
    EXPECT_EQ(where(found, "layout.interleaved"), "q and k, layer 2");
    EXPECT_EQ(where(found, "layout.half_split"), "q and k, layers 0 and 1");
    EXPECT_EQ(found.kinds[1].diagnosis.verdict, Verdict::valid);
}

TEST(Layers, WithOtherFactorsAreNotOneKind) {
    std::vector<Turning> all(4);
    all[1].gain = all[3].gain = 1.2;
    all[2].gain = 1.3;
    const LayeredDiagnosis found = diagnosed_layers(all);
    ASSERT_THAT(found.kinds, SizeIs(3));
    EXPECT_THAT(found.kinds[1].layers, ElementsAre(1, 3));
    EXPECT_EQ(where(found, "gain"), "q and k, layers 1 and 3");
    EXPECT_FALSE(found.whole.gain);
}

TEST(Layers, OneInSeveralMayLeaveTheRotationOut) {
    std::vector<Turning> all(8);
    all[3] = all[7] = kStill;
    const LayeredDiagnosis every_fourth = diagnosed_layers(all);
    EXPECT_EQ(every_fourth.whole.verdict, Verdict::valid);
    EXPECT_EQ(where(every_fourth, "rows.unrotated"), "q and k, layers 3 and 7");
    all[5] = kStill;
    const LayeredDiagnosis without_rule = diagnosed_layers(all);
    EXPECT_EQ(without_rule.whole.verdict, Verdict::invalid);
    EXPECT_EQ(where(without_rule, "rows.unrotated"), "q and k, layers 3, 5 and 7");
    // A rule needs two layers; one may be the first of them.
    EXPECT_EQ(diagnosed_layers({{}, {}, {}, kStill}).whole.verdict, Verdict::undetermined);
    EXPECT_EQ(diagnosed_layers({kStill, {}, {}, {}}).whole.verdict, Verdict::invalid);
    // Nothing at all turns: that is a spectrum.
    EXPECT_EQ(where(diagnosed_layers({kStill, kStill}), "spectrum.zero"), "q and k");
}

TEST(Layers, AreHeldToTheLayersThatAModelTurns) {
    const auto expected = [](const std::string& list) {
        return parse_expectation(
            R"({"model_type": "smollm3", "hidden_size": 64, "num_attention_heads": 2,
                "num_key_value_heads": 2, "num_hidden_layers": 4, "rope_theta": 10000,
                "no_rope_layers": )" +
                list + "}",
            "config.json");
    };
    const Expectation first_still = expected("[0, 1, 1, 1]"), none_still = expected("[1, 1, 1, 1]");
    EXPECT_THAT(first_still.layers_without, ElementsAre(0));
    const std::vector<Turning> all = {kStill, {}, {}, {}};
    const LayeredDiagnosis right = diagnosed_layers(all, &first_still);
    EXPECT_EQ(right.whole.verdict, Verdict::valid);
    EXPECT_THAT(right.whole.mismatches, IsEmpty());
    EXPECT_TRUE(passes(right.whole));
    const LayeredDiagnosis wrong = diagnosed_layers(all, &none_still);
    EXPECT_EQ(wrong.whole.verdict, Verdict::invalid);
    ASSERT_THAT(wrong.whole.mismatches, SizeIs(1));
    EXPECT_EQ(wrong.whole.mismatches.front().text(),
              "layer 0: found no rotation, expected a rotation");
    const LayeredDiagnosis turned = diagnosed_layers(std::vector<Turning>(4), &first_still);
    EXPECT_EQ(turned.whole.verdict, Verdict::valid);
    ASSERT_THAT(turned.whole.mismatches, SizeIs(1));
    EXPECT_EQ(turned.whole.mismatches.front().text(),
              "layer 0: found a rotation, expected no rotation");
    EXPECT_FALSE(passes(turned.whole));
}

/// A model of six layers of which the last has full attention, at another base, and reads 8 times
/// as many positions.
Expectation gemma3() {
    return parse_expectation(
        R"({"model_type": "gemma3_text", "hidden_size": 64, "head_dim": 32, "num_attention_heads": 2,
            "num_key_value_heads": 2, "num_hidden_layers": 6, "rope_theta": 1000000,
            "rope_local_base_freq": 10000, "rope_scaling": {"rope_type": "linear", "factor": 8.0}})",
        "config.json");
}

TEST(Layers, AreHeldToTheirType) {
    const Expectation expectation = gemma3();
    Turning global = with_base(1000000.0);
    global.spec.scaling = LinearScaling{.factor = 8.0};
    std::vector<Turning> all(6);
    all[5] = global;
    const LayeredDiagnosis right = diagnosed_layers(all, &expectation);
    EXPECT_TRUE(passes(right.whole)) << right.whole.summary();
    EXPECT_THAT(right.whole.mismatches, IsEmpty());
    const LayeredDiagnosis local = diagnosed_layers(std::vector<Turning>(6), &expectation);
    EXPECT_FALSE(passes(local.whole));
    EXPECT_EQ(local.whole.mismatches.front().text(),
              "layer 5: base 10000, expected 1000000 in layers of type full_attention");
    std::swap(all[0], all[5]);
    const LayeredDiagnosis moved = diagnosed_layers(all, &expectation);
    EXPECT_FALSE(passes(moved.whole));
    EXPECT_EQ(moved.whole.mismatches.front().text(),
              "layer 0: base 1000000, expected 10000 in layers of type sliding_attention");
}

TEST(Layers, WithFullAttentionTurnNothingInCohere2) {
    for (const char* more : {"", R"(, "sliding_window_pattern": 4)",
                             R"(, "layer_types": ["sliding_attention", "sliding_attention",
                                 "sliding_attention", "full_attention"])"}) {
        const Expectation expectation = parse_expectation(
            std::string(R"({"model_type": "cohere2", "hidden_size": 64, "head_dim": 32,
                "num_attention_heads": 2, "num_key_value_heads": 2, "num_hidden_layers": 4,
                "sliding_window": 4096, "rope_theta": 10000)") +
                more + "}",
            "config.json");
        std::vector<Turning> all(4);
        for (Turning& turning : all) {
            turning.spec.layout = Layout::interleaved;
        }
        const std::vector<Turning> turned = all;
        all[3] = kStill;
        EXPECT_TRUE(passes(diagnosed_layers(all, &expectation).whole)) << more;
        const LayeredDiagnosis wrong = diagnosed_layers(turned, &expectation);
        ASSERT_THAT(wrong.whole.mismatches, SizeIs(1)) << more;
        EXPECT_EQ(wrong.whole.mismatches.front().text(),
                  "layer 3: found a rotation, expected no rotation");
        std::swap(all[0], all[3]);
        EXPECT_FALSE(passes(diagnosed_layers(all, &expectation).whole)) << more;
    }
}

/// A file of a family that nobody knows: its keys give a base for each layer, and no key the
/// layout.
TEST(Layers, ALayoutThatNoKeyStatesAccusesNobody) {
    const Expectation expectation = parse_expectation(
        R"({"model_type": "new_model", "hidden_size": 64, "num_attention_heads": 2,
            "num_hidden_layers": 3, "layer_rope_theta": [10000, 500000, 0]})",
        "config.json");
    EXPECT_TRUE(expectation.any_layout);
    for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
        std::vector<Turning> all = {with_base(10000.0), with_base(500000.0), kStill};
        for (Turning& turning : all) {
            turning.spec.layout = layout;
        }
        const LayeredDiagnosis right = diagnosed_layers(all, &expectation);
        EXPECT_TRUE(passes(right.whole)) << diagnosis_text(right);
        EXPECT_THAT(diagnosis_text(right),
                    testing::StartsWith("INFERRED, not known: config.json: model_type 'new_model' "
                                        "is not known"));
        std::swap(all[0], all[1]);
        EXPECT_FALSE(passes(diagnosed_layers(all, &expectation).whole)) << "bases are stated";
    }
}

/// A file of an unknown family that states a scaling, and neither base nor width nor layout.
Expectation expectation_with_guesses(const std::string& more = "") {
    return parse_expectation(
        R"({"model_type": "new_model", "hidden_size": 64, "num_attention_heads": 2,
            "rope_scaling": {"type": "linear", "factor": 4.0})" +
            more + "}",
        "config.json");
}

Turning quarter_speed() {
    Turning turning;
    turning.spec.scaling = LinearScaling{4.0};
    return turning;
}

TEST(InferredFacts, ThatDifferAreSaidFirstAndDoNotFail) {
    const Expectation expectation = expectation_with_guesses();
    ASSERT_TRUE(expectation.any_base && expectation.any_width && expectation.any_layout);
    Turning base = quarter_speed(), width = base, all = base;
    base.spec.base = all.spec.base = 50000.0;
    width.spec.rotary_dim = all.spec.rotary_dim = 16;
    all.spec.layout = Layout::interleaved;
    const auto said = [&](const Turning& turning) {
        const LayeredDiagnosis found = diagnosed_layers({turning, turning}, &expectation);
        EXPECT_TRUE(passes(found.whole)) << diagnosis_text(found);
        std::vector<std::string> texts;
        for (const Finding& each : found.whole.inferred_differences) {
            texts.push_back(each.text());
        }
        EXPECT_EQ(nlohmann::json::parse(diagnosis_json(found))["inferred_differences"].size(),
                  texts.size());
        return texts;
    };
    EXPECT_THAT(said(quarter_speed()), IsEmpty());
    EXPECT_THAT(said(base), ElementsAre("base 50000, inferred 10000"));
    EXPECT_THAT(said(width), ElementsAre("rotary_dim 16, inferred 32"));
    EXPECT_THAT(said(all), ElementsAre("layout interleaved, inferred half-split",
                                       "rotary_dim 16, inferred 32", "base 50000, inferred 10000"));
    EXPECT_THAT(diagnosis_text(diagnosed_layers({base}, &expectation)),
                HasSubstr("any one is taken as right\ndiffers from what was inferred: base 50000, "
                          "inferred 10000\nvalid: "));
}

TEST(InferredFacts, DoNotExplainAnythingElse) {
    const Expectation expectation = expectation_with_guesses();
    const auto fails = [](const std::vector<Turning>& turnings, const Expectation& expected) {
        return !passes(diagnosed_layers(turnings, &expected).whole);
    };
    Turning base = quarter_speed();
    base.spec.base = 50000.0;
    Turning unscaled = base, reversed = base, longer = base, other_factor = base;
    unscaled.spec.scaling = NoScaling{};
    reversed.k_sign = -1;
    longer.gain = 1.1;
    other_factor.spec.scaling = LinearScaling{8.0};
    for (const Turning& wrong : {unscaled, reversed, longer, other_factor}) {
        EXPECT_TRUE(fails({wrong}, expectation));
    }
    EXPECT_TRUE(fails({base}, expectation_with_guesses(R"(, "rope_theta": 10000)")));
    Turning width = quarter_speed();
    width.spec.rotary_dim = 16;
    EXPECT_TRUE(fails({width}, expectation_with_guesses(R"(, "partial_rotary_factor": 1.0)")));
    EXPECT_TRUE(fails({quarter_speed(), base}, expectation)) << "both cannot be right";
    const LayeredDiagnosis found = diagnosed_layers({quarter_speed(), base}, &expectation);
    EXPECT_EQ(found.whole.mismatches.back().text(),
              "base 50000 in some layers and 10000 in others: no key says which, and not both are "
              "right");
}

TEST(Layers, MismatchesNameTheirLayers) {
    Expectation expectation{.name = "config.json", .specs = {kLayerSpec}};
    const LayeredDiagnosis found =
        diagnosed_layers({with_base(10000.0), with_base(500000.0)}, &expectation);
    ASSERT_THAT(found.whole.mismatches, SizeIs(1));
    EXPECT_EQ(found.whole.mismatches.front().text(), "layer 1: base 500000, expected 10000");
    EXPECT_FALSE(passes(found.whole));
}

TEST(Layers, AreReadOneAtATime) {
    const test::TempFolder folder;
    std::vector<Tensor> tensors = layer_tensors(std::vector<Turning>(2));
    const float nan = std::nanf("");
    std::memcpy(tensors.back().bytes.data(), &nan, sizeof nan);
    write_npz(folder / "dump.npz", tensors);
    const DumpFile file = DumpFile::open(folder / "dump.npz");
    EXPECT_THAT(file.layers(), ElementsAre(0, 1));
    // The second layer is damaged, and the first is right.
    std::weak_ptr<const void> memory;
    {
        const Dump dump = file.read(0);
        EXPECT_EQ(diagnose(dump).verdict, Verdict::valid);
        memory = dump.owner;
    }
    EXPECT_TRUE(memory.expired());
    EXPECT_EQ(diagnose(file.read(1)).findings.front().code, "values.not_finite");
    const LayeredDiagnosis found = diagnose_layers(file);
    EXPECT_THAT(diagnosis_text(found), HasSubstr("values.not_finite (k, token 0, layer 1)"));
}

/// A layer whose heads of q come out in this order; head h is h + 1 times as long as head 0.
void add_moved_heads(std::vector<Tensor>& tensors, Index number, const std::vector<Index>& order) {
    add_layer(tensors, number);
    const Index heads = std::ssize(order);
    std::vector<double> before, after;
    for (Index head = 0; head < heads; ++head) {
        for (Index token = 0; token < kLayerTokens; ++token) {
            const auto row_of = [&](Index which) {
                std::vector<double> x(kChannels);
                for (std::size_t c = 0; c < x.size(); ++c) {
                    const double at = to_double(97 * which + 31 * token + number);
                    x[c] =
                        to_float(to_double(which + 1) * std::sin(at + static_cast<double>(c * c)));
                }
                return x;
            };
            const std::vector<double> x = row_of(head);
            const std::vector<double> y =
                rotate_by_elements(kLayerSpec, row_of(order[head]), token);
            before.insert(before.end(), x.begin(), x.end());
            after.insert(after.end(), y.begin(), y.end());
        }
    }
    const std::vector<std::int64_t> shape = {1, heads, kLayerTokens, kChannels};
    for (Tensor& tensor : tensors) {
        const std::string name = "layers." + std::to_string(number) + ".q";
        if (tensor.name == name || tensor.name == name + "_rot") {
            tensor = make_tensor_as(Dtype::f32, tensor.name, shape,
                                    tensor.name == name ? before : after);
        }
    }
}

TEST(Layers, HeadsThatMoveToOtherPlacesMakeKindsOfTheirOwn) {
    std::vector<Tensor> tensors;
    add_moved_heads(tensors, 0, {1, 0, 2, 3});
    add_moved_heads(tensors, 1, {0, 1, 3, 2});
    add_moved_heads(tensors, 2, {1, 0, 2, 3});
    const LayeredDiagnosis found = diagnosed_layers(tensors);
    ASSERT_THAT(found.kinds, SizeIs(2));
    EXPECT_THAT(found.kinds[0].layers, ElementsAre(0, 2));
    EXPECT_THAT(found.kinds[1].layers, ElementsAre(1));
    EXPECT_THAT(found.kinds[0].diagnosis.findings.front().text(),
                HasSubstr("head 0 of q_rot has the lengths of head 1 of q"));
    EXPECT_THAT(found.kinds[1].diagnosis.findings.front().text(),
                HasSubstr("head 2 of q_rot has the lengths of head 3 of q"));
    EXPECT_THAT(diagnosis_text(found), HasSubstr("(q, layer 1): The heads of q come out"));
}

}  // namespace
}  // namespace ropescope::diagnosis
