// Tests of the ring of controls that the keyboard goes round.
#include "app/gui/state/focus.h"

#include <gtest/gtest.h>

namespace ropescope::gui {
namespace {

FocusRing ring_of(std::initializer_list<std::uint32_t> ids) {
    FocusRing ring;
    for (const std::uint32_t id : ids) {
        ring.add(id);
    }
    ring.end_frame();
    return ring;
}

TEST(FocusRing, GoesRoundAtItsEnds) {
    FocusRing ring = ring_of({7, 8, 9});
    EXPECT_FALSE(ring.goes_round(1)) << "the first one is still to come";
    EXPECT_TRUE(ring.goes_round(-1)) << "there is none to come back to";
    ring.set(7);
    EXPECT_FALSE(ring.goes_round(1));
    EXPECT_TRUE(ring.goes_round(-1));
    ring.set(8);
    EXPECT_FALSE(ring.goes_round(1));
    EXPECT_FALSE(ring.goes_round(-1));
    ring.set(9);
    EXPECT_TRUE(ring.goes_round(1));
    EXPECT_FALSE(ring.goes_round(-1));
    ring.move(1);
    EXPECT_EQ(ring.current(), 7U);
}

TEST(FocusRing, WithoutControlsIsLeftAtOnce) {
    const FocusRing ring = ring_of({});
    EXPECT_TRUE(ring.goes_round(1));
    EXPECT_TRUE(ring.goes_round(-1));
}

}  // namespace
}  // namespace ropescope::gui
