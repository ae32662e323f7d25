// What the window offers to record.
#include "app/gui/state/recording_order.h"

#include <gtest/gtest.h>

#include "app/figures/view.h"
#include "app/pages/recording.h"
#include "tests/support/input_error.h"

namespace ropescope::gui {
namespace {

TEST(RecordingOrder, EveryOfferIsTakenInEveryView) {
    for (const figures::View& view : figures::views()) {
        Scene scene;
        scene.view = view.id;
        for (const OfferedVariation& offered : offered_variations(scene, {}, true)) {
            pages::Recording recording{.scene = scene};
            ASSERT_NO_THROW(recording.variation =
                                pages::parse_variation(offered.vary, pages::kMostRecorded))
                << view.id << " " << offered.vary;
            recording.steps = offered.has_steps ? 16 : 1;
            EXPECT_NO_THROW(pages::require_recording(recording)) << view.id << " " << offered.vary;
            EXPECT_FALSE(offered.label.empty());
        }
    }
}

TEST(RecordingOrder, BeginsWithWhatPlays) {
    Scene scene;
    scene.view = "rotation";
    scene.query_position = 12;
    EXPECT_EQ(offered_variations(scene, {}, true).front().vary, "position=12:36");
    EXPECT_TRUE(offered_variations(scene, {}, true).front().has_steps);
    EXPECT_FALSE(offered_variations(scene, {}, false).front().has_steps);
    const Playback base{.parameter = "base"};
    EXPECT_TRUE(offered_variations(scene, base, true).front().vary.starts_with("base="));
    scene.query_position = kMaxPosition;
    const OfferedVariation last = offered_variations(scene, {}, true).front();
    EXPECT_TRUE(last.vary.ends_with(":" + std::to_string(kMaxPosition))) << last.vary;
}

TEST(RecordingOrder, KeepsTheChoiceWhileItIsOffered) {
    const std::vector<OfferedVariation> offered = {{.label = "a", .vary = "base=1:2"},
                                                   {.label = "b", .vary = "base=1:3"}};
    RecordingState state;
    EXPECT_EQ(chosen_variation(offered, state).label, "a");
    state.label = "b";
    EXPECT_EQ(chosen_variation(offered, state).label, "b");
    state.label = "c";
    EXPECT_EQ(chosen_variation(offered, state).label, "a");
    EXPECT_THROW(chosen_variation({}, state), InputError);
}

}  // namespace
}  // namespace ropescope::gui
