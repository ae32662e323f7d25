// Reads somebody's position ids and prints the verdict about them.
#include "app/cli/positions_check.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "app/cli/positions_findings.h"
#include "app/cli/positions_given.h"
#include "app/cli/positions_grid_check.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/formats/tensor.h"
#include "core/positions/id_check.h"

namespace ropescope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kWrong = 1;

Index whole_id(double value, const Tensor& file, Index place) {
    constexpr double kMost = 9007199254740992.0;  // whole numbers are exact up to here, 2^53
    if (!(std::abs(value) <= kMost) || value != std::floor(value)) {
        throw InputError(fmt::format("{}: number {} is {}; position ids are whole numbers",
                                     file.name, place, value));
    }
    return round_to_index(value);
}

/// Ids [3, batch, length]; those of one axis three times.
std::vector<Index> ids_in_order(const Tensor& file, const std::string& order,
                                const LayoutPositions& right, const PlacedLayout& placed) {
    const std::vector<double> values = given_values(file, order, right, placed);
    std::vector<Index> ids;
    for (Index i = 0; i < std::ssize(values); ++i) {
        ids.push_back(whole_id(values[i], file, i));
    }
    const std::vector<Index> once = ids;
    for (int more = 1; right.axes.size() == 1 && more < 3; ++more) {
        ids.insert(ids.end(), once.begin(), once.end());
    }
    return ids;
}

MultimodalIds given_ids(const GivenPositions& file, const std::string& order,
                        const LayoutPositions& right, const PlacedLayout& placed) {
    MultimodalIds given{
        right.batch, right.length, ids_in_order(file.positions, order, right, placed), {}};
    if (file.deltas) {
        given.deltas = to_i64(file.deltas->view());
        if (std::ssize(given.deltas) != right.batch) {
            throw InputError(
                fmt::format("{}: {} numbers, and the layout has {} rows; give one for "
                            "each",
                            file.deltas->name, given.deltas.size(), right.batch));
        }
    }
    return given;
}

std::string difference_text(const IdVerdict& verdict, const LayoutPositions& right) {
    if (!verdict.first) {
        return fmt::format("all ids are right; rope_deltas: row {} has {}, and {} is expected\n",
                           verdict.delta->b, verdict.delta->found, verdict.delta->expected);
    }
    const IdDifference& first = *verdict.first;
    return fmt::format(
        "wrong since row {}, token {} ({}): {} is {}, and {} is expected\n"
        "{} of {} tokens have other ids\n",
        first.b, first.token, origin_text(first.origin), right.axes[first.axis], first.found,
        first.expected, verdict.differing, verdict.tokens);
}

Findings findings_of(const IdVerdict& verdict, const LayoutPositions& right) {
    Findings findings{.pairs = verdict.pairs, .tokens = right.batch * right.length};
    for (const IdFinding& finding : verdict.findings) {
        findings.single.push_back({finding.fault->code, std::string(finding.how)});
    }
    for (const IdFault* fault : verdict.unseen) {
        findings.unseen.push_back({fault->code, fault->shown_by});
    }
    return findings;
}

std::string verdict_text(const PlacedLayout& placed, const IdVerdict& verdict,
                         const LayoutPositions& right) {
    std::string text;
    if (verdict.right()) {
        text = fmt::format("{}: the ids are right: those of {} for all {} tokens\n", placed.origin,
                           to_string(placed.plan.version), verdict.tokens);
        text += unseen_text(findings_of(verdict, right));
        if (const std::string missing = missing_kinds(placed.plan); !missing.empty()) {
            text +=
                fmt::format("the layout has no {}, so that faults of these do not show\n", missing);
        }
    } else {
        text = fmt::format("{}: the ids are wrong\n", placed.origin) +
               difference_text(verdict, right) + findings_text(findings_of(verdict, right));
    }
    if (verdict.padding_differs) {
        text += "padding has other ids, which no token attends to\n";
    }
    return text;
}

Json difference_json(const IdVerdict& verdict, const LayoutPositions& right) {
    if (!verdict.first) {
        return nullptr;
    }
    const IdDifference& first = *verdict.first;
    Json json = {{"row", first.b},
                 {"token", first.token},
                 {"axis", right.axes[first.axis]},
                 {"expected", first.expected},
                 {"found", first.found},
                 {"kind", std::string(to_string(first.origin.kind))}};
    if (first.origin.in_segment()) {
        json["segment"] = {first.origin.row, first.origin.segment};
    }
    return json;
}

Json verdict_json(const PlacedLayout& placed, const IdVerdict& verdict,
                  const LayoutPositions& right) {
    const Findings findings = findings_of(verdict, right);
    Json json = {{"layout", printable(placed.plan.layout.name)},
                 {"runtime", std::string(to_string(placed.plan.version))},
                 {"verdict", verdict.right() ? "right" : "wrong"},
                 {"tokens", verdict.tokens},
                 {"differing_tokens", verdict.differing},
                 {"first", difference_json(verdict, right)},
                 {"findings", verdict.right() ? Json::array() : findings_json(findings)},
                 {"not_shown", unseen_json(findings)},
                 {"layout_lacks", missing_kinds(placed.plan)},
                 {"padding_differs", verdict.padding_differs}};
    if (verdict.delta) {
        json["rope_delta"] = {{"row", verdict.delta->b},
                              {"expected", verdict.delta->expected},
                              {"found", verdict.delta->found}};
    }
    return json;
}

}  // namespace

int check_positions(const PlacedLayout& placed, const std::string& path, const std::string& order,
                    bool json) {
    if (placed.on_grids()) {
        return check_grid_positions(placed, path, order, json);
    }
    const LayoutPositions right = placed.positions();
    const IdVerdict verdict =
        judge_ids(placed.plan, given_ids(read_given(path), order, right, placed));
    print(json ? verdict_json(placed, verdict, right).dump(2) + "\n"
               : verdict_text(placed, verdict, right));
    return verdict.right() ? 0 : kWrong;
}

}  // namespace ropescope::cli
