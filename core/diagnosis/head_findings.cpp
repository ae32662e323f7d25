// Puts the findings of kinds of heads together, and says how the kinds differ.
#include "core/diagnosis/head_findings.h"

#include <algorithm>

#include "core/diagnosis/grouping.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/sides.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

bool turns_nothing(const HeadKind& kind) {
    return std::ranges::all_of(kind.sides, [](const Explanation& side) { return side.still; });
}

/// The findings of a kind. Heads that do not turn, among others that do, are a fault of their own.
FindingsOfPart findings_of_kind(const HeadKind& kind, bool some_turn) {
    FindingsOfPart part{findings_of(kind.sides),
                        {.q_heads = kind.q_heads, .k_heads = kind.k_heads}};
    for (Finding& finding : part.findings) {
        if (finding.code == faults::code("spectrum.zero") && turns_nothing(kind) && some_turn) {
            finding.code = faults::code("rows.unrotated");
            finding.words = say::kStillHeads;
        }
    }
    return part;
}

/// A note that lists the spectra of the heads, if they are several.
void add_spectra(const std::vector<HeadKind>& kinds, std::vector<Finding>& findings) {
    std::vector<SpectrumOfPart> spectra;
    Finding found{.code = faults::code("spectrum.per_head"), .weight = Weight::note};
    for (const HeadKind& kind : kinds) {
        const auto known = std::ranges::find_if(
            kind.sides, [](const Explanation& side) { return side.model.has_value(); });
        if (known == kind.sides.end()) {
            continue;
        }
        const std::optional<AxisMap>& map = kind.sides.front().axis_map;
        spectra.push_back({words_of_spectrum(*known),
                           kind.q_heads.empty() ? kind.k_heads : kind.q_heads,
                           map && map->has_mixed()});
        found.place.sides = kind.sides.size() == 2 ? Side::both : kind.sides.front().side;
        add_numbers(found.place.q_heads, kind.q_heads);
        add_numbers(found.place.k_heads, kind.k_heads);
    }
    found.words = words_of_spectra(spectra, Part::heads);
    if (!found.words.empty()) {
        findings.push_back(std::move(found));
    }
}

/// Leaves heads out of a place that all heads of its sides are in.
void leave_out_all(Place& place, Index q_heads, Index k_heads) {
    const bool of_q = contains(place.sides, Side::q), of_k = contains(place.sides, Side::k);
    const bool all_q = !of_q || std::ssize(place.q_heads) == q_heads;
    const bool all_k = !of_k || std::ssize(place.k_heads) == k_heads;
    if ((all_q && all_k) || !of_q) {
        place.q_heads.clear();
    }
    if ((all_q && all_k) || !of_k) {
        place.k_heads.clear();
    }
}

}  // namespace

std::vector<Finding> findings_of_kinds(const std::vector<HeadKind>& kinds, Index q_heads,
                                       Index k_heads) {
    const bool some_turn = !std::ranges::all_of(kinds, turns_nothing);
    std::vector<FindingsOfPart> parts;
    double rounding = 0.0;
    for (const HeadKind& kind : kinds) {
        parts.push_back(findings_of_kind(kind, some_turn));
        rounding = std::max(rounding, rounding_of(kind.sides));
    }
    std::vector<Finding> findings = grouped(parts, Part::heads, rounding);
    weigh_layouts(findings, Part::heads);
    add_spectra(kinds, findings);
    for (Finding& finding : findings) {
        leave_out_all(finding.place, q_heads, k_heads);
    }
    std::ranges::stable_sort(findings, {}, &Finding::weight);
    return findings;
}

}  // namespace ropescope::diagnosis
