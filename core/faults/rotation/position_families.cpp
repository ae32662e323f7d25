// Positions by a rule that has no number, or a small whole one.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <string>

#include "core/faults/codes.h"
#include "core/faults/rotation/near_families.h"

namespace ropescope::faults {
namespace {

using Position = std::function<double(const RotationPlan&, Index a, Index b, Index h, Index l)>;

struct Rule {
    std::string_view code;
    std::string text;
    Position position;
    bool by_head = false;
};

double own(const RotationPlan& right, Index a, Index b, Index l) {
    return right.position_at(a, b, l);
}

std::vector<Rule> rules_of_numbers() {
    std::vector<Rule> rules;
    for (const int n : {2, 3, 4, 8, 16}) {
        rules.push_back({code("positions.scaled"),
                         fmt::format("the positions were divided by {} without a remainder", n),
                         [n](const RotationPlan& right, Index a, Index b, Index, Index l) {
                             return std::floor(own(right, a, b, l) / n);
                         }});
        rules.push_back({code("positions.low_precision"),
                         fmt::format("the positions were rounded down to multiples of {}", n),
                         [n](const RotationPlan& right, Index a, Index b, Index, Index l) {
                             return std::floor(own(right, a, b, l) / n) * n;
                         }});
    }
    for (const double half : {0.5, -0.5}) {
        rules.push_back({code("positions.offset"),
                         fmt::format("every position was {:+g} from its own", half),
                         [half](const RotationPlan& right, Index a, Index b, Index, Index l) {
                             return own(right, a, b, l) + half;
                         }});
    }
    return rules;
}

std::vector<Rule> rules_of_places() {
    const std::string_view row = code("positions.per_row"), axis = code("positions.wrong_axis");
    return {
        {row, "the positions of each row were read from its end",
         [](const RotationPlan& right, Index a, Index b, Index, Index l) {
             return own(right, a, b, right.shape.length - 1 - l);
         }},
        {row, "each row had the positions of the next one",
         [](const RotationPlan& right, Index a, Index b, Index, Index l) {
             return own(right, a, (b + 1) % right.shape.batch, l);
         }},
        {row, "each row had the positions of the one before",
         [](const RotationPlan& right, Index a, Index b, Index, Index l) {
             return own(right, a, (b + right.shape.batch - 1) % right.shape.batch, l);
         }},
        {row, "all rows had the positions of the last one",
         [](const RotationPlan& right, Index a, Index, Index, Index l) {
             return own(right, a, right.shape.batch - 1, l);
         }},
        {row, "each row was as many positions too late as its number says",
         [](const RotationPlan& right, Index a, Index b, Index, Index l) {
             return own(right, a, b, l) + to_double(b);
         }},
        {row, "the positions of the rows were counted on from row to row",
         [](const RotationPlan& right, Index a, Index b, Index, Index l) {
             return own(right, a, 0, l) + to_double(b * right.shape.length);
         }},
        {code("positions.offset"), "every position was that of the token before in its row",
         [](const RotationPlan& right, Index a, Index b, Index, Index l) {
             return own(right, a, b, (l + right.shape.length - 1) % right.shape.length);
         }},
        {code("positions.offset"), "every position was that of the next token in its row",
         [](const RotationPlan& right, Index a, Index b, Index, Index l) {
             return own(right, a, b, (l + 1) % right.shape.length);
         }},
        {row, "every second token was taken for the next",
         [](const RotationPlan& right, Index a, Index b, Index, Index l) {
             return own(right, a, b, l) + to_double(l % 2);
         }},
        {code("positions.clamped"), "the last token had the position of the one before",
         [](const RotationPlan& right, Index a, Index b, Index, Index l) {
             return own(right, a, b, std::min(l, std::max<Index>(right.shape.length - 2, 0)));
         }},
        {axis, "each token stood at its position times its own number",
         [](const RotationPlan& right, Index a, Index b, Index, Index l) {
             return own(right, a, b, l) * to_double(l);
         }},
        {axis, "each head was as many positions too late as its number says",
         [](const RotationPlan& right, Index a, Index b, Index h, Index l) {
             return own(right, a, b, l) + to_double(h);
         },
         true},
        {code("answer.order"), "heads and tokens were reshaped, where they should change places",
         [](const RotationPlan& right, Index a, Index b, Index h, Index l) {
             return own(right, a, b, (l * right.shape.heads + h) % right.shape.length);
         },
         true},
    };
}

/// One axis is at 0, takes the place of all, or changes places with another.
std::vector<Rule> rules_of_axes(const RotationPlan& right) {
    std::vector<Rule> rules;
    for (Index one = 0; one < right.axes; ++one) {
        const auto with = [&](std::string_view code, std::string text, auto changed) {
            rules.push_back(
                {code, std::move(text),
                 [one, changed](const RotationPlan& plan, Index a, Index b, Index, Index l) {
                     const double position = own(plan, a, b, l);
                     return a == one ? changed(position) : position;
                 }});
        };
        with(code("axes.map"), fmt::format("axis {} of the positions was not read: it was 0", one),
             [](double) { return 0.0; });
        for (const int by : {1, -1}) {
            with(code("positions.offset"),
                 fmt::format("axis {} of every position was {:+d} from its own", one, by),
                 [by](double position) { return position + by; });
        }
        for (const double times : {2.0, 0.5, 4.0, 0.25}) {
            with(code("positions.scaled"),
                 fmt::format("axis {} of the positions was multiplied by {}", one, times),
                 [times](double position) { return position * times; });
        }
        rules.push_back({code("axes.map"),
                         fmt::format("axis {} of the positions turned the pairs of all axes", one),
                         [one](const RotationPlan& plan, Index, Index b, Index, Index l) {
                             return own(plan, one, b, l);
                         }});
        for (Index other = 0; other < one; ++other) {
            rules.push_back(
                {code("axes.swapped"),
                 fmt::format("axes {} and {} of the positions changed places", other, one),
                 [one, other](const RotationPlan& plan, Index a, Index b, Index, Index l) {
                     const Index from = a == one ? other : a == other ? one : a;
                     return own(plan, from, b, l);
                 }});
        }
    }
    for (const Index by : {Index{1}, right.axes - 1}) {
        rules.push_back({code("axes.map"),
                         "the axes of the positions stood in another order: each "
                         "had moved on by one, and the last became the first",
                         [by](const RotationPlan& plan, Index a, Index b, Index, Index l) {
                             return own(plan, (a + by) % plan.axes, b, l);
                         }});
    }
    return rules;
}

std::optional<RotationPlan> with_rule(const RotationPlan& right, const Rule& rule) {
    RotationPlan plan = right;
    if (rule.by_head && (right.shape.heads == 1 || right.shape.length * right.shape.batch == 0)) {
        return std::nullopt;
    }
    for (Index a = 0; a < plan.axes; ++a) {
        for (Index b = 0; b < plan.shape.batch; ++b) {
            for (Index h = 0; h < (rule.by_head ? plan.shape.heads : 1); ++h) {
                for (Index l = 0; l < plan.shape.length; ++l) {
                    const double position = rule.position(right, a, b, h, l);
                    if (rule.by_head) {
                        plan.head_positions.push_back(position);
                    } else {
                        plan.position_at(a, b, l) = position;
                    }
                }
            }
        }
    }
    return !rule.by_head && plan.positions == right.positions ? std::nullopt : std::optional(plan);
}

}  // namespace

Near other_places(const NearSubject& subject) {
    std::vector<Rule> rules = rules_of_places();
    if (subject.right.axes > 1) {
        std::ranges::move(rules_of_axes(subject.right), std::back_inserter(rules));
    }
    std::ranges::move(rules_of_numbers(), std::back_inserter(rules));
    for (const Rule& rule : rules) {
        const auto plan = with_rule(subject.right, rule);
        if (plan && subject.matches(*plan)) {
            return NamedFault{std::string(rule.code), rule.text};
        }
    }
    return std::nullopt;
}

}  // namespace ropescope::faults
