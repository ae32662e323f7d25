// Puts numbers that are not finite before what the others show.
#include "core/diagnosis/tell/finite.h"

#include <algorithm>

#include "core/diagnosis/phrases.h"

namespace ropescope::diagnosis {
namespace {

const DumpSide& side_of(const Dump& dump, Side side) {
    return side == Side::k ? *dump.k : *dump.q;
}

Explanation of_nothing(const Dump& dump, Side side) {
    return {.side = side,
            .head_dim = side_of(dump, side).before.channels,
            .pairing = {.kind = PairingKind::unclear},
            .too_little = {say::kNoneFinite, {side}}};
}

void keep_notes(Diagnosis& diagnosis) {
    std::erase_if(diagnosis.findings,
                  [](const Finding& finding) { return finding.weight != Weight::note; });
    diagnosis.mismatches.clear();
    diagnosis.unexplained.clear();
    diagnosis.heads.clear();
}

}  // namespace

Analysis told_of_not_finite(const Dump& dump, const Expectation* expectation,
                            std::vector<NotFinite> numbers, Analysis analysis, bool from_start) {
    Diagnosis& diagnosis = analysis.diagnosis;
    diagnosis.tensor_axes = dump.axes;
    diagnosis.axes_reason = dump.axes_reason;
    if (!from_start) {
        keep_notes(diagnosis);
    }
    if (analysis.sides.empty()) {
        analysis.sides = {of_nothing(dump, numbers.front().side)};
    }
    std::vector<Finding> findings;
    for (NotFinite& each : numbers) {
        const auto side = std::ranges::find(analysis.sides, each.side, &Explanation::side);
        if (side != analysis.sides.end()) {
            name_pairs(each, each.behind ? side->pairing.rotated : side->pairing.pairs);
        }
        const DumpSide& tensors = side_of(dump, each.side);
        findings.push_back(finding_of(each, each.behind ? tensors.after : tensors.before));
    }
    const auto put_first = [&](std::vector<Finding>& others) {
        others.insert(others.begin(), findings.begin(), findings.end());
    };
    put_first(diagnosis.findings);
    diagnosis.verdict = Verdict::invalid;
    diagnosis.gist = findings.front().words;
    diagnosis.next.clear();
    diagnosis.not_shown.clear();
    diagnosis.not_finite = std::move(numbers);
    if (expectation != nullptr) {
        diagnosis.expected = *expectation;
        put_first(diagnosis.mismatches);
    }
    return analysis;
}

}  // namespace ropescope::diagnosis
