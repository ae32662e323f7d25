// What the engine counts of the twins whose weights lie in the box, against what the script
// counted.
#include "core/demo/twins.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <span>

#include "core/demo/masked_accuracy.h"
#include "core/engine/engine.h"

namespace ropescope::demo {
namespace {

/// What score_twins.py takes.
constexpr double kUndecidedTwinLogits = 1e-3;

void expect_script_counts(DemoModel model, const Twin* twin, std::span<const HiddenText> texts) {
    ASSERT_NE(twin, nullptr);
    const auto engine = make_cpu_engine();
    const EncoderFiles files = demo_model(model);
    const MaskedCount found = masked_accuracy(Encoder(*engine, files.config, files.weights), texts,
                                              {}, kUndecidedTwinLogits);
    EXPECT_EQ(found.of, twin->sample.of);
    EXPECT_LE(std::abs(found.right - twin->sample.right), found.undecided);
}

TEST(Twins, OfTheBoxAreCountedAsTheScriptCounted) {
    expect_script_counts(DemoModel::no_position, find_twin("none", false, kShippedSeed),
                         hidden_texts(kTrainedLength));
    expect_script_counts(DemoModel::decoder, find_twin("none", true, kShippedSeed),
                         next_piece_texts(kTrainedLength));
}

/// The encoder's counts at the trained length are those that the view stretch compares with.
TEST(Twins, AgreeWithTheScoresOfTheDemoModel) {
    const Twin* twin = find_twin("none", false, kShippedSeed);
    ASSERT_NE(twin, nullptr);
    EXPECT_EQ(twin->at(kTrainedLength)->right, demo_scores().held_out.no_position.right);
    EXPECT_EQ(find_twin("none", false, 3), nullptr);
    EXPECT_EQ(twin->at(kTrainedLength + 1), nullptr);
}

}  // namespace
}  // namespace ropescope::demo
