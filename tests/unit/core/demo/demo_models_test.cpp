// The demo models that are compiled in.
#include "core/demo/demo_models.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/engine/engine.h"

namespace ropescope::demo {
namespace {

TEST(DemoModels, FitTheirConfigsAndRun) {
    const auto engine = make_cpu_engine();
    for (const DemoModel model : {DemoModel::rope, DemoModel::no_position, DemoModel::decoder}) {
        const EncoderFiles files = demo_model(model);
        const Encoder encoder(*engine, files.config, files.weights);
        EncoderInput input;
        input.ids = demo_vocabulary().encode("the act of [MASK] something");
        input.shape = {1, std::ssize(input.ids)};
        const Trace trace = encoder.forward(input);
        EXPECT_EQ(trace.logits.shape, (std::vector<Index>{1, input.shape.positions, 2000}));
    }
}

TEST(DemoModels, HeldOutTextIsInTheVocabularyAndInOrder) {
    const HeldOutText& text = held_out_text();
    EXPECT_EQ(text.ids.size(), 8U * (8 * kTrainedLength - 2));
    EXPECT_TRUE(std::ranges::is_sorted(text.hidden));
    EXPECT_LT(text.hidden.back(), std::ssize(text.ids));
    EXPECT_LT(*std::ranges::max_element(text.ids), 2000);
}

}  // namespace
}  // namespace ropescope::demo
