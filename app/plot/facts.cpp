// Draws named texts below each other.
#include <algorithm>
#include <cmath>

#include "app/plot/marks.h"
#include "app/plot/rich_text.h"

namespace ropescope::plot {
namespace {

constexpr double kGap = 16, kBetween = 3;         ///< units
constexpr double kLineHeight = 1.2;               ///< of the text's height
constexpr double kTooNarrow = 340, kMost = 0.25;  ///< below this width the names stand in the text

}  // namespace

void draw_facts(const Facts& facts, Rect area, const Pen& pen) {
    const TextStyle name_style = pen.caption(Role::dim);
    const double line = std::round(pen.line_height(name_style) * kLineHeight);
    const bool beside = area.width >= pen.px(kTooNarrow);
    double names = 0;
    for (const Facts::Fact& fact : facts.rows) {
        names = std::max(names, rich_text_size(fact.name, name_style, pen.painter).x);
    }
    names = beside ? std::min(names, area.width * kMost) + pen.px(kGap) : 0;
    double y = area.y;
    for (const Facts::Fact& fact : facts.rows) {
        const double room = std::floor((area.y + area.height - y) / line);
        if (!(room >= 1)) {
            return;
        }
        const TextStyle style = pen.caption(fact.role);
        if (beside) {
            draw_rich_text({area.x, y}, fitted(fact.name, names, name_style, pen.painter),
                           name_style, pen.painter);
        }
        for (const std::string& words :
             wrapped(fact.text, area.width - names, floor_to_index(room), style, pen.painter)) {
            draw_rich_text({area.x + names, y}, words, style, pen.painter);
            y += line;
        }
        y += pen.px(kBetween);
    }
}

}  // namespace ropescope::plot
