// Asks before a file is replaced, and keeps what was refused for the user to correct.
#include "app/gui/panels/sheet_path.h"

#include <filesystem>

#include "app/gui/panels/sheets.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/home_path.h"
#include "app/gui/state/scene_files.h"

namespace ropescope::gui {
namespace {

/// The folder in which a file of this name would be.
std::string folder_line(const std::string& typed) {
    std::error_code failed;
    const auto path = std::filesystem::absolute(without_tilde(typed), failed);
    return failed ? "" : "in " + path.lexically_normal().parent_path().string();
}

}  // namespace

void draw_sheet_path(Ui& ui, plot::Rect row, std::string_view hint, std::string_view action,
                     const std::function<bool(const std::string& path)>& write) {
    AppState& state = ui.state();
    const bool entered = draw_sheet_field(ui, row, hint, action);
    if (state.overlay == Overlay::none) {
        return;
    }
    ui.text({row.x, row.y + row.height + ui.px(4), row.width, ui.px(20)},
            folder_line(state.edit.text), ui.small(plot::Role::dim));
    draw_refusal(ui, {row.x, row.y + row.height + ui.px(28), row.width, ui.px(60)});
    if (!entered) {
        return;
    }
    if (!must_ask(state, state.edit.text) && write(state.edit.text)) {
        return close_overlay(state);
    }
    state.edit.just_opened = true;  // for the user to correct or to confirm
}

}  // namespace ropescope::gui
