// Concludes from what a rotation leaves of a dump.
#include "core/diagnosis/held/held_diagnosis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <string_view>

#include "core/diagnosis/held/folded.h"
#include "core/diagnosis/held/grid_faults.h"
#include "core/diagnosis/held/held_words.h"
#include "core/diagnosis/held/inferred_facts.h"
#include "core/diagnosis/held/norm_faults.h"
#include "core/diagnosis/held/phrases.h"
#include "core/diagnosis/held/planned_fault.h"
#include "core/diagnosis/hypotheses/model_search.h"
#include "core/diagnosis/score_findings.h"
#include "core/diagnosis/tell/recovered.h"
#include "core/diagnosis/tell/sides.h"
#include "core/diagnosis/tell/verdict.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// Scores, and everything that follows from the findings.
void conclude_diagnosis(const Dump& dump, const Expectation& expectation, Analysis& analysis) {
    Diagnosis& diagnosis = analysis.diagnosis;
    std::ranges::move(score_findings(dump, &expectation), std::back_inserter(diagnosis.findings));
    std::ranges::stable_sort(diagnosis.findings, {}, &Finding::weight);
    if (diagnosis.heads.empty()) {
        add_match(dump, leading(analysis.sides), diagnosis);
    }
    weigh_direction(expectation, diagnosis.findings);
    diagnosis.verdict = verdict_of(diagnosis);
    diagnosis.expected = expectation;
    for (const Finding& finding : diagnosis.findings) {
        if (finding.weight == Weight::fault) {
            diagnosis.mismatches.push_back(finding);
        }
    }
    diagnosis.gist = gist_of(diagnosis, analysis.sides);
}

/// Scores decide whether the factor in q or k is right.
void conclude_folded(const Dump& dump, Analysis& analysis) {
    Diagnosis& diagnosis = analysis.diagnosis;
    weigh_folded_scores(dump, diagnosis);
    const Finding& first = diagnosis.findings.front();
    if (first.weight == Weight::fault && diagnosis.mismatches.empty()) {
        diagnosis.mismatches.push_back(first);
    }
    diagnosis.verdict = verdict_of(diagnosis);
    diagnosis.gist = gist_of(diagnosis, analysis.sides);
}

/// The channels that the pairs of each side were found at behind the rotation, if they were read
/// where they are expected, and an offset that all sides have. In which order the two channels come
/// out is left to what stands behind them.
Unnoticed unnoticed_in(const Held& held, const std::vector<Explanation>& sides) {
    Unnoticed found;
    found.written.resize(held.rotations.size());
    found.still_at.resize(held.rotations.size());
    std::set<double> offsets;
    for (const Explanation& side : sides) {
        offsets.insert(is_explained(side) && side.offset ? *side.offset : 0.0);
        for (std::size_t i = 0; i < held.sides.size(); ++i) {
            if (held.sides[i].name == side.side && side.pairing.pairs == held.rotations[i].pairs) {
                found.written[i] = side.pairing.rotated;
                found.still_at[i] = side.pairing.still_at;
                for (ChannelPair& pair : found.written[i]) {
                    pair = {std::min(pair.first, pair.second), std::max(pair.first, pair.second)};
                }
            }
        }
    }
    found.offset = offsets.size() == 1 ? *offsets.begin() : 0.0;
    return found;
}

/// Whether the search has no word for what it saw.
bool is_unnamed(const Diagnosis& diagnosis) {
    return diagnosis.verdict == Verdict::undetermined;
}

/// What two codes have in common if they are of one kind: offsets of both sides or of one.
std::string_view kind_of(std::string_view code) {
    return code == faults::code("positions.qk_offset") ? faults::code("positions.offset") : code;
}

/// Whether the search says that other channels turn, and the plan that the right ones do.
bool has_other_channels(const Diagnosis& diagnosis, const PlannedFaults& planned) {
    const std::string_view code = planned.findings.front().code;
    return std::ranges::any_of(diagnosis.mismatches, [&](const Finding& finding) {
        return (finding.code == "layout" && !code.starts_with("layout.")) ||
               (finding.code == "rotary_dim" && !code.starts_with("partial_rotary"));
    });
}

/// Whether the search says the same, and nothing that contradicts it.
bool says_the_same(const Diagnosis& diagnosis, const PlannedFaults& planned) {
    const std::string_view code = kind_of(planned.findings.front().code);
    const auto has_code = [&](const Finding& finding) {
        return kind_of(finding.code) == code || code.starts_with(finding.code + ".");
    };
    const auto other_fault = [&](const Finding& finding) {
        return finding.weight == Weight::fault && !has_code(finding);
    };
    return (std::ranges::any_of(diagnosis.findings, has_code) ||
            std::ranges::any_of(diagnosis.mismatches, has_code)) &&
           std::ranges::none_of(diagnosis.findings, other_fault) &&
           !has_other_channels(diagnosis, planned);
}

/// Faults of the search that are of different kinds, of which not all can be one mistake.
bool has_many_words(const Diagnosis& diagnosis) {
    std::set<std::string> codes;
    for (const Finding& finding : diagnosis.findings) {
        if (finding.weight == Weight::fault) {
            codes.insert(finding.code);
        }
    }
    return codes.size() > 1;
}

/// A plan makes every number, and so it stands in the place of what the search has found, unless
/// that is a name already.
bool is_better_named(const Diagnosis& diagnosis, const PlannedFaults& planned) {
    if (planned.findings.empty()) {
        return false;
    }
    const bool still = std::ranges::any_of(diagnosis.findings, [](const Finding& finding) {
        return finding.code == faults::code("spectrum.zero") ||
               finding.code == faults::code("k.unrotated");
    });
    if (still && planned.findings.front().code == faults::code("spectrum.zero")) {
        return false;
    }
    if (is_unnamed(diagnosis) || std::ranges::any_of(diagnosis.findings, is_measurement)) {
        return true;
    }
    if (says_the_same(diagnosis, planned)) {
        return false;
    }
    const bool parameters_only = std::ranges::none_of(
        diagnosis.findings, [](const Finding& f) { return f.weight == Weight::fault; });
    return has_many_words(diagnosis) || has_other_channels(diagnosis, planned) ||
           (parameters_only && planned.listed);
}

void take_names(const PlannedFaults& planned, Diagnosis& diagnosis) {
    diagnosis.findings = planned.sentences();
    diagnosis.mismatches = planned.findings;
    const bool moved = kind_of(planned.findings.front().code) == faults::code("positions.offset");
    const std::optional<double> offset = moved ? diagnosis.position_offset : std::nullopt;
    diagnosis.next.clear();
    diagnosis.heads.clear();
    diagnosis.matches.clear();
    static_cast<Recovered&>(diagnosis) = {};
    diagnosis.position_offset = offset;
    diagnosis.verdict = verdict_of(diagnosis);
}

}  // namespace

Analysis as_expected(const Dump& dump, const Expectation& expectation, const Held& held) {
    Analysis analysis{.sides = explanations_of(held, expectation.backwards), .diagnosis = {}};
    Diagnosis& diagnosis = analysis.diagnosis;
    diagnosis.tensor_axes = dump.axes;
    diagnosis.axes_reason = dump.axes_reason;
    diagnosis.inferred_differences = differences_from_inferred(expectation, held.part);
    for (Explanation& side : analysis.sides) {
        if (side.model && !diagnosis.inferred_differences.empty()) {
            side.model->words = say::kExpectedButInferred;
        }
    }
    const std::vector<HeadKind> kinds = head_kinds_of(held, expectation.backwards);
    if (kinds.empty()) {
        diagnosis.findings = findings_of(analysis.sides);
        fill_numbers(analysis.sides, diagnosis);
    } else {
        diagnosis.findings = findings_of_kinds(kinds, dump.q ? dump.q->before.heads : 0,
                                               dump.k ? dump.k->before.heads : 0);
        analysis.sides = kinds.front().sides;
        analysis.heads = names_of_heads(kinds.front());
        fill_numbers(analysis.sides, diagnosis);
        fill_heads(kinds, diagnosis);
    }
    for (Finding& finding : diagnosis.findings) {
        finding.weight = Weight::note;
    }
    add_table_note(held, diagnosis.findings);
    std::ranges::copy(notes_of_norms(dump), std::back_inserter(diagnosis.findings));
    diagnosis.not_shown = not_shown_by(held);
    if (dump.axes_by_angles) {
        diagnosis.not_shown.push_back({say::kOrderNotShown, {dump.axes}});
    }
    add_grid_notes(dump, &held, diagnosis);
    conclude_diagnosis(dump, expectation, analysis);
    return analysis;
}

Analysis weighed(const Dump& dump, const Expectation& expectation, const Held& held,
                 Analysis analysis) {
    Diagnosis& diagnosis = analysis.diagnosis;
    const bool passing = diagnosis.verdict != Verdict::invalid && diagnosis.mismatches.empty();
    if (const auto behind = held_behind(held, unnoticed_in(held, analysis.sides))) {
        if (passing && diagnosis.verdict == Verdict::equivalent) {
            return analysis;
        }
        Analysis alike = as_expected(dump, expectation, *behind);
        std::erase_if(alike.diagnosis.findings, [](const Finding& finding) {
            return finding.code == faults::code("layout.other");
        });
        alike.diagnosis.findings.insert(alike.diagnosis.findings.begin(), finding_behind(*behind));
        alike.diagnosis.verdict = verdict_of(alike.diagnosis);
        alike.diagnosis.gist = gist_of(alike.diagnosis, alike.sides);
        return alike;
    }
    if (const auto folded =
            held_folded(held, expected_softmax_scale(held.part.scheme.head_dim, &expectation))) {
        Analysis alike = as_expected(dump, expectation, folded->held);
        alike.diagnosis.gain = folded->folded.factor();
        alike.diagnosis.findings.insert(alike.diagnosis.findings.begin(),
                                        finding_of(folded->folded));
        conclude_folded(dump, alike);
        return alike;
    }
    for (const Residual& residual : held.residuals) {
        if (!residual.none()) {
            diagnosis.unexplained.push_back(residual);
        }
    }
    const PlannedFaults planned = planned_faults(held);
    // What a search reads off numbers of 8 bits is less than what makes them all.
    const bool is_sure = is_quantised(dump) && !planned.findings.empty();
    if (is_sure || is_better_named(diagnosis, planned)) {
        take_names(planned, diagnosis);
    } else if (passing) {
        diagnosis.mismatches.push_back(mismatch_of(held));
    }
    diagnosis.gist = gist_of(diagnosis, analysis.sides);
    return analysis;
}

}  // namespace ropescope::diagnosis
