// Reads somebody's positions on grids and prints the verdict about them.
#include "app/cli/positions_grid_check.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "app/cli/positions_findings.h"
#include "app/cli/positions_given.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/positions/grid_check.h"

namespace ropescope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kWrong = 1;

/// Half a unit in the last place, relative to the number. fp64 and whole numbers count as fp32,
/// in which most programs compute positions before they write them.
double unit_roundoff(Dtype dtype) {
    return dtype == Dtype::f16 ? 0x1p-11 : dtype == Dtype::bf16 ? 0x1p-8 : 0x1p-24;
}

GridValues finite_values(const Tensor& file, const std::string& order, const LayoutPositions& right,
                         const PlacedLayout& placed) {
    GridValues values = given_values(file, order, right, placed);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
            throw InputError(fmt::format("{}: number {} is {}; positions are finite numbers",
                                         file.name, i, values[i]));
        }
    }
    return values;
}

std::string difference_text(const GridVerdict& verdict, const LayoutPositions& right) {
    const GridDifference& first = *verdict.first;
    return fmt::format(
        "wrong since row {}, token {} ({}): {} is {:.9g}, and {:.9g} is expected\n"
        "{} of {} tokens have other positions\n",
        first.b, first.token, origin_text(first.origin), right.axes[first.axis], first.found,
        first.expected, verdict.differing, verdict.tokens);
}

Findings findings_of(const GridVerdict& verdict, const LayoutPositions& right) {
    Findings findings{.numbers = "positions",
                      .single = verdict.findings,
                      .pairs = verdict.pairs,
                      .tokens = right.batch * right.length,
                      .most_tokens = kMostPatchesOfPairs};
    for (const UnseenGridFault& fault : verdict.unseen) {
        findings.unseen.push_back({fault.code, fault.shown_by});
    }
    return findings;
}

std::string verdict_text(const PlacedLayout& placed, const GridVerdict& verdict,
                         const LayoutPositions& right) {
    std::string text;
    if (verdict.right()) {
        text = fmt::format("{}: the positions are right for all {} tokens that turn\n",
                           placed.origin, verdict.tokens);
        text += unseen_text(findings_of(verdict, right));
    } else {
        text = fmt::format("{}: the positions are wrong\n", placed.origin) +
               difference_text(verdict, right) + findings_text(findings_of(verdict, right));
    }
    if (verdict.still_differ) {
        text += "tokens that do not turn have other positions, which nothing uses\n";
    }
    return text;
}

Json difference_json(const GridVerdict& verdict, const LayoutPositions& right) {
    if (!verdict.first) {
        return nullptr;
    }
    const GridDifference& first = *verdict.first;
    return {{"row", first.b},
            {"token", first.token},
            {"axis", right.axes[first.axis]},
            {"expected", first.expected},
            {"found", first.found},
            {"kind", std::string(to_string(first.origin.kind))},
            {"segment", {first.origin.row, first.origin.segment}}};
}

Json verdict_json(const PlacedLayout& placed, const GridVerdict& verdict,
                  const LayoutPositions& right) {
    const Findings findings = findings_of(verdict, right);
    return {{"layout", printable(placed.plan.layout.name)},
            {"verdict", verdict.right() ? "right" : "wrong"},
            {"tokens", verdict.tokens},
            {"differing_tokens", verdict.differing},
            {"first", difference_json(verdict, right)},
            {"findings", verdict.right() ? Json::array() : findings_json(findings)},
            {"not_shown", unseen_json(findings)},
            {"still_tokens_differ", verdict.still_differ}};
}

}  // namespace

int check_grid_positions(const PlacedLayout& placed, const std::string& path,
                         const std::string& order, bool json) {
    const LayoutPositions right = placed.positions();
    const GivenPositions file = read_given(path);
    const GridVerdict verdict = judge_positions(
        {std::get<GridRule>(placed.rule), placed.plan.layout},
        finite_values(file.positions, order, right, placed), unit_roundoff(file.positions.dtype));
    print(json ? verdict_json(placed, verdict, right).dump(2) + "\n"
               : verdict_text(placed, verdict, right));
    return verdict.right() ? 0 : kWrong;
}

}  // namespace ropescope::cli
