// Explains q and k, compares them, and weighs what was found.
#include "core/diagnosis/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/diagnosis/analysis.h"
#include "core/diagnosis/expectation.h"
#include "core/diagnosis/sides.h"
#include "core/diagnosis/softmax_scale.h"
#include "core/diagnosis/system_match.h"
#include "core/diagnosis/written_rows.h"
#include "core/systems/system.h"

namespace ropescope::diagnosis {
namespace {

/// Rows that were never written are a finding of their own, and the others are explained.
Explanation explain_written(const DumpSide& side, const std::string& name,
                            const DumpPositions& positions, const Expected& expected) {
    const std::optional<RowRange> rows = written_rows(side);
    if (!rows) {
        return explain(side, name, positions, expected);
    }
    Explanation explained =
        explain(only_rows(side, *rows), name, only_rows(positions, *rows), expected);
    const Index first_lost = rows->first > 0 ? 0 : rows->count;
    const Index lost = side.after.batch - rows->count;
    explained.findings.push_back(
        {"rows.unrotated",
         fmt::format("{} of the {} rows of {} {} zero behind the rotation: {} never written.", lost,
                     side.after.batch, name, lost == 1 ? "is" : "are",
                     lost == 1 ? "it was" : "they were"),
         fmt::format("{}, row {}", name, first_lost), 0.0});
    return explained;
}

std::vector<Explanation> explain_sides(const Dump& dump, const Expectation* expectation) {
    Expected expected;
    if (expectation != nullptr) {
        expected = {expectation->specs, expectation->schemes};
    }
    std::vector<Explanation> sides;
    if (dump.q) {
        sides.push_back(explain_written(*dump.q, "q", stated_positions(dump, false), expected));
    }
    if (dump.k) {
        sides.push_back(explain_written(*dump.k, "k", stated_positions(dump, true), expected));
    }
    if (sides.empty()) {
        throw InputError("the dump has neither q and q_rot nor k and k_rot; name them by --map");
    }
    return sides;
}

/// The side whose numbers stand for both: the first that is explained.
const Explanation& leading(const std::vector<Explanation>& sides) {
    const auto explained =
        std::ranges::find_if(sides, [](const Explanation& side) { return side.model.has_value(); });
    const auto paired = std::ranges::find_if(
        sides, [](const Explanation& side) { return side.pairing.kind == PairingKind::found; });
    return explained != sides.end() ? *explained : paired != sides.end() ? *paired : sides.front();
}

void fill_positions(const Explanation& side, Diagnosis& diagnosis) {
    const auto same = [&](std::size_t at) {
        const double found = side.places.position[at];
        return std::abs(found - side.stated[at]) <= 2.0 * side.places.error[at] + 1e-6;
    };
    bool all = true;
    for (std::size_t at = 0; at < side.stated.size() && all; ++at) {
        all = same(at);
    }
    if (all) {
        return;
    }
    for (Index row = 0; row < side.turns.rows; ++row) {
        std::vector<double> positions;
        for (Index t = 0; t < side.turns.length; ++t) {
            const std::size_t at = row * side.turns.length + t;
            const double found = side.places.position[at], whole = std::round(found);
            positions.push_back(
                std::abs(found - whole) <= 2.0 * side.places.error[at] + 1e-6 ? whole : found);
        }
        diagnosis.positions.push_back(std::move(positions));
    }
    const auto alike = [&](const auto& row) { return row == diagnosis.positions.front(); };
    if (std::ranges::all_of(diagnosis.positions, alike)) {
        diagnosis.positions.resize(1);
    }
}

void fill_axes(const AxisMap& map, Diagnosis& diagnosis) {
    diagnosis.axis_names = map.names;
    for (std::size_t p = 0; p < map.axis.size(); ++p) {
        std::vector<double> omega(map.axes);
        if (map.axis[p] >= 0) {
            omega[map.axis[p]] = map.omega[p];
        }
        diagnosis.omega_rad.push_back(std::move(omega));
    }
}

void fill_numbers(const std::vector<Explanation>& sides, Diagnosis& diagnosis) {
    const Explanation& side = leading(sides);
    if (side.pairing.kind != PairingKind::found) {
        return;
    }
    diagnosis.layout = side.pairing.layout;
    diagnosis.table_dtype = side.table;
    diagnosis.gain = side.gain.value;
    if (!side.model) {
        return;
    }
    diagnosis.rotary_dim = side.model->rotary_dim;
    diagnosis.base = side.model->base;
    diagnosis.scaling = side.model->scaling;
    diagnosis.sign = side.sign;
    diagnosis.position_offset = side.offset;
    if (side.axis_map) {
        fill_axes(*side.axis_map, diagnosis);
    } else {
        diagnosis.inv_freq_rad = side.model->omega;
    }
    double residual = 0.0;
    for (const Explanation& each : sides) {
        residual = std::max(residual, each.places.worst_rad);
    }
    diagnosis.residual_rad = residual;
    fill_positions(side, diagnosis);
}

Verdict verdict_of(const Diagnosis& diagnosis, const std::vector<Explanation>& sides) {
    const auto has = [&](Weight weight) {
        return std::ranges::any_of(
            diagnosis.findings, [&](const Finding& finding) { return finding.weight == weight; });
    };
    const auto unknown = [](const Explanation& side) { return !side.too_little.empty(); };
    return has(Weight::fault)                    ? Verdict::invalid
           : std::ranges::any_of(sides, unknown) ? Verdict::undetermined
           : has(Weight::equivalent)             ? Verdict::equivalent
                                                 : Verdict::valid;
}

std::string summary_of(const Diagnosis& diagnosis, const std::vector<Explanation>& sides) {
    const std::string verdict(to_string(diagnosis.verdict));
    const bool right =
        diagnosis.verdict == Verdict::valid || diagnosis.verdict == Verdict::equivalent;
    if (right && !diagnosis.mismatches.empty()) {
        return fmt::format("{} by itself, but not as {} says: {}", verdict,
                           diagnosis.expected->name, diagnosis.mismatches.front().text);
    }
    switch (diagnosis.verdict) {
        case Verdict::undetermined:
            for (const Explanation& side : sides) {
                if (!side.too_little.empty()) {
                    return verdict + ": " + side.too_little;
                }
            }
            break;
        case Verdict::valid: {
            const SpectrumModel& model = *leading(sides).model;
            return fmt::format("{}: {}, {} of {} channels turn, {}", verdict, diagnosis.layout,
                               model.rotary_dim, leading(sides).head_dim, model.text);
        }
        default:
            break;
    }
    return fmt::format("{}: {}", verdict,
                       diagnosis.findings.empty() ? "" : diagnosis.findings.front().text);
}

}  // namespace

Analysis analyse(const Dump& dump, const Expectation* expectation) {
    Analysis analysis{.sides = explain_sides(dump, expectation), .diagnosis = {}};
    std::vector<Explanation>& sides = analysis.sides;
    for (Explanation& side : sides) {
        if (side.too_little.empty() && side.places.unexplained > 0) {
            side.too_little = fmt::format(
                "{} of {} tokens of {} turn by no position that fits; dump fewer tokens around the "
                "first of them, in float32",
                side.places.unexplained, side.turns.rows * side.turns.length, side.side);
        }
    }
    Diagnosis& diagnosis = analysis.diagnosis;
    diagnosis.tensor_axes = dump.axes;
    diagnosis.axes_reason = dump.axes_reason;
    diagnosis.findings = findings_of(sides);
    fill_numbers(sides, diagnosis);
    const Explanation& side = leading(sides);
    if (std::optional<Finding> scale = softmax_finding(dump, side, expectation)) {
        diagnosis.findings.push_back(std::move(*scale));
        std::ranges::stable_sort(diagnosis.findings, {}, &Finding::weight);
    }
    const bool of_keys = side.side == "k";
    const bool other_faults = std::ranges::any_of(diagnosis.findings, [](const Finding& finding) {
        return finding.weight == Weight::fault && finding.code != "not_a_rotation";
    });
    if (const auto system = other_faults ? std::nullopt
                                         : matching_system(of_keys ? *dump.k : *dump.q,
                                                           stated_positions(dump, of_keys), side)) {
        diagnosis.matches = *system;
        diagnosis.findings.push_back({.code = "matches." + *system,
                                      .text = "The code of " + find_system(*system).source +
                                              " gives the same numbers for the first tokens.",
                                      .where = side.side,
                                      .weight = Weight::note});
    }
    diagnosis.verdict = verdict_of(diagnosis, sides);
    for (const Explanation& each : sides) {
        if (!each.too_little.empty()) {
            diagnosis.next.push_back(each.too_little);
        }
    }
    if (expectation != nullptr) {
        diagnosis.expected = *expectation;
        diagnosis.mismatches = mismatches_of(sides, *expectation, diagnosis);
    }
    diagnosis.summary = summary_of(diagnosis, sides);
    return analysis;
}

Diagnosis diagnose(const Dump& dump, const Expectation* expectation) {
    return analyse(dump, expectation).diagnosis;
}

bool passes(const Diagnosis& diagnosis) {
    const bool unsure = diagnosis.expected && diagnosis.verdict == Verdict::undetermined;
    return diagnosis.verdict != Verdict::invalid && !unsure && diagnosis.mismatches.empty();
}

}  // namespace ropescope::diagnosis
