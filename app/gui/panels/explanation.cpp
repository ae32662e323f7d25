// Draws what the figure shows, what to try, and the formula.
#include <algorithm>
#include <cmath>

#include "app/gui/panels/panels.h"
#include "app/gui/state/actions.h"
#include "app/gui/toolkit/widgets.h"
#include "app/plot/rich_text.h"

namespace ropescope::gui {
namespace {

constexpr double kSide = 28, kTop = 14, kBottom = 6, kGap = 32, kTitle = 25, kFormulaLine = 29;
constexpr double kLeastFormula = 150, kMostOfWidth = 0.6, kLeastText = 190;

/// Returns where the column ends.
double draw_column(const Ui& ui, plot::Rect where, std::string_view title, std::string_view text) {
    ui.text({where.x, where.y, where.width, ui.px(20)}, title,
            ui.style(plot::Role::text, ui.theme.caption_px, plot::Face::bold));
    const double y = where.y + ui.px(kTitle);
    return y +
           ui.paragraph({where.x, y, where.width, where.height}, text, ui.caption(plot::Role::dim));
}

double draw_formulas(const Ui& ui, plot::Rect where, const figures::View& view) {
    double y = draw_column(ui, where, "Formula", "");
    ImGuiPainter painter = ui.painter();
    for (const std::string& formula : view.formulas) {
        plot::draw_rich_text({where.x, y}, formula, ui.body(plot::Role::text), painter);
        y += ui.px(kFormulaLine);
    }
    return y + ui.paragraph({where.x, y, where.width, where.height}, view.formula_source,
                            ui.small(plot::Role::dim));
}

/// The two texts share the width that the formulas leave.
double formula_width(const Ui& ui, const figures::View& view) {
    ImGuiPainter painter = ui.painter();
    double width = ui.px(kLeastFormula);
    for (const std::string& formula : view.formulas) {
        const plot::TextStyle style = ui.body(plot::Role::text);
        width = std::max(width, plot::rich_text_size(formula, style, painter).x);
    }
    return width;
}

void draw_folded(Ui& ui) {
    if (button(ui, "unfold", ui.regions.explanation, "Show the explanation: E")) {
        perform(ui.state(), Action::explanation, false);
    }
}

}  // namespace

void draw_explanation(Ui& ui) {
    if (!ui.regions.explanation_open) {
        return draw_folded(ui);
    }
    const plot::Rect& area = ui.regions.explanation;
    const figures::View& view = figures::view_by_id(ui.state().scene.view);
    // It scrolls if the window is too narrow for its words.
    const Surface surface(ui, "explanation", area, Surface::Kind::child);
    const double gap = ui.px(kGap), unlimited = 1e6;
    const double width = std::max(0.0, area.width - 2 * ui.px(kSide) - 2 * gap);
    const double formula = std::min(formula_width(ui, view), width * kMostOfWidth);
    const double half = std::round((width - formula) / 2);
    // Two columns of text that would be too narrow to read stand below each other.
    const bool stacked = half < ui.px(kLeastText);
    plot::Rect column{surface.origin().x + ui.px(kSide), surface.origin().y + ui.px(kTop),
                      stacked ? width + gap - formula : half, unlimited};
    double end = draw_column(ui, column, "What you see", view.what_you_see);
    if (stacked) {
        const plot::Rect below{column.x, end + ui.px(kTop), column.width, unlimited};
        end = draw_column(ui, below, "Try", view.what_to_try);
    } else {
        column.x += column.width + gap;
        end = std::max(end, draw_column(ui, column, "Try", view.what_to_try));
    }
    column.x += column.width + gap;
    column.width = formula;
    end = std::max(end, draw_formulas(ui, column, view));
    surface.content_height(end + ui.px(kBottom) - surface.origin().y);
}

}  // namespace ropescope::gui
