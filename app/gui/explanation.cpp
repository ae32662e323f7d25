// What you see, what to try, the formula.
#include <algorithm>
#include <cmath>

#include "app/gui/actions.h"
#include "app/gui/parts.h"
#include "app/gui/widgets.h"
#include "app/plot/layout.h"

namespace ropescope::gui {
namespace {

constexpr double kSide = 28, kTop = 16, kGap = 32, kTitle = 28, kFormulaLine = 30;

void draw_column(const Ui& ui, plot::Rect where, std::string_view title, std::string_view text) {
    ui.text({where.x, where.y, where.width, ui.px(20)}, title,
            ui.style(plot::Role::text, ui.theme.caption_px, plot::Face::bold));
    ui.paragraph({where.x, where.y + ui.px(kTitle), where.width, where.height - ui.px(kTitle)},
                 text, ui.caption(plot::Role::dim));
}

void draw_formulas(const Ui& ui, plot::Rect where, const figures::View& view) {
    draw_column(ui, where, "Formula", "");
    ImGuiPainter painter = ui.painter();
    double y = where.y + ui.px(kTitle);
    for (const std::string& formula : view.formulas) {
        plot::draw_rich_text({where.x, y}, formula, ui.body(plot::Role::text), painter);
        y += ui.px(kFormulaLine);
    }
    ui.text({where.x, y, where.width, ui.px(20)}, view.formula_source, ui.small(plot::Role::dim));
}

void draw_folded(const Ui& ui) {
    const plot::Rect& area = ui.regions.explanation;
    if (button(ui, "unfold", area, "What you see, what to try, the formula: E")) {
        perform(ui.state, Action::explanation, false);
    }
}

}  // namespace

void draw_explanation(const Ui& ui) {
    if (!ui.regions.explanation_open) {
        return draw_folded(ui);
    }
    const plot::Rect& area = ui.regions.explanation;
    const figures::View& view = figures::view_by_id(ui.state.scene.view);
    const double gap = ui.px(kGap);
    const double width = std::max(0.0, area.width - 2 * ui.px(kSide) - 2 * gap);
    plot::Rect column{area.x + ui.px(kSide), area.y + ui.px(kTop), std::round(width * 0.41),
                      area.height - ui.px(kTop + 8)};
    draw_column(ui, column, "What you see", view.what_you_see);
    column.x += column.width + gap;
    column.width = std::round(width * 0.33);
    draw_column(ui, column, "Try", view.what_to_try);
    column.x += column.width + gap;
    column.width = std::max(0.0, area.x + area.width - ui.px(8) - column.x);
    ImGuiPainter painter = ui.painter();
    painter.push_clip(area);
    draw_formulas(ui, column, view);
    painter.pop_clip();
}

}  // namespace ropescope::gui
