// Draws what the figure shows, what to try, and the formula.
#include <algorithm>
#include <cmath>

#include "app/gui/panels/glossed_text.h"
#include "app/gui/panels/panels.h"
#include "app/gui/state/actions.h"
#include "app/gui/toolkit/widgets.h"
#include "app/plot/rich_text.h"

namespace ropescope::gui {
namespace {

constexpr double kSide = 28, kTop = 14, kBottom = 6, kGap = 32, kTitle = 25, kFormulaLine = 29;
constexpr double kLeastFormula = 150, kMostOfWidth = 0.6, kLeastText = 150;

/// Returns where the column ends.
double draw_column(const Ui& ui, plot::Rect where, std::string_view title, std::string_view text) {
    ui.text({where.x, where.y, where.width, ui.px(20)}, title,
            ui.style(plot::Role::text, ui.theme.caption_px, plot::Face::bold));
    const double y = where.y + ui.px(kTitle);
    return y + glossed_paragraph(ui, {where.x, y, where.width, where.height}, text,
                                 ui.caption(plot::Role::dim));
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

/// Where the columns of the explanation lie.
struct Columns {
    double text = 0, formula = 0;  ///< widths
    bool stacked = false;          ///< the two texts below each other, because they are narrow
};

Columns columns_of(const Ui& ui, const figures::View& view) {
    const double gap = ui.px(kGap);
    const double width = std::max(0.0, ui.regions.explanation.width - 2 * ui.px(kSide) - 2 * gap);
    Columns columns;
    columns.formula = std::min(formula_width(ui, view), width * kMostOfWidth);
    const double half = std::round((width - columns.formula) / 2);
    columns.stacked = half < ui.px(kLeastText);
    columns.text = columns.stacked ? width + gap - columns.formula : half;
    return columns;
}

void draw_folded(Ui& ui) {
    if (button(ui, "unfold", ui.regions.explanation, "Show the explanation: E")) {
        perform(ui.state(), Action::explanation, false);
    }
}

}  // namespace

double explanation_height(const Ui& ui) {
    const figures::View& view = figures::view_by_id(ui.state().scene.view);
    const Columns columns = columns_of(ui, view);
    const auto column = [&](std::string_view text) {
        return ui.px(kTitle) + ui.paragraph_height(columns.text, text, ui.caption(plot::Role::dim));
    };
    const double see = column(view.what_you_see), attempt = column(view.what_to_try);
    const double texts = columns.stacked ? see + ui.px(kTop) + attempt : std::max(see, attempt);
    const double formulas =
        ui.px(kTitle + kFormulaLine * static_cast<double>(view.formulas.size())) +
        ui.paragraph_height(columns.formula, view.formula_source, ui.small(plot::Role::dim));
    return ui.px(kTop) + std::max(texts, formulas) + ui.px(kBottom);
}

void draw_explanation(Ui& ui) {
    if (!ui.regions.explanation_open) {
        return draw_folded(ui);
    }
    const plot::Rect& area = ui.regions.explanation;
    const figures::View& view = figures::view_by_id(ui.state().scene.view);
    // It scrolls if the window is too narrow for its words.
    const Surface surface(ui, "explanation", area, Surface::Kind::child);
    const double gap = ui.px(kGap), unlimited = 1e6;
    const Columns columns = columns_of(ui, view);
    plot::Rect column{surface.origin().x + ui.px(kSide), surface.origin().y + ui.px(kTop),
                      columns.text, unlimited};
    double end = draw_column(ui, column, "What you see", view.what_you_see);
    if (columns.stacked) {
        const plot::Rect below{column.x, end + ui.px(kTop), column.width, unlimited};
        end = draw_column(ui, below, "Try", view.what_to_try);
    } else {
        column.x += column.width + gap;
        end = std::max(end, draw_column(ui, column, "Try", view.what_to_try));
    }
    column.x += column.width + gap;
    column.width = columns.formula;
    end = std::max(end, draw_formulas(ui, column, view));
    surface.content_height(end + ui.px(kBottom) - surface.origin().y);
}

}  // namespace ropescope::gui
