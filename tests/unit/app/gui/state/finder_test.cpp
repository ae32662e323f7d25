// Any control of any view is found by at most three letters.
#include "app/gui/state/finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "app/figures/view.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/model_menu.h"

namespace ropescope::gui {
namespace {

using Kind = OpenEntry::Kind;

/// A window that shows the view.
struct InView {
    explicit InView(const std::string& id) { state.scene.view = id; }
    AppState state;
};

/// Texts of one to three letters that somebody who reads the name might type.
std::set<std::string> likely_letters(const std::string& name) {
    std::set<std::string> letters;
    std::string initials;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (at == 0 || name[at - 1] == ' ') {
            initials += name[at];
            letters.insert(name.substr(at, 3));
        }
    }
    for (std::size_t count = 1; count <= 3; ++count) {
        letters.insert(name.substr(0, count));
        letters.insert(initials.substr(0, count));
    }
    return letters;
}

/// Ctrl + F, three letters and Enter are five keys.
TEST(GuiFinder, ThreeLettersLeadToAnyControl) {
    std::size_t controls = 0;
    for (const figures::View& view : figures::views()) {
        const InView in(view.id);
        const AppState& state = in.state;
        for (const Parameter* parameter : shown_controls(state.scene)) {
            ++controls;
            bool found = false;
            for (const std::string& letters : likely_letters(control_label(*parameter))) {
                const OpenEntry first = find_entries(state, letters).front();
                found = found || (first.kind == Kind::control && first.target == parameter->name);
            }
            EXPECT_TRUE(found) << view.id << ": " << control_label(*parameter);
        }
    }
    EXPECT_GT(controls, 100U);
}

TEST(GuiFinder, TheNameComesFirstThenTheInitialsThenTheRest) {
    const InView in("rotation");
    const AppState& state = in.state;
    EXPECT_EQ(find_entries(state, "base").front().target, "base");
    EXPECT_EQ(find_entries(state, "qp").front().target, "query_position");
    EXPECT_EQ(find_entries(state, "Spec").front().kind, Kind::view);
    const auto nothing = find_entries(state, "qqq");
    ASSERT_EQ(nothing.size(), 1U);
    EXPECT_FALSE(nothing.front().can_be_chosen());
}

TEST(GuiFinder, ListsEverythingBeforeAnythingIsTyped) {
    const InView in("rotation");
    const AppState& state = in.state;
    const auto all = find_entries(state, "");
    EXPECT_GE(all.size(), shown_controls(state.scene).size() + figures::views().size());
}

TEST(GuiFinder, AsksTheHostForWhatItOffers) {
    AppState state;
    EXPECT_EQ(find_entries(state, "copy the link").front().kind, OpenEntry::Kind::remark);
    state.host_commands = {"Copy the link"};
    go_to_found(state, find_entries(state, "copy the link").front());
    EXPECT_EQ(state.asked_of_host, "Copy the link");
}

TEST(GuiFinder, GoesThere) {
    InView in("rotation");
    AppState& state = in.state;
    open_overlay(state, Overlay::find);
    go_to_found(state, {Kind::view, "", "", "decay"});
    EXPECT_EQ(state.scene.view, "decay");
    EXPECT_EQ(state.overlay, Overlay::none);
    state.presenting = true;
    go_to_found(state, {Kind::control, "", "", "base"});
    EXPECT_EQ(state.wanted_control, "base");
    EXPECT_FALSE(state.presenting);
    go_to_found(state, {Kind::command, "", "", "Save the scene"});
    EXPECT_EQ(state.overlay, Overlay::save_scene);
}

}  // namespace
}  // namespace ropescope::gui
