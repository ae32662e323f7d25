// Breaks named texts into lines below each other, and draws them.
#include "app/plot/facts.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/plot/rich_text.h"
#include "core/base/index.h"

namespace ropescope::plot {
namespace {

constexpr double kGap = 16, kBetween = 3;  ///< units
constexpr double kLineHeight = 1.2;        ///< of the text's height
/// Names take at most a quarter of the width, where there is little 0.4 of it. If they need more in
/// a panel below the first width, they are left out: their meaning stands in the text.
constexpr double kTooNarrow = 340, kLittle = 2 * kTooNarrow, kMost = 0.25, kMostOfLittle = 0.4;

/// The width of the names with the gap behind them; 0 if they are left out.
double names_width(const Facts& facts, double width, const Pen& pen) {
    double names = 0;
    for (const Facts::Fact& fact : facts.rows) {
        names = std::max(names, rich_text_size(fact.name, pen.caption(Role::dim), pen.painter).x);
    }
    const double most = width * (width < pen.px(kLittle) ? kMostOfLittle : kMost);
    const bool beside = width >= pen.px(kTooNarrow) || names <= most;
    return beside ? std::min(names, most) + pen.px(kGap) : 0;
}

/// Calls `draw(fact, y, lines)` for each fact that has room, and returns how many have none.
int each_fact(const Facts& facts, Rect area, double names, double line, const Pen& pen,
              const auto& draw) {
    double y = area.y;
    for (auto fact = facts.rows.begin(); fact != facts.rows.end(); ++fact) {
        const double room = std::floor((area.y + area.height - y) / line);
        if (!(room >= 1)) {
            return static_cast<int>(facts.rows.end() - fact);
        }
        const std::vector<std::string> lines =
            wrapped(fact->text, area.width - names, floor_to_index(room), pen.caption(fact->role),
                    pen.painter);
        draw(*fact, y, lines);
        y += line * to_double(std::ssize(lines)) + pen.px(kBetween);
    }
    return 0;
}

double line_of_facts(const Pen& pen) {
    return std::round(pen.line_height(pen.caption(Role::dim)) * kLineHeight);
}

}  // namespace

int facts_left_out(const Facts& facts, Rect area, const Pen& pen) {
    return each_fact(facts, area, names_width(facts, area.width, pen), line_of_facts(pen), pen,
                     [](const Facts::Fact&, double, const std::vector<std::string>&) {});
}

void draw_facts(const Facts& facts, Rect area, const Pen& pen) {
    const double names = names_width(facts, area.width, pen), line = line_of_facts(pen);
    const TextStyle name_style = pen.caption(Role::dim);
    each_fact(
        facts, area, names, line, pen,
        [&](const Facts::Fact& fact, double y, const std::vector<std::string>& lines) {
            if (names > 0) {
                draw_rich_text({area.x, y}, fitted(fact.name, names, name_style, pen.painter),
                               name_style, pen.painter);
            }
            for (const std::string& words : lines) {
                draw_rich_text({area.x + names, y}, words, pen.caption(fact.role), pen.painter);
                y += line;
            }
        });
}

}  // namespace ropescope::plot
