// Weighs findings.
#include "core/diagnosis/tell/verdict.h"

#include <algorithm>

#include "core/diagnosis/phrases.h"
#include "core/diagnosis/scores/score_phrases.h"
#include "core/diagnosis/tell/recovered.h"
#include "core/diagnosis/words.h"
#include "core/faults/codes.h"
#include "core/systems/system.h"

namespace ropescope::diagnosis {
namespace {

/// What a valid dump does: of all heads alike, or of each kind of them.
Words gist_of_valid(const Diagnosis& diagnosis, const std::vector<Explanation>& sides) {
    for (const Finding& finding : diagnosis.findings) {
        if (finding.code == faults::code("spectrum.per_head")) {
            return {say::kSpectraInShort, finding.words.values};
        }
    }
    const SpectrumModel& model = *leading(sides).model;
    return {say::kValid,
            {diagnosis.layout, model.rotary_dim, leading(sides).head_dim, model.words}};
}

}  // namespace

Verdict verdict_of(const Diagnosis& diagnosis) {
    const auto has = [&](Weight weight) {
        return std::ranges::any_of(
            diagnosis.findings, [&](const Finding& finding) { return finding.weight == weight; });
    };
    return has(Weight::fault)        ? Verdict::invalid
           : !diagnosis.next.empty() ? Verdict::undetermined
           : has(Weight::equivalent) ? Verdict::equivalent
                                     : Verdict::valid;
}

Words gist_of(const Diagnosis& diagnosis, const std::vector<Explanation>& sides) {
    if (diagnosis.verdict != Verdict::invalid && !diagnosis.mismatches.empty()) {
        return diagnosis.not_as_expected();
    }
    if (diagnosis.verdict == Verdict::undetermined) {
        return diagnosis.next.front();
    }
    if (diagnosis.verdict == Verdict::valid) {
        return gist_of_valid(diagnosis, sides);
    }
    if (diagnosis.findings.empty()) {
        return {};
    }
    const Finding& first = diagnosis.findings.front();
    return diagnosis.heads.empty() ? first.words
                                   : Words(say::kWithPlace, {first.words, first.place});
}

void add_match(const Dump& dump, const Explanation& side, Diagnosis& diagnosis) {
    const bool of_keys = side.side == Side::k;
    const bool other_faults = std::ranges::any_of(diagnosis.findings, [](const Finding& finding) {
        return finding.weight == Weight::fault && finding.code != faults::code("not_a_rotation");
    });
    if (const auto system = other_faults ? std::nullopt
                                         : matching_system(of_keys ? *dump.k : *dump.q,
                                                           stated_positions(dump, of_keys), side)) {
        diagnosis.matches = *system;
        diagnosis.findings.push_back({.code = "matches." + *system,
                                      .words = {say::kSameNumbers, {find_system(*system).source}},
                                      .place = {side.side},
                                      .weight = Weight::note});
    }
}

void weigh_direction(const Expectation& expectation, std::vector<Finding>& findings) {
    for (Finding& finding : findings) {
        if (finding.code == faults::code("sign.reversed") && finding.weight == Weight::equivalent &&
            expectation.backwards) {
            finding.words = {say::kBackwardsAsModel, {finding.place.sides, expectation.name}};
            finding.expected = -1.0;
            finding.weight = Weight::note;
        }
    }
}

std::string names_of_heads(const HeadKind& kind) {
    const auto of_side = [](Side side, const std::vector<Index>& heads) {
        return heads.empty() ? "" : text_of(Place{.sides = side, .heads = heads});
    };
    const std::string of_q = of_side(Side::q, kind.q_heads), of_k = of_side(Side::k, kind.k_heads);
    return of_q + (of_q.empty() || of_k.empty() ? "" : ", and ") + of_k;
}

}  // namespace ropescope::diagnosis
