// Prints the verdict about somebody's positions.
#include "app/cli/positions_check.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "app/cli/positions_input.h"
#include "app/cli/positions_report.h"
#include "app/cli/positions_verdict.h"
#include "core/base/characters.h"
#include "core/faults/codes.h"
#include "core/formats/tensor.h"
#include "core/positions/position_check.h"

namespace ropescope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kWrong = 1;

/// Says what was found about positions of a layout, as text and as JSON.
struct PositionsReport {
    const PlacedLayout& placed;
    const LayoutPositions& right;
    const PositionVerdict& verdict;

    bool on_grids() const { return placed.on_grids(); }
    const char* noun() const { return on_grids() ? "positions" : "ids"; }

    std::string text() const {
        std::string all =
            confidence_line(placed) + fmt::format("{}: the {} are {}", placed.origin, noun(),
                                                  verdict.right() ? "right" : "wrong\n");
        if (verdict.right()) {
            all += on_grids() ? fmt::format(" for all {} tokens that turn\n", verdict.tokens)
                              : fmt::format(": those of {} for all {} tokens\n",
                                            to_string(placed.plan.version), verdict.tokens);
            all += unseen_text();
        } else {
            all += difference_text() + findings_text();
        }
        if (verdict.others_differ) {
            all += on_grids() ? "tokens that do not turn have other positions, which nothing uses\n"
                              : "padding has other ids, which no token attends to\n";
        }
        return all;
    }

    Json json() const {
        Json all = confidence_json(placed);
        all["layout"] = printable(placed.plan.layout.name);
        if (!on_grids()) {
            all["runtime"] = std::string(to_string(placed.plan.version));
        }
        all["verdict"] = verdict.right() ? "right" : "wrong";
        all["tokens"] = verdict.tokens;
        all["differing_tokens"] = verdict.differing;
        all["first"] = verdict.first ? difference_json(*verdict.first) : Json();
        all["findings"] = verdict.right() ? Json::array() : findings_json();
        all["not_shown"] = unseen_json();
        if (on_grids()) {
            all["still_tokens_differ"] = verdict.others_differ;
            return all;
        }
        all["layout_lacks"] = missing_kinds(placed.plan);
        all["padding_differs"] = verdict.others_differ;
        if (verdict.delta) {
            all["rope_delta"] = {{"row", verdict.delta->b},
                                 {"expected", verdict.delta->expected},
                                 {"found", verdict.delta->found}};
        }
        return all;
    }

  private:
    std::string number_text(double position) const {
        return on_grids() ? fmt::format("{:.9g}", position)
                          : fmt::format("{}", round_to_index(position));
    }
    Json number_json(double position) const {
        return on_grids() ? Json(position) : Json(round_to_index(position));
    }

    std::string difference_text() const {
        if (!verdict.first) {
            return fmt::format(
                "all ids are right; rope_deltas: row {} has {}, and {} is expected\n",
                verdict.delta->b, verdict.delta->found, verdict.delta->expected);
        }
        const PositionDifference& first = *verdict.first;
        return fmt::format(
            "wrong since row {}, token {} ({}): {} is {}, and {} is expected\n"
            "{} of {} tokens have other {}\n",
            first.b, first.token, origin_text(first.origin), right.axes[first.axis],
            number_text(first.found), number_text(first.expected), verdict.differing,
            verdict.tokens, noun());
    }
    Json difference_json(const PositionDifference& first) const {
        Json json = {{"row", first.b},
                     {"token", first.token},
                     {"axis", right.axes[first.axis]},
                     {"expected", number_json(first.expected)},
                     {"found", number_json(first.found)},
                     {"kind", std::string(to_string(first.origin.kind))}};
        if (first.origin.in_segment()) {
            json["segment"] = {first.origin.row, first.origin.segment};
        }
        return json;
    }

    bool is_explained() const { return !verdict.findings.empty() || !verdict.pairs.empty(); }
    /// What is left where no fault that is known makes the positions.
    std::string_view code_of_rest() const {
        return verdict.offsets.empty() ? faults::code("ids.unexplained")
                                       : faults::code("ids.offset");
    }
    std::string text_of_rest() const {
        return verdict.offsets.empty() ? unexplained_text() : offset_text();
    }
    std::string offset_text() const {
        std::string text;
        for (Index axis = 0; axis < std::ssize(verdict.offsets); ++axis) {
            const double more = verdict.offsets[axis];
            if (more != 0.0) {
                text += fmt::format("All {} of {} are {} too {}. ", noun(), right.axes[axis],
                                    number_text(std::abs(more)), more > 0 ? "large" : "small");
            }
        }
        return text +
               "Scores among these tokens stay the same, since RoPE sees differences of positions "
               "alone; keys that a cache holds at the right positions no longer fit.";
    }
    std::string unexplained_text() const {
        const Index most = on_grids() ? GridPlan::kMostTokensOfPairs : IdPlan::kMostTokensOfPairs;
        return right.batch * right.length <= most
                   ? fmt::format("No fault that is known makes these {}, and no two of them do.",
                                 noun())
                   : fmt::format(
                         "No single fault that is known makes these {}; two at once are "
                         "looked for in at most {} tokens.",
                         noun(), most);
    }
    /// A line for each fault, or for two that make the numbers together.
    std::string findings_text() const {
        std::string text;
        for (const faults::NamedFault& fault : verdict.findings) {
            text += fmt::format("{}: {}\n", fault.code, fault.text);
        }
        for (const auto& [first, second] : verdict.pairs) {
            text += fmt::format("{} and {} together: {} {}\n", first.code, second.code, first.text,
                                second.text);
        }
        return is_explained() ? text : fmt::format("{}: {}\n", code_of_rest(), text_of_rest());
    }
    Json findings_json() const {
        Json list = Json::array();
        const auto add = [&](std::string_view code, const std::string& text) -> Json& {
            return list.emplace_back(Json{{"code", std::string(code)}, {"text", text}});
        };
        for (const faults::NamedFault& fault : verdict.findings) {
            add(fault.code, fault.text);
        }
        for (const auto& [first, second] : verdict.pairs) {
            add(first.code, first.text)["together_with"] = second.code;
            add(second.code, second.text)["together_with"] = first.code;
        }
        if (!is_explained()) {
            add(code_of_rest(), text_of_rest());
        }
        return list;
    }

    std::string unseen_text() const {
        std::string text;
        for (const UnseenFault& fault : verdict.unseen) {
            text += fmt::format("this layout cannot show {}; it takes {}\n", fault.code,
                                fault.shown_by);
        }
        const std::string missing = on_grids() ? "" : missing_kinds(placed.plan);
        return missing.empty()
                   ? text
                   : text +
                         fmt::format("the layout has no {}, so that faults of these do not show\n",
                                     missing);
    }
    Json unseen_json() const {
        Json list = Json::array();
        for (const UnseenFault& fault : verdict.unseen) {
            list.push_back(
                {{"code", std::string(fault.code)}, {"shown_by", std::string(fault.shown_by)}});
        }
        return list;
    }
};

}  // namespace

int check_positions(const PlacedLayout& placed, const std::string& path, const std::string& order,
                    bool json) {
    const LayoutPositions right = placed.positions();
    const PositionVerdict verdict = judge_given(placed, right, path, order);
    const PositionsReport report{placed, right, verdict};
    print(json ? report.json().dump(2) + "\n" : report.text());
    return verdict.right() ? 0 : kWrong;
}

}  // namespace ropescope::cli
