// Draws the published models as a list, in the column of controls of the view that shows a model.
#include "app/gui/panels/model_list.h"

#include <string>
#include <utility>

#include "app/gui/state/actions.h"
#include "app/gui/state/model_menu.h"
#include "app/gui/toolkit/widgets.h"

namespace ropescope::gui {
namespace {

constexpr double kModelHeading = 28, kModelRow = 28, kModelInset = 10;

void draw_family(const Ui& ui, Rows& rows, const std::string& family) {
    const plot::Rect where = rows.next(ui.px(kModelHeading));
    ui.text(where, upper_case(family), ui.small(plot::Role::dim));
}

void draw_model(Ui& ui, Rows& rows, const ModelEntry& model) {
    const plot::Rect row = rows.next(ui.px(kModelRow));
    const Touch touch = ui.touch("show " + model.id, row);
    const bool current = is_shown(model, ui.state().scene);
    if (current || touch.hovered) {
        ui.fill(row, current ? plot::Role::selected : plot::Role::raised, 6);
    }
    if (touch.focused) {
        focus_ring(ui, row);
    }
    ui.text({row.x + ui.px(kModelInset), row.y, row.width - 2 * ui.px(kModelInset), row.height},
            model.title, ui.caption(plot::Role::text));
    if (touch.hovered) {
        tooltip(ui, model.facts);
    }
    if (touch.clicked) {
        choose_model(ui.state(), model.id);
    }
}

}  // namespace

void draw_model_list(Ui& ui, Rows& rows) {
    for (const std::string& family : model_families()) {
        bool first = true;
        for (const ModelEntry& model : model_menu()) {
            if (model.several_axes || model.family != family) {
                continue;  // the view axes shows models of several axes
            }
            if (std::exchange(first, false)) {
                draw_family(ui, rows, family);
            }
            draw_model(ui, rows, model);
        }
    }
}

}  // namespace ropescope::gui
