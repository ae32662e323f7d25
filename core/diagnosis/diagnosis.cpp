// Explains q and k, compares them, and weighs what was found.
#include "core/diagnosis/diagnosis.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/diagnosis/analysis.h"
#include "core/diagnosis/beside.h"
#include "core/diagnosis/beside_rotation/added.h"
#include "core/diagnosis/beside_rotation/published.h"
#include "core/diagnosis/dump.h"
#include "core/diagnosis/expectation.h"
#include "core/diagnosis/explain_sides.h"
#include "core/diagnosis/held/folded.h"
#include "core/diagnosis/held/found_rotation.h"
#include "core/diagnosis/held/grid_faults.h"
#include "core/diagnosis/held/held_diagnosis.h"
#include "core/diagnosis/held/held_dump.h"
#include "core/diagnosis/held/held_words.h"
#include "core/diagnosis/held/inferred_facts.h"
#include "core/diagnosis/held/norm_look.h"
#include "core/diagnosis/held/proof.h"
#include "core/diagnosis/hypotheses/model_search.h"
#include "core/diagnosis/hypotheses/recognised_norm.h"
#include "core/diagnosis/hypotheses/second_look.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/quantised/recognised_grid.h"
#include "core/diagnosis/score_findings.h"
#include "core/diagnosis/tell/few_pairs.h"
#include "core/diagnosis/tell/finite.h"
#include "core/diagnosis/tell/grouping.h"
#include "core/diagnosis/tell/heads.h"
#include "core/diagnosis/tell/open_lengths.h"
#include "core/diagnosis/tell/recovered.h"
#include "core/diagnosis/tell/sides.h"
#include "core/diagnosis/tell/verdict.h"
#include "core/diagnosis/words.h"
#include "core/faults/codes.h"
#include "core/systems/system.h"

namespace ropescope::diagnosis {
namespace {

/// A step of one token meets keys of earlier calls, which stand where they are stated.
void weigh_offset_of_step(const Dump& dump, std::vector<Finding>& findings) {
    const auto steps = [&](bool of_keys) {
        const std::optional<DumpSide>& side = of_keys ? dump.k : dump.q;
        return side && side->before.length == 1 &&
               std::ranges::any_of(stated_positions(dump, of_keys).values,
                                   [](double p) { return p > 0.0; });
    };
    if (!steps(false) && !steps(true)) {
        return;
    }
    for (Finding& finding : findings) {
        if (finding.code == faults::code("positions.offset")) {
            finding.weight = Weight::fault;
            finding.words = {say::kOffsetOfStep, {finding.measured}};
        }
    }
}

/// What a side could not tell, and what to dump for that; empty if there is nothing.
Words next_of(const Explanation& side) {
    if (!side.too_little.empty() || side.places.unexplained == 0) {
        return side.too_little;
    }
    return {say::kNoPosition,
            {side.places.unexplained, side.turns.rows * side.turns.length, side.side}};
}

/// Appends what the sides could not tell, once if both say the same.
void add_next(const std::vector<Explanation>& sides, Diagnosis& diagnosis) {
    if (stretching_of(sides) == Stretching::unclear) {
        diagnosis.next.emplace_back(say::kStretchUnclear);
    }
    const auto add = [&](const Words& words) {
        if (!words.empty() && std::ranges::find(diagnosis.next, words) == diagnosis.next.end()) {
            diagnosis.next.push_back(words);
        }
    };
    const Words of_q = next_of(sides.front()), of_k = next_of(sides.back());
    if (sides.size() == 2 && !of_q.empty() && same(of_q, of_k, Among::sides, 0.0)) {
        add({say::kAndOfK, {of_q}});
        return;
    }
    for (const Explanation& side : sides) {
        add(next_of(side));
    }
}

/// The mismatches of all kinds of heads, each once.
std::vector<Finding> mismatches_of_kinds(const std::vector<HeadKind>& kinds,
                                         const Expectation& expectation, const ExpectedPart* part,
                                         const Diagnosis& diagnosis) {
    std::vector<Finding> all;
    for (const HeadKind& kind : kinds) {
        Diagnosis own;
        own.findings = diagnosis.findings;
        fill_numbers(kind.sides, own);
        for (Finding& mismatch : mismatches_of(kind.sides, expectation, part, own)) {
            const bool of_finding = std::ranges::any_of(
                diagnosis.findings, [&](const Finding& f) { return f.code == mismatch.code; });
            if (!of_finding) {
                const bool keys = kind.q_heads.empty();
                mismatch.words = {
                    say::kWordsBefore,
                    {Numbers{"head", keys ? kind.k_heads : kind.q_heads}, mismatch.words}};
            }
            if (std::ranges::find(all, mismatch.words, &Finding::words) == all.end()) {
                all.push_back(std::move(mismatch));
            }
        }
    }
    return all;
}

/// The kind of heads to look at: the first with a fault and with angles, else the first.
const HeadKind& worst_kind(const std::vector<HeadKind>& kinds) {
    const auto has_angles = [](const HeadKind& kind) {
        return std::ranges::any_of(kind.sides, [](const Explanation& side) {
            return side.pairing.kind == PairingKind::found;
        });
    };
    const auto wrong = std::ranges::find_if(kinds, [&](const HeadKind& kind) {
        return has_angles(kind) &&
               std::ranges::any_of(findings_of(kind.sides), [](const Finding& finding) {
                   return finding.weight == Weight::fault;
               });
    });
    return wrong == kinds.end() ? kinds.front() : *wrong;
}

/// What was found must explain every number, as its parameters are stated; else nothing is known.
void hold_to_found(const Dump& dump, Analysis& analysis) {
    Diagnosis& diagnosis = analysis.diagnosis;
    if (diagnosis.verdict == Verdict::undetermined) {
        return;
    }
    for (const Explanation& side : analysis.sides) {
        const bool of_keys = side.side == Side::k;
        const auto left =
            residual_of_found(side, of_keys ? *dump.k : *dump.q, stated_positions(dump, of_keys));
        if (left && !left->none()) {
            diagnosis.unexplained.push_back(*left);
            if (diagnosis.verdict != Verdict::invalid) {
                diagnosis.next.push_back(next_of_left(*left));
            }
        }
    }
    diagnosis.verdict = verdict_of(diagnosis);
}

/// What the search explains, whatever is expected; of that, `held` has what is nearest.
Analysis searched(const Dump& dump, const Expectation* expectation,
                  const std::optional<Held>& held) {
    const Expected expected = expected_of(dump, expectation);
    Analysis analysis{.sides = explain_sides(dump, expected), .diagnosis = {}};
    std::vector<HeadKind> kinds = kinds_of_heads(dump, expected, analysis.sides);
    std::optional<Residual> apart;
    if (kinds.empty()) {
        take_back_unproved(dump, analysis.sides);
        apart = share_model(dump, analysis.sides);
    }
    if (apart && expectation == nullptr) {
        leave_offsets_open(analysis.sides);
    }
    Diagnosis& diagnosis = analysis.diagnosis;
    diagnosis.tensor_axes = dump.axes;
    diagnosis.axes_reason = dump.axes_reason;
    if (kinds.empty()) {
        diagnosis.findings = findings_of(analysis.sides);
        fill_numbers(analysis.sides, diagnosis);
        add_next(analysis.sides, diagnosis);
        if (apart && expectation == nullptr) {
            diagnosis.unexplained.push_back(*apart);
            diagnosis.next.push_back(next_of_left(*apart));
        }
    } else {
        diagnosis.findings = findings_of_kinds(kinds, dump.q ? dump.q->before.heads : 0,
                                               dump.k ? dump.k->before.heads : 0);
        analysis.sides = kinds.front().sides;
        fill_numbers(analysis.sides, diagnosis);
        fill_heads(kinds, diagnosis);
        for (const HeadKind& kind : kinds) {
            add_next(kind.sides, diagnosis);
        }
    }
    weigh_offset_of_step(dump, diagnosis.findings);
    const Explanation& side = leading(analysis.sides);
    if (std::vector<Finding> scores = score_findings(dump, expectation); !scores.empty()) {
        std::ranges::move(scores, std::back_inserter(diagnosis.findings));
        std::ranges::stable_sort(diagnosis.findings, {}, &Finding::weight);
    }
    weigh_folded_scores(dump, diagnosis);
    if (kinds.empty()) {
        add_match(dump, side, diagnosis);
    }
    if (expectation != nullptr) {
        weigh_direction(*expectation, diagnosis.findings);
    }
    diagnosis.verdict = verdict_of(diagnosis);
    if (expectation == nullptr && kinds.empty()) {
        hold_to_found(dump, analysis);
    }
    if (expectation != nullptr) {
        diagnosis.expected = *expectation;
        const std::optional<ExpectedPart> nearest = nearest_part(dump, *expectation, held);
        const ExpectedPart* part = nearest ? &*nearest : nullptr;
        diagnosis.mismatches = kinds.empty()
                                   ? mismatches_of(analysis.sides, *expectation, part, diagnosis)
                                   : mismatches_of_kinds(kinds, *expectation, part, diagnosis);
    }
    diagnosis.gist = gist_of(diagnosis, analysis.sides);
    if (!kinds.empty()) {
        const HeadKind& shown = worst_kind(kinds);
        analysis.sides = shown.sides;
        analysis.heads = names_of_heads(shown);
    }
    return analysis;
}

/// A dump of a part that could not be read is not held to another part.
void refuse_unread_part(const Dump& dump, const Expectation& expectation) {
    const bool all_read = expectation.unread_vision.empty() && expectation.unread_text.empty();
    if (all_read || (!dump.q && !dump.k)) {
        return;
    }
    const DumpPositions positions = stated_positions(dump, !dump.q);
    const bool known = std::ranges::any_of(expectation.schemes, [&](const RotaryScheme& scheme) {
        return std::ssize(scheme.axes) == positions.axes;
    });
    if (!expectation.unread_text.empty() && !known) {
        throw InputError(expectation.unread_text);
    }
    if (!expectation.unread_vision.empty() && positions.axes > 1 && !known &&
        !axes_agree(positions)) {
        throw InputError(expectation.unread_vision);
    }
}

/// Right code for permuted weights fails against the model's own file, which does not know of them.
void suggest_layout(Diagnosis& diagnosis) {
    for (const Finding& mismatch : diagnosis.mismatches) {
        const auto* found = std::get_if<std::string>(&mismatch.measured);
        if (mismatch.code == "layout" && found != nullptr && *found == "interleaved") {
            diagnosis.next.push_back({say::kPermutedWeights, {*found, *found}});
        }
    }
}

/// Judges the scores of a dump whose analysis is one of its tensors without them.
Analysis with_scores(const Dump& dump, const Expectation* expectation, Analysis analysis) {
    Diagnosis& diagnosis = analysis.diagnosis;
    std::vector<Finding> scores = score_findings(dump, expectation);
    if (!scores.empty()) {
        std::ranges::copy(scores, std::back_inserter(diagnosis.findings));
        std::ranges::stable_sort(diagnosis.findings, {}, &Finding::weight);
        weigh_folded_scores(dump, diagnosis);
        diagnosis.verdict = verdict_of(diagnosis);
        diagnosis.gist = gist_of(diagnosis, analysis.sides);
    }
    return analysis;
}

/// What the search finds, or else what shows when the dump is looked at again in another way.
Analysis looked_at(const Dump& dump) {
    const SecondLook look = [](const Dump& other) { return searched(other, nullptr, {}); };
    if (is_quantised(dump)) {
        return told_of_grids(dump, has_norm(dump)
                                       ? with_scores(dump, nullptr, with_norms_taken(dump, look))
                                       : searched(dump, nullptr, {}));
    }
    if (has_norm(dump)) {
        Analysis normed = with_scores(dump, nullptr, with_norms_taken(dump, look));
        leave_lengths_open(without_norms(dump), normed);
        return normed;
    }
    Analysis analysis = searched(dump, nullptr, {});
    if (auto exchanged = with_sides_exchanged(dump, analysis, nullptr, look)) {
        return *std::move(exchanged);
    }
    if (auto added = with_addition_recognised(dump, analysis, look)) {
        return with_scores(dump, nullptr, *std::move(added));
    }
    if (auto whole = with_factor_taken(dump, analysis, look)) {
        return with_scores(dump, nullptr, *std::move(whole));
    }
    if (auto normed = with_norm_recognised(dump, analysis)) {
        return *std::move(normed);
    }
    if (auto published = with_published_computation(dump, analysis)) {
        return *std::move(published);
    }
    if (auto coarse = with_coarse_table(dump, analysis, look)) {
        return with_scores(dump, nullptr, *std::move(coarse));
    }
    leave_lengths_open(dump, analysis);
    take_back_names_of_few_pairs(analysis);
    say_perhaps_aliased(analysis);
    return analysis;
}

Analysis analyse_finite(const Dump& given, const Expectation* expectation) {
    const Dump dump = with_recognised_grids(given);
    if (expectation == nullptr) {
        return looked_at(dump);
    }
    if (const PublishedComputation* published = expected_computation(dump, *expectation)) {
        return held_to_published(dump, *published, *expectation, searched(dump, nullptr, {}));
    }
    refuse_unread_part(dump, *expectation);
    const std::optional<Held> held = hold_to(dump, *expectation);
    const bool normed = has_norm(dump), eight = is_quantised(dump);
    if (normed && held) {
        if (auto fault = with_norm_fault(dump, *expectation, *held)) {
            return *std::move(fault);
        }
    }
    if (held && held->met()) {
        return as_expected(dump, *expectation, *held);
    }
    if (expectation->any_base || expectation->any_width) {
        const Analysis found = searched(normed ? without_norms(dump) : dump, nullptr, {});
        if (auto other = held_but_for_inferred(dump, *expectation, found.diagnosis)) {
            return as_expected(dump, *expectation, *other);
        }
    }
    if (eight && held) {
        if (auto fault = with_grid_fault(dump, *expectation, *held)) {
            return *std::move(fault);
        }
    }
    if (held && !normed && !eight) {
        if (auto added = with_something_added(dump, *expectation, *held)) {
            return *std::move(added);
        }
    }
    Analysis analysis =
        normed ? with_scores(dump, expectation, searched(without_norms(dump), expectation, held))
               : searched(dump, expectation, held);
    const SecondLook look = [&](const Dump& other) {
        const std::optional<Held> again = hold_to(other, *expectation);
        return again && again->met() ? as_expected(other, *expectation, *again)
                                     : searched(other, expectation, again);
    };
    if (auto exchanged = with_sides_exchanged(dump, analysis, expectation, look)) {
        return *std::move(exchanged);
    }
    if (auto recognised = normed || eight ? std::nullopt : with_norm_recognised(dump, analysis)) {
        return *std::move(recognised);
    }
    if (auto coarse = with_coarse_table_expected(dump, analysis, *expectation)) {
        return *std::move(coarse);
    }
    say_perhaps_aliased(analysis);
    if (held) {
        analysis = weighed(dump, *expectation, *held, std::move(analysis));
    }
    suggest_layout(analysis.diagnosis);
    return analysis;
}

Analysis analyse_all(const Dump& dump, const Expectation* expectation) {
    std::vector<NotFinite> numbers = not_finite_in(dump);
    if (numbers.empty()) {
        return analyse_finite(dump, expectation);
    }
    const FinitePart rest = finite_part(dump);
    Analysis of_rest =
        rest.dump.q || rest.dump.k ? analyse_finite(rest.dump, expectation) : Analysis();
    return told_of_not_finite(dump, expectation, std::move(numbers), std::move(of_rest),
                              rest.from_start);
}

/// What no check reads is named, so that nobody takes it for right.
void add_unread(const Dump& dump, Diagnosis& diagnosis) {
    for (const Unread& unread : dump.unread) {
        if (unread.partner.empty()) {
            diagnosis.not_shown.push_back({say::kSideBySideNotShown, {unread.name}});
        } else {
            diagnosis.not_shown.push_back({say::kAloneNotShown, {unread.name, unread.partner}});
        }
    }
}

}  // namespace

Analysis analyse(const Dump& dump, const Expectation* expectation) {
    const auto analyse_keys = [&](const Dump& keys) { return analyse_all(keys, expectation); };
    Analysis analysis =
        with_faults_beside(dump, expectation, analyse_keys, analyse_all(dump, expectation));
    add_narrow_formats(dump, analysis.diagnosis);
    add_unread(dump, analysis.diagnosis);
    return analysis;
}

Diagnosis diagnose(const Dump& dump, const Expectation* expectation) {
    return analyse(dump, expectation).diagnosis;
}

std::string Diagnosis::summary() const {
    return gist.phrase == &say::kByItself ? text_of(gist)
                                          : std::string(to_string(verdict)) + ": " + text_of(gist);
}

Words Diagnosis::not_as_expected() const {
    return {say::kByItself,
            {std::string(to_string(verdict)), expected->name, mismatches.front().words}};
}

bool passes(const Diagnosis& diagnosis) {
    const bool unsure = diagnosis.expected && diagnosis.verdict == Verdict::undetermined;
    return diagnosis.verdict != Verdict::invalid && !unsure && diagnosis.mismatches.empty();
}

std::optional<double> explained_angle_rad(const Explanation& side, Index row, Index token,
                                          Index pair) {
    if (!side.model || side.axis_map || side.places.position.empty()) {
        return std::nullopt;
    }
    const double position = side.places.position[row * side.turns.length + token];
    const double omega = pair < std::ssize(side.model->omega) ? side.model->omega[pair] : 0.0;
    return std::isnan(position) ? std::nullopt
                                : std::optional(side.sign * omega * position + side.phase_rad);
}

}  // namespace ropescope::diagnosis
