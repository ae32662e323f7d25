// Explains dumps whose norm is known.
#include "core/diagnosis/held/norm_look.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/diagnosis/held/changed_tensor.h"
#include "core/diagnosis/held/found_rotation.h"
#include "core/diagnosis/held/held_diagnosis.h"
#include "core/diagnosis/held/norm_faults.h"
#include "core/diagnosis/held/taken_norm.h"
#include "core/diagnosis/measure/pairing.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/tell/verdict.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

void add_findings(const std::vector<Finding>& added, Analysis& analysis) {
    Diagnosis& diagnosis = analysis.diagnosis;
    diagnosis.findings.insert(diagnosis.findings.begin(), added.begin(), added.end());
    std::ranges::stable_sort(diagnosis.findings, {}, &Finding::weight);
    diagnosis.verdict = verdict_of(diagnosis);
    diagnosis.gist = gist_of(diagnosis, analysis.sides);
}

/// Whether pairs keep their lengths when the norm is taken off and rows have one length.
bool is_rotation(StatedSide side) {
    take_norm_by_length(side);
    const Pairing pairing = find_pairing(side.tensors, effective_format(side.tensors.after));
    return pairing.kind == PairingKind::found || pairing.kind == PairingKind::still;
}

double worst_scale(const StatedSide& stated) {
    double worst = 1.0;
    for (const double scale : scales_of_norm(stated)) {
        worst = std::abs(std::log(scale)) > std::abs(std::log(worst)) ? scale : worst;
    }
    return worst;
}

/// Whether the lengths behind the norm are known without its rotation: of one behind it too, since
/// a rotation keeps the sum of squares, but not the mean that a layer norm takes off.
bool knows_lengths(const std::optional<SideNorm>& norm) {
    return !norm || norm->norm.order == NormOrder::before || norm->norm.kind != NormKind::layer;
}

/// The fault of a norm whose directions are right, by the lengths behind it.
std::optional<Finding> fault_of_lengths(const StatedSide& stated,
                                        const std::optional<SideNorm>& other) {
    if (!stated.norm || !knows_lengths(stated.norm) || lengths_fit(stated, 0.0)) {
        return std::nullopt;
    }
    for (const NormFault& fault : faults_of_norm(stated, other)) {
        StatedSide side = stated;
        side.norm = fault.norm;
        const bool same = side.norm && side.norm->weights == stated.norm->weights &&
                          side.norm->norm.order == stated.norm->norm.order;
        const bool plain = !side.norm && stated.norm->weights.empty();
        if ((same || plain) && knows_lengths(side.norm) && lengths_fit(side, fault.extra_share)) {
            return fault.finding;
        }
    }
    return Finding{
        faults::code("norm"), {say::kNormScale, {stated.name, worst_scale(stated)}}, {stated.name}};
}

/// Whether the model may mean what is found: one factor on all lengths, as YaRN has it, or lengths
/// that are off by the rounding of 16 bits, which a table of cosines has as well.
bool is_open(const StatedSide& stated, const Finding& finding) {
    if (finding.code == faults::code("norm.low_precision")) {
        return true;
    }
    const std::vector<double> scales = scales_of_norm(stated);
    const auto [least, most] = std::ranges::minmax(scales);
    const double each = rounding_of_lengths(stated);
    return finding.code == faults::code("norm") && most - least <= 2.0 * each * most;
}

/// The factor of the method that was found in directions alone, if all lengths of a side show it.
bool has_gain_of_method(const StatedSide& stated, Analysis& analysis) {
    const auto found = std::ranges::find(analysis.sides, stated.name, &Explanation::side);
    const double gain = found == analysis.sides.end() ? 1.0 : gain_of_method(*found);
    if (gain == 1.0 || found->pairing.rotary_dim != found->head_dim) {
        return false;
    }
    const std::vector<double> scales = scales_of_norm(stated);
    const double allowed = rounding_of_lengths(stated) * gain;
    const bool fits = std::ranges::all_of(
        scales, [&](double scale) { return std::abs(scale - gain) <= allowed; });
    if (fits) {
        analysis.diagnosis.gain = gain;
    }
    return fits;
}

/// The dump with another norm on one of its sides.
Dump with_side_norm(Dump dump, Side side, const std::optional<SideNorm>& norm) {
    (side == Side::q ? dump.q_norm : dump.k_norm) = norm;
    return dump;
}

/// The fault of a side behind whose expected norm there is no rotation: the first that leaves one,
/// with the right lengths if there is such a one.
std::optional<NormFault> fault_of_side(const StatedSide& side,
                                       const std::optional<SideNorm>& other) {
    if (!side.norm || is_rotation(side)) {
        return std::nullopt;
    }
    std::optional<NormFault> first;
    for (const NormFault& fault : faults_of_norm(side, other)) {
        StatedSide own = side;
        own.norm = fault.norm;
        if (fault.extra_share > 0.0 || !is_rotation(own)) {
            continue;
        }
        if (!knows_lengths(own.norm) || lengths_fit(own, 0.0)) {
            return fault;
        }
        first = first ? first : fault;
    }
    return first;
}

}  // namespace

bool has_norm(const Dump& dump) {
    return dump.q_norm.has_value() || dump.k_norm.has_value();
}

Dump without_norms(const Dump& dump) {
    Dump rest = dump;
    rest.scores.reset();
    for (StatedSide& side : stated_sides(dump)) {
        take_norm_by_length(side);
        (side.name == Side::q ? rest.q : rest.k) = side.tensors;
        rest.owner = both_owners(rest.owner, side.owner);
    }
    rest.q_norm.reset();
    rest.k_norm.reset();
    return rest;
}

std::optional<Analysis> with_norm_fault(const Dump& dump, const Expectation& expectation,
                                        const Held& held) {
    const auto found = held_with_norm_faults(dump, held);
    if (!found) {
        return std::nullopt;
    }
    Analysis analysis = as_expected(dump, expectation, found->held);
    std::erase_if(analysis.diagnosis.findings,
                  [](const Finding& finding) { return finding.words.phrase == &say::kNormTaken; });
    std::ranges::copy(notes_of_norms(dump, sides_accused_by(found->faults)),
                      std::back_inserter(analysis.diagnosis.findings));
    analysis.diagnosis.mismatches.insert(analysis.diagnosis.mismatches.begin(),
                                         found->faults.begin(), found->faults.end());
    for (const Residual& residual : held.residuals) {
        if (!residual.none()) {
            analysis.diagnosis.unexplained.push_back(residual);
        }
    }
    add_findings(found->faults, analysis);
    return analysis;
}

Analysis with_norms_taken(const Dump& dump, const SecondLook& look) {
    Analysis analysis = look(without_norms(dump));
    std::vector<Finding> faults;
    Dump mended = dump;
    for (const StatedSide& side : stated_sides(dump)) {
        const auto& other = side.name == Side::q ? dump.k_norm : dump.q_norm;
        if (const auto of_side = fault_of_side(side, other)) {
            mended = with_side_norm(mended, side.name, of_side->norm);
            faults.push_back(of_side->finding);
        } else if (const auto of_lengths = fault_of_lengths(side, other)) {
            if (has_gain_of_method(side, analysis)) {
                continue;
            }
            if (is_open(side, *of_lengths)) {
                analysis.diagnosis.next.push_back(of_lengths->words);
            } else {
                faults.push_back(*of_lengths);
            }
        }
    }
    if (mended.q_norm != dump.q_norm || mended.k_norm != dump.k_norm) {
        analysis = look(without_norms(mended));
    }
    const std::vector<Finding> notes = notes_of_norms(dump, sides_accused_by(faults));
    faults.insert(faults.end(), notes.begin(), notes.end());
    add_findings(faults, analysis);
    return analysis;
}

}  // namespace ropescope::diagnosis
