// The command that a slider's menu copies is one that `record` takes.
#include <algorithm>
#include <gtest/gtest.h>

#include "app/figures/view.h"
#include "app/gui/state/app_state.h"
#include "app/gui/state/finder.h"
#include "app/gui/state/menus.h"
#include "app/gui/state/scene_text.h"
#include "app/pages/variation.h"
#include "app/scene/values.h"

namespace ropescope::gui {
namespace {

TEST(RecordCommand, IsTakenForEverySliderOfEveryView) {
    std::size_t sliders = 0;
    for (const figures::View& view : figures::views()) {
        Scene scene;
        scene.view = view.id;
        for (const Parameter* parameter : shown_controls(scene)) {
            if (!is_number(*parameter)) {
                continue;
            }
            ++sliders;
            const std::string command = record_command(scene, *parameter);
            const std::size_t vary = command.find("--vary ") + 7;
            const std::string text = command.substr(vary, command.find(' ', vary) - vary);
            EXPECT_NO_THROW(pages::parse_variation(text, 1000)) << command;
        }
    }
    EXPECT_GT(sliders, 40U);
}

TEST(RecordCommand, IsInTheMenuOfNumbers) {
    AppState state;
    const auto offers = [&](const std::string& name) {
        const auto items = parameter_menu(state, name);
        return std::ranges::count(items, MenuItem::Does::copy_record, &MenuItem::does) == 1;
    };
    EXPECT_TRUE(offers("base"));
    EXPECT_FALSE(offers("layout"));
    state.scene.head_dim = state.scene.rotary_dim = 64;
    perform_item(state, parameter_menu(state, "base").back(), "base");
    EXPECT_TRUE(state.clipboard.starts_with("ropescope --set head_dim=64 "));
    EXPECT_NE(state.clipboard.find(" record rotation --vary base="), std::string::npos);
}

}  // namespace
}  // namespace ropescope::gui
