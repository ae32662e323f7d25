// The layers of a file by the names of its tensors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/dump_file.h"
#include "tests/support/input_error.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Names = std::vector<std::string>;
using Map = std::map<std::string, std::string>;

std::vector<LayerNames> layers(const Names& names, const Map& mapped = {}) {
    return layers_among(names, mapped, "dump.npz");
}

/// "3: q=layers.3.q q_rot=layers.3.q_rot"
std::string text(const std::vector<LayerNames>& layers) {
    std::string all;
    for (const LayerNames& layer : layers) {
        all += (all.empty() ? "" : "; ") + std::to_string(layer.number) + ":";
        for (const auto& [key, name] : layer.names) {
            all += " " + key + "=" + name;
        }
    }
    return all;
}

TEST(LayerNames, StandInFrontOrBehind) {
    EXPECT_EQ(text(layers({"layers.10.q", "layers.10.q_rot", "layers.2.q_rot", "layers.2.q"})),
              "2: q=layers.2.q q_rot=layers.2.q_rot; 10: q=layers.10.q q_rot=layers.10.q_rot");
    EXPECT_EQ(text(layers({"k.0", "k_rot.0"})), "0: k=k.0 k_rot=k_rot.0");
    EXPECT_EQ(text(layers({"k_7", "k_rot_7"})), "7: k=k_7 k_rot=k_rot_7");
    EXPECT_EQ(text(layers({"0/q", "0/q_rot"})), "0: q=0/q q_rot=0/q_rot");
    EXPECT_EQ(text(layers({"model.layers.3.self_attn.q", "model.layers.3.self_attn.q_rot"})),
              "3: q=model.layers.3.self_attn.q q_rot=model.layers.3.self_attn.q_rot");
    EXPECT_EQ(text(layers({"layer3_q", "layer3_q_rot"})), "3: q=layer3_q q_rot=layer3_q_rot");
    // A word that is a number counts before one that ends in a number.
    EXPECT_EQ(text(layers({"fp16.layers.4.q", "fp16.layers.4.q_rot"})),
              "4: q=fp16.layers.4.q q_rot=fp16.layers.4.q_rot");
}

TEST(LayerNames, OtherNamesHaveNone) {
    EXPECT_THAT(layers({"q", "q_rot", "positions"}), IsEmpty());
    EXPECT_THAT(layers({"layers.0.q_proj.weight", "freq", "layers.q", "layers.0.eq"}), IsEmpty());
    EXPECT_THAT(layers({"model.1.layers.2.q", "model.1.layers.2.q_rot"}), IsEmpty());
    EXPECT_THAT(layers({"layers.12345678.q", "layers.-1.q"}), IsEmpty());
    EXPECT_THAT(layers({"layers.0.positions"}), IsEmpty());
    EXPECT_THAT(layers({}), IsEmpty());
}

TEST(LayerNames, SharePositions) {
    EXPECT_EQ(text(layers({"positions", "layers.0.q", "layers.0.q_rot", "layers.1.q",
                           "layers.1.q_rot", "layers.1.positions"})),
              "0: positions=positions q=layers.0.q q_rot=layers.0.q_rot; "
              "1: positions=layers.1.positions q=layers.1.q q_rot=layers.1.q_rot");
    EXPECT_EQ(text(layers({"ids", "q.0", "q_rot.0"}, {{"positions", "ids"}})),
              "0: positions=ids q=q.0 q_rot=q_rot.0");
}

TEST(LayerNames, FollowPatterns) {
    const Names names = {"blk.0.Qcur", "blk.0.Qcur-rope", "blk.1.Qcur", "blk.1.Qcur-rope"};
    EXPECT_EQ(text(layers(names, {{"q", "blk.*.Qcur"}, {"q_rot", "blk.*.Qcur-rope"}})),
              "0: q=blk.0.Qcur q_rot=blk.0.Qcur-rope; 1: q=blk.1.Qcur q_rot=blk.1.Qcur-rope");
    // Names without a * are those of one dump, whatever else the file has.
    EXPECT_THAT(layers({"q", "q_rot", "layers.0.q", "layers.0.q_rot"}, {{"q", "q"}}), IsEmpty());
    EXPECT_EQ(text(layers({"q", "q_rot", "layers.0.q", "layers.0.q_rot"}, {{"q", "layers.*.q"}})),
              "0: q=layers.0.q q_rot=layers.0.q_rot");
}

TEST(LayerNames, RefuseWhatTheyCannotTell) {
    const auto refusal = [](const Names& names, const Map& mapped = {}) {
        return test::input_error([&] { layers(names, mapped); });
    };
    EXPECT_THAT(refusal({"layers.0.q", "layers.0.q_rot", "layers.1.q"}),
                HasSubstr("dump.npz: layer 1 has 'layers.1.q', but no 'layers.1.q_rot'"));
    EXPECT_THAT(refusal({"k_rot.0"}), HasSubstr("layer 0 has 'k_rot.0', but no 'k'"));
    EXPECT_THAT(refusal({"layers.1.q", "layers.01.q"}),
                HasSubstr("both 'layers.1.q' and 'layers.01.q' may be q of layer 1; a layer has "
                          "one"));
    EXPECT_THAT(refusal({"encoder.1.q", "decoder.1.q"}),
                HasSubstr("may be q of layer 1; --map q=encoder.*.q says which"));
    EXPECT_THAT(refusal({"q", "q_rot", "layers.0.q", "layers.0.q_rot"}),
                HasSubstr("it has 'q' without a layer, and layers, 'layers.*.q'; --map q=q takes "
                          "what has no layer, --map q=layers.*.q the layers"));
    EXPECT_THAT(refusal({"a.0.x"}, {{"q", "a.*.*"}}), HasSubstr("'a.*.*' has several *"));
    EXPECT_THAT(refusal({"a.0.x"}, {{"q", "b.*.x"}}),
                HasSubstr("no tensor 'b.*.x' with a number for the *; it has a.0.x"));
    EXPECT_THAT(refusal({"a.0.x", "y"}, {{"q", "a.*.x"}, {"q_rot", "y"}}),
                HasSubstr("'y' is one tensor, and others have a * for the layer"));
}

}  // namespace
}  // namespace ropescope::diagnosis
