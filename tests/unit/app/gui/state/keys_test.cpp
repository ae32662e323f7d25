// The table of shortcuts, and the ring of controls that Tab goes round.
#include "app/gui/state/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>

#include "app/figures/view.h"
#include "app/gui/state/focus.h"
#include "core/base/file.h"
#include "tests/support/paths.h"

namespace ropescope::gui {
namespace {

TEST(GuiKeys, NoKeyDoesTwoThings) {
    const auto table = shortcuts();
    for (std::size_t i = 0; i < table.size(); ++i) {
        EXPECT_EQ(view_of_key(table[i].press), nullptr) << "a view's key too: row " << i;
        for (std::size_t j = i + 1; j < table.size(); ++j) {
            EXPECT_NE(table[i].press, table[j].press) << "rows " << i << " and " << j;
        }
    }
}

TEST(GuiKeys, EveryActionIsInTheHelp) {
    for (int action = 0; action <= static_cast<int>(Action::quit); ++action) {
        // Forward steps are described in the row of the backward ones.
        const auto a = static_cast<Action>(action);
        if (a == Action::step_forward || a == Action::both_forward) {
            continue;
        }
        bool described = false;
        for (const Shortcut& shortcut : shortcuts()) {
            described = described || (shortcut.action == a && !shortcut.does.empty());
        }
        EXPECT_TRUE(described) << "action " << action;
    }
}

TEST(GuiKeys, NumbersAreViewsInTheOrderOfTheKeyboard) {
    const auto& views = figures::views();
    EXPECT_EQ(view_of_key({GLFW_KEY_1}), &views[0]);
    EXPECT_EQ(view_of_key({GLFW_KEY_9}), &views[8]);
    EXPECT_EQ(view_of_key({GLFW_KEY_0}), &views[9]);
    EXPECT_EQ(view_of_key({GLFW_KEY_B}), nullptr);
    EXPECT_EQ(view_of_key({GLFW_KEY_1, true}), nullptr);
}

TEST(GuiKeys, EveryViewHasAKeyOfItsOwnAndALetterIsOneOfItsName) {
    const auto& views = figures::views();
    for (std::size_t place = 0; place < views.size(); ++place) {
        const figures::View& view = views[place];
        EXPECT_EQ(view_of_key({view.key}), &view) << view.id;
        if (place >= 10) {
            EXPECT_NE(view.id.find(static_cast<char>(view.key - 'A' + 'a')), view.id.npos)
                << view.id;
        }
    }
}

TEST(GuiKeys, EveryKeyOfALinkIsInTheHelp) {
    std::set<plot::Link::Key> reached;
    std::string_view before;
    for (const LinkShortcut& shortcut : link_shortcuts()) {
        reached.insert(shortcut.link);
        before = shortcut.does.empty() ? before : shortcut.does;
        EXPECT_FALSE(before.empty()) << "a second way to nothing";
        EXPECT_EQ(link_key({shortcut.key}), shortcut.link);
        EXPECT_EQ(link_key({shortcut.key, true}), plot::Link::Key::none);
    }
    EXPECT_EQ(reached.size(), 7U) << "all but none and the wheel's two";
}

TEST(GuiKeys, TheGuideHasTheTableOfTheHelp) {
    const std::string guide = read_file(test::source_dir() + "/docs/user-guide/README.md");
    EXPECT_NE(guide.find(help_markdown()), std::string::npos)
        << "put this into docs/user-guide/README.md:\n"
        << help_markdown();
}

/// The window may play already, as it does at the first start, and Space then stops it. A lesson
/// opens at rest.
TEST(GuiKeys, NoTextSaysThatSpaceOnlyStarts) {
    const auto says_so = [](const std::string& text) {
        return text.find("ress Space") != std::string::npos;
    };
    int seen = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(test::source_dir() + "/docs")) {
        if (entry.path().extension() == ".md") {
            const std::string text = read_file(entry.path().string());
            EXPECT_FALSE(says_so(text)) << entry.path();
            seen += text.find("Space ") != std::string::npos;
        }
    }
    EXPECT_GE(seen, 3);
    for (const figures::View& view : figures::views()) {
        EXPECT_FALSE(says_so(view.what_you_see + view.what_to_try)) << view.id;
    }
}

TEST(GuiFocus, GoesRoundInTheOrderDrawn) {
    FocusRing ring;
    const auto frame = [&] {
        for (const std::uint32_t id : {7U, 3U, 9U}) {
            ring.add(id);
        }
        ring.end_frame();
    };
    ring.move(1);  // nothing drawn yet
    EXPECT_EQ(ring.current(), 0);
    frame();
    ring.move(1);
    EXPECT_TRUE(ring.has(7));
    ring.move(1);
    ring.move(1);
    EXPECT_TRUE(ring.has(9));
    ring.move(1);
    EXPECT_TRUE(ring.has(7));
    ring.move(-1);
    EXPECT_TRUE(ring.has(9));
    ring.clear();
    ring.move(-1);
    EXPECT_TRUE(ring.has(9)) << "backwards from nowhere is the last";
}

TEST(GuiFocus, AControlThatIsGoneLosesIt) {
    FocusRing ring;
    ring.add(1);
    ring.end_frame();
    ring.move(1);
    ring.add(2);
    ring.end_frame();
    EXPECT_EQ(ring.current(), 0);
}

TEST(GuiFocus, TellsTheFrameAfterAMove) {
    FocusRing ring;
    ring.add(1);
    ring.end_frame();
    EXPECT_FALSE(ring.just_moved());
    ring.move(1);
    ring.add(1);
    ring.end_frame();
    EXPECT_TRUE(ring.just_moved());
    ring.add(1);
    ring.end_frame();
    EXPECT_FALSE(ring.just_moved());
}

}  // namespace
}  // namespace ropescope::gui
