// Reads somebody's position ids and prints the verdict about them.
#include "app/cli/positions_check.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "app/cli/position_file.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"
#include "core/positions/id_check.h"

namespace ropescope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kWrong = 1;

/// Ids as a file has them.
struct IdFile {
    Tensor ids;
    std::optional<Tensor> deltas;
};

Tensor copy(const TensorBytes& tensor, const std::string& name) {
    return {name, tensor.dtype, tensor.shape, {tensor.bytes.begin(), tensor.bytes.end()}};
}

IdFile read_ids(const std::string& path) {
    if (path.ends_with(".safetensors")) {
        const SafetensorsFile file = SafetensorsFile::open(path);
        IdFile read{copy(file.at("position_ids"), path + ": position_ids"), std::nullopt};
        if (const TensorBytes* deltas = file.find("rope_deltas")) {
            read.deltas = copy(*deltas, path + ": rope_deltas");
        }
        return read;
    }
    IdFile read{read_npy(path), std::nullopt};
    read.ids.name = path;
    return read;
}

Index whole_id(double value, const Tensor& file, Index place) {
    constexpr double kMost = 9007199254740992.0;  // whole numbers are exact up to here, 2^53
    if (!(std::abs(value) <= kMost) || value != std::floor(value)) {
        throw InputError(fmt::format("{}: number {} is {}; position ids are whole numbers",
                                     file.name, place, value));
    }
    return round_to_index(value);
}

/// Tokens of a row if patches were not merged: what a file of another length may have.
Index unmerged_tokens(const IdPlan& plan) {
    IdPlan unmerged = plan;
    unmerged.rule.merge = 1;
    Index longest = 0;
    for (Index row = 0; row < std::ssize(plan.layout.rows); ++row) {
        longest = std::max(longest, own_tokens(unmerged, row));
    }
    return longest;
}

[[noreturn]] void refuse_shape(const Tensor& file, const LayoutPositions& right, const IdPlan& plan,
                               Index length) {
    const bool one_axis = right.axes.size() == 1;
    std::string text = fmt::format(
        "{}: shape {}; this layout has {} x {} tokens{}, give [{}{}, {}]", file.name,
        shape_text(file.shape), right.batch, right.length,
        one_axis ? ""
                 : fmt::format(" in {} axes ({})", right.axes.size(), fmt::join(right.axes, ", ")),
        one_axis ? "" : fmt::format("{}, ", right.axes.size()), right.batch, right.length);
    if (length != right.length && length == unmerged_tokens(plan)) {
        text += "; it has one id for each patch before patches are merged";
    } else if (!one_axis) {
        text += ", or name the order of the axes by --position-axes";
    }
    throw InputError(text);
}

/// Ids [3, batch, length]; those of one axis three times.
std::vector<Index> ids_in_order(const Tensor& file, const std::string& order,
                                const LayoutPositions& right, const IdPlan& plan) {
    const bool one_axis = right.axes.size() == 1;
    PositionFile read;
    if (!one_axis) {
        read = read_positions(file, order);
    } else {
        const std::size_t rank = file.shape.size();
        if (!order.empty() || rank < 1 || rank > 2) {
            throw InputError(fmt::format(
                "{}: shape {}; this model turns in one axis, give [L] or [B, L]{}", file.name,
                shape_text(file.shape), order.empty() ? "" : " and leave --position-axes out"));
        }
        read = {1, rank == 1 ? 1 : file.shape[0], file.shape.back(), to_f64(file.view())};
    }
    if (read.axes != std::ssize(right.axes) || read.batch != right.batch ||
        read.length != right.length) {
        refuse_shape(file, right, plan, read.length);
    }
    std::vector<Index> ids;
    for (Index i = 0; i < std::ssize(read.values); ++i) {
        ids.push_back(whole_id(read.values[i], file, i));
    }
    const std::vector<Index> once = ids;
    for (int more = 1; one_axis && more < 3; ++more) {
        ids.insert(ids.end(), once.begin(), once.end());
    }
    return ids;
}

MultimodalIds given_ids(const IdFile& file, const std::string& order, const LayoutPositions& right,
                        const IdPlan& plan) {
    MultimodalIds given{right.batch, right.length, ids_in_order(file.ids, order, right, plan), {}};
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

/// "rows[0][2] (text), its token 3".
std::string origin_text(const TokenOrigin& origin) {
    return origin.in_segment() ? fmt::format("token {} of rows[{}][{}], {}", origin.index,
                                             origin.row, origin.segment, to_string(origin.kind))
                               : fmt::format("decode step {}", origin.index);
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

std::string verdict_text(const PlacedLayout& placed, const IdVerdict& verdict,
                         const LayoutPositions& right) {
    std::string text;
    if (verdict.right()) {
        text = fmt::format("{}: the ids are right: those of {} for all {} tokens\n", placed.origin,
                           to_string(placed.plan.version), verdict.tokens);
        for (const IdFault* fault : verdict.unseen) {
            text += fmt::format("this layout cannot show {}; it takes {}\n", fault->code,
                                fault->shown_by);
        }
        if (const std::string missing = missing_kinds(placed.plan); !missing.empty()) {
            text +=
                fmt::format("the layout has no {}, so that faults of these do not show\n", missing);
        }
    } else {
        text =
            fmt::format("{}: the ids are wrong\n", placed.origin) + difference_text(verdict, right);
        for (const IdFinding& finding : verdict.findings) {
            text += fmt::format("{}: {}\n", finding.fault->code, finding.how);
        }
        if (verdict.findings.empty()) {
            text += "ids.unexplained: No single fault that is known makes these ids.\n";
        }
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
    Json findings = Json::array(), unseen = Json::array();
    for (const IdFinding& finding : verdict.findings) {
        findings.push_back(
            {{"code", std::string(finding.fault->code)}, {"text", std::string(finding.how)}});
    }
    if (!verdict.right() && verdict.findings.empty()) {
        findings.push_back({{"code", "ids.unexplained"},
                            {"text", "No single fault that is known makes these ids."}});
    }
    for (const IdFault* fault : verdict.unseen) {
        unseen.push_back(
            {{"code", std::string(fault->code)}, {"shown_by", std::string(fault->shown_by)}});
    }
    Json json = {{"layout", printable(placed.plan.layout.name)},
                 {"runtime", std::string(to_string(placed.plan.version))},
                 {"verdict", verdict.right() ? "right" : "wrong"},
                 {"tokens", verdict.tokens},
                 {"differing_tokens", verdict.differing},
                 {"first", difference_json(verdict, right)},
                 {"findings", findings},
                 {"not_shown", unseen},
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
        throw InputError(
            "--check: this part of the model makes positions of grids, not ids; --check judges ids "
            "of language models");
    }
    const LayoutPositions right = placed.positions();
    const IdVerdict verdict =
        judge_ids(placed.plan, given_ids(read_ids(path), order, right, placed.plan));
    print(json ? verdict_json(placed, verdict, right).dump(2) + "\n"
               : verdict_text(placed, verdict, right));
    return verdict.right() ? 0 : kWrong;
}

}  // namespace ropescope::cli
