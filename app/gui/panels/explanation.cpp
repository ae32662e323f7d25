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

constexpr double kExplanationSide = 28, kExplanationTop = 14, kBottom = 6, kColumnGap = 32,
                 kExplanationTitle = 25, kFormulaLine = 29;
constexpr double kLeastFormula = 150, kMostOfWidth = 0.6, kLeastText = 150;

/// Returns where the column ends.
double draw_column(const Ui& ui, plot::Rect where, std::string_view title, std::string_view text) {
    ui.text({where.x, where.y, where.width, ui.px(20)}, title,
            ui.style(plot::Role::text, ui.theme.caption_px, plot::Face::bold));
    const double y = where.y + ui.px(kExplanationTitle);
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

/// The two texts and the formulas, as they lie in the explanation.
enum class Arrangement {
    three_columns,
    texts_stacked,   ///< below each other, beside the formulas
    formulas_below,  ///< below the texts, which are side by side
};

struct Columns {
    Arrangement arrangement = Arrangement::three_columns;
    double text = 0, formula = 0;  ///< widths
};

Columns columns_of(const Ui& ui, const figures::View& view, Arrangement arrangement) {
    const double gap = ui.px(kColumnGap);
    const double whole = std::max(0.0, ui.regions.explanation.width - 2 * ui.px(kExplanationSide));
    const double formula = std::min(formula_width(ui, view), (whole - 2 * gap) * kMostOfWidth);
    switch (arrangement) {
        case Arrangement::texts_stacked:
            return {arrangement, whole - gap - formula, formula};
        case Arrangement::formulas_below:
            return {arrangement, std::round((whole - gap) / 2), whole};
        default:
            return {arrangement, std::round((whole - 2 * gap - formula) / 2), formula};
    }
}

double height_of(const Ui& ui, const figures::View& view, const Columns& columns) {
    const auto column = [&](std::string_view text) {
        return ui.px(kExplanationTitle) +
               ui.paragraph_height(columns.text, text, ui.caption(plot::Role::dim));
    };
    const double see = column(view.what_you_see), attempt = column(view.what_to_try);
    const double formulas =
        ui.px(kExplanationTitle + kFormulaLine * static_cast<double>(view.formulas.size())) +
        ui.paragraph_height(columns.formula, view.formula_source, ui.small(plot::Role::dim));
    double height = 0;
    switch (columns.arrangement) {
        case Arrangement::texts_stacked:
            height = std::max(see + ui.px(kExplanationTop) + attempt, formulas);
            break;
        case Arrangement::formulas_below:
            height = std::max(see, attempt) + ui.px(kExplanationTop) + formulas;
            break;
        default:
            height = std::max({see, attempt, formulas});
    }
    return ui.px(kExplanationTop) + height + ui.px(kBottom);
}

/// Three columns unless they are too narrow or higher than what there is room for; then what is
/// lowest.
Columns columns_of(const Ui& ui, const figures::View& view) {
    const Columns three = columns_of(ui, view, Arrangement::three_columns);
    const double room = most_explanation(ui.regions);
    if (three.text >= ui.px(kLeastText) && height_of(ui, view, three) <= room) {
        return three;
    }
    Columns lowest = columns_of(ui, view, Arrangement::texts_stacked);
    for (const Arrangement other : {Arrangement::formulas_below, Arrangement::three_columns}) {
        const Columns columns = columns_of(ui, view, other);
        if (columns.text >= ui.px(kLeastText) &&
            height_of(ui, view, columns) < height_of(ui, view, lowest)) {
            lowest = columns;
        }
    }
    return lowest;
}

void draw_folded(Ui& ui) {
    if (button(ui, "unfold", ui.regions.explanation, "Show the explanation: E")) {
        perform(ui.state(), Action::explanation, false);
    }
}

}  // namespace

double explanation_height(const Ui& ui) {
    const figures::View& view = figures::view_by_id(ui.state().scene.view);
    return height_of(ui, view, columns_of(ui, view));
}

void draw_explanation(Ui& ui) {
    if (!ui.regions.explanation_open) {
        return draw_folded(ui);
    }
    const plot::Rect& area = ui.regions.explanation;
    const figures::View& view = figures::view_by_id(ui.state().scene.view);
    // It scrolls if the window is too narrow for its words.
    const Surface surface(ui, "explanation", area, Surface::Kind::child);
    const double gap = ui.px(kColumnGap), unlimited = 1e6;
    const Columns columns = columns_of(ui, view);
    plot::Rect column{surface.origin().x + ui.px(kExplanationSide),
                      surface.origin().y + ui.px(kExplanationTop), columns.text, unlimited};
    const double top = column.y;
    double end = draw_column(ui, column, "What you see", view.what_you_see);
    if (columns.arrangement == Arrangement::texts_stacked) {
        column.y = end + ui.px(kExplanationTop);
    } else {
        column.x += column.width + gap;
    }
    end = std::max(end, draw_column(ui, column, "Try", view.what_to_try));
    if (columns.arrangement == Arrangement::formulas_below) {
        column = {surface.origin().x + ui.px(kExplanationSide), end + ui.px(kExplanationTop),
                  columns.formula, unlimited};
    } else {
        column = {column.x + column.width + gap, top, columns.formula, unlimited};
    }
    end = std::max(end, draw_formulas(ui, column, view));
    surface.content_height(end + ui.px(kBottom) - surface.origin().y);
}

}  // namespace ropescope::gui
