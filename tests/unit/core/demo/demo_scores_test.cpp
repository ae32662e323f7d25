// What the engine counts on longer texts, against what the script that trained the demo models
// counted with PyTorch. The checks demo.* hold the trained length to it, and two methods at the
// greatest.
#include "core/demo/demo_scores.h"

#include <cstdlib>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/demo/masked_accuracy.h"
#include "core/engine/engine.h"

namespace ropescope::demo {
namespace {

/// What score.py takes; a little less than the bound that the checks demo.* derive.
constexpr double kUndecidedLogits = 1e-3;

TEST(DemoScores, OfLongerTextsAreThoseOfTheScript) {
    const auto engine = make_cpu_engine();
    const EncoderFiles files = demo_model(DemoModel::rope);
    const Encoder encoder(*engine, files.config, files.weights);
    int counted = 0;
    for (const StretchCount& of : demo_scores().sample.lengths) {
        if (of.length == kTrainedLength) {
            continue;
        }
        const MaskedCount found =
            masked_accuracy(encoder, hidden_texts(of.length), stretched_rope(of.method, of.length),
                            kUndecidedLogits);
        const std::string where = fmt::format("{} at {}", to_string(of.method), of.length);
        EXPECT_EQ(found.of, of.count.of) << where;
        EXPECT_LE(std::abs(found.right - of.count.right), found.undecided) << where;
        ++counted;
    }
    EXPECT_EQ(counted, 15);
}

TEST(DemoScores, AreAtLengthsThatDoubleFromTheTrainedOne) {
    EXPECT_THAT(stretched_lengths(),
                ::testing::ElementsAre(kTrainedLength, 2 * kTrainedLength, 4 * kTrainedLength,
                                       8 * kTrainedLength));
}

TEST(DemoScores, OfATextThatIsNotLongerThanTheTrainingNeedNoScaling) {
    for (const TextScores& text : {demo_scores().sample, demo_scores().held_out}) {
        for (std::size_t i = 0; i < kEnumNames<StretchMethod>.size(); ++i) {
            const auto method = static_cast<StretchMethod>(i);
            EXPECT_EQ(text.of(method, kTrainedLength).right, text.of(RopeChange::none).right);
            EXPECT_EQ(stretched_spec(method, kTrainedLength),
                      stretched_spec(StretchMethod::none, kTrainedLength));
        }
    }
}

}  // namespace
}  // namespace ropescope::demo
