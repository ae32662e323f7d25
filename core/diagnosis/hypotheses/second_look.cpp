// Looks at a dump again in another way.
#include "core/diagnosis/hypotheses/second_look.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/diagnosis/held/changed_tensor.h"
#include "core/diagnosis/held/folded.h"
#include "core/diagnosis/held/held_diagnosis.h"
#include "core/diagnosis/held/held_dump.h"
#include "core/diagnosis/held/held_words.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/tell/recovered.h"
#include "core/diagnosis/tell/verdict.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

bool is_fault(const Finding& finding) {
    return finding.weight == Weight::fault;
}

bool has_words(const Finding& finding, const Phrase& phrase) {
    return finding.words.phrase == &phrase;
}

bool alike_in_shape(const DumpTensor& a, const DumpTensor& b) {
    return a.batch == b.batch && a.heads == b.heads && a.length == b.length &&
           a.channels == b.channels;
}

/// Whether the lengths of pairs are off, and that is all that is wrong.
bool only_uneven(const Analysis& analysis) {
    bool any = false;
    for (const Finding& finding : analysis.diagnosis.findings) {
        any = any || has_words(finding, say::kUneven);
        if (is_fault(finding) && !has_words(finding, say::kUneven)) {
            return false;
        }
    }
    return any;
}

/// The coarsest of the sides.
double unit_behind(const Dump& dump) {
    double unit = 0.0;
    for (const StatedSide& side : stated_sides(dump)) {
        unit = std::max(unit, effective_format(side.tensors.after).unit);
    }
    return unit;
}

/// Whether errors of a table may be all that is wrong: it hides angles, lengths and speeds.
bool may_be_of_table(const Analysis& analysis) {
    const auto of_table = [](const Finding& finding) {
        return has_words(finding, say::kUneven) || has_words(finding, say::kOddPairs) ||
               finding.code == faults::code("spectrum.changes_at") ||
               finding.code == faults::code("spectrum.low_precision");
    };
    return analysis.diagnosis.verdict == Verdict::undetermined ||
           (analysis.diagnosis.verdict == Verdict::invalid &&
            std::ranges::all_of(analysis.diagnosis.findings, [&](const Finding& finding) {
                return !is_fault(finding) || of_table(finding);
            }));
}

/// A model in one axis that the report states.
std::optional<RopeSpec> stated_spec(const Analysis& found) {
    const Explanation& side = leading(found.sides);
    const bool known = side.pairing.layout == "half_split" || side.pairing.layout == "interleaved";
    if (!known || !side.model || !side.model->base || side.axis_map || side.model->rounded ||
        side.first_channel != 0) {
        return std::nullopt;
    }
    return RopeSpec{
        .head_dim = side.head_dim,
        .rotary_dim = side.model->rotary_dim,
        .base = *side.model->base,
        .layout = side.pairing.layout == "half_split" ? Layout::half_split : Layout::interleaved,
        .scaling = side.model->scaling};
}

/// Puts a finding before those of an analysis and concludes again.
void put_first(Finding finding, Analysis& analysis) {
    Diagnosis& diagnosis = analysis.diagnosis;
    diagnosis.findings.insert(diagnosis.findings.begin(), std::move(finding));
    std::ranges::stable_sort(diagnosis.findings, {}, &Finding::weight);
    diagnosis.verdict = verdict_of(diagnosis);
    diagnosis.gist = gist_of(diagnosis, analysis.sides);
}

/// How far the rotation of the parameters is from the tensors.
Finding coarse_fault(const Held& held) {
    const Residual& worst = *std::ranges::max_element(held.residuals, {}, &Residual::worst_rad);
    Side sides = Side::none;
    for (const Residual& residual : held.residuals) {
        sides = residual.none() ? sides : sides | residual.side;
    }
    return {faults::code("table.coarse"),
            {say::kCoarseSines, {worst.worst_rad, sides}},
            {sides},
            worst.worst_rad,
            0.0};
}

/// The factor by which channels are multiplied at every token that do nothing else; empty if no
/// channel has one, or only one of 1, or one that YaRN gives to slow pairs.
std::optional<double> factor_of_still_channels(const DumpSide& side) {
    constexpr double kMostOfYarn = 1.5;  // a factor of 148 on the context
    const DumpTensor& before = side.before;
    const double allowed = 2.0 * effective_format(side.after).unit;
    std::vector<double> least(static_cast<std::size_t>(before.channels),
                              std::numeric_limits<double>::infinity());
    std::vector<double> most(least.size(), -std::numeric_limits<double>::infinity());
    std::vector<double> x(least.size()), y(least.size());
    for (Index b = 0; b < before.batch; ++b) {
        for (Index h = 0; h < before.heads; ++h) {
            for (Index l = 0; l < before.length; ++l) {
                before.read(b, h, l, x);
                side.after.read(b, h, l, y);
                for (std::size_t c = 0; c < x.size(); ++c) {
                    if (x[c] != 0.0) {
                        least[c] = std::min(least[c], y[c] / x[c]);
                        most[c] = std::max(most[c], y[c] / x[c]);
                    }
                }
            }
        }
    }
    for (std::size_t c = x.size(); c-- > 0;) {  // those that stay mostly stand last
        const bool alike = most[c] - least[c] <= 2.0 * allowed * std::abs(most[c]);
        const double factor = 0.5 * (least[c] + most[c]);
        const bool is_of_method = factor > 1.0 && factor <= kMostOfYarn;
        if (alike && factor > 0.0 && !is_of_method && std::abs(factor - 1.0) > 2.0 * allowed) {
            return factor;
        }
    }
    return std::nullopt;
}

/// What is said of a factor on all channels of a side.
Finding finding_of_factor(double factor, const DumpSide& tensors, Side side) {
    const double scale = 1.0 / std::sqrt(to_double(tensors.before.channels));
    const double rounding = kRotationUnits * effective_format(tensors.after).unit + 0x1p-20;
    if (const auto folded = folded_gain(factor, side, scale, rounding)) {
        return finding_of(*folded);
    }
    return {faults::code("gain"), {say::kFactorOfAll, {side, factor}}, {side}, factor, 1.0};
}

}  // namespace

std::optional<Analysis> with_factor_taken(const Dump& dump, const Analysis& first,
                                          const SecondLook& look) {
    const Diagnosis& diagnosis = first.diagnosis;
    if (diagnosis.verdict == Verdict::valid ||
        (diagnosis.verdict != Verdict::undetermined && diagnosis.unexplained.empty())) {
        return std::nullopt;
    }
    Dump without = dump;
    without.scores.reset();
    std::vector<Finding> factors;
    double of_q = 1.0;
    for (const StatedSide& side : stated_sides(dump)) {
        const std::optional<double> factor = factor_of_still_channels(side.tensors);
        if (!factor) {
            continue;
        }
        const double rounding = 4.0 * effective_format(side.tensors.after).unit;
        const bool both = !factors.empty() && std::abs(*factor / of_q - 1.0) <= rounding;
        of_q = *factor;
        const ChangedTensor after = changed(
            side.tensors.after, Dtype::f64, [factor](Index, Index, Index, std::span<double> row) {
                std::ranges::for_each(row, [&](double& x) { x /= *factor; });
            });
        DumpTensor& taken = (side.name == Side::q ? without.q : without.k)->after;
        taken = after.view;
        taken.stored = effective_format(side.tensors.after).dtype;
        without.owner = both_owners(without.owner, after.owner);
        const Side sides = both ? Side::both : side.name;
        factors.resize(both ? 0 : factors.size());
        factors.push_back(finding_of_factor(*factor, side.tensors, sides));
    }
    if (factors.empty()) {
        return std::nullopt;
    }
    Analysis found = look(without);
    // Where all channels turn, slow ones are like some that stay.
    const bool some_stay = std::ranges::all_of(found.sides, [](const Explanation& side) {
        return side.model && side.model->rotary_dim < side.head_dim;
    });
    if (found.diagnosis.verdict != Verdict::valid || !some_stay) {
        return std::nullopt;
    }
    for (Finding& factor : factors) {
        put_first(std::move(factor), found);
    }
    weigh_folded_scores(dump, found.diagnosis);
    return found;
}

std::optional<Analysis> with_sides_exchanged(const Dump& dump, const Analysis& first,
                                             const Expectation* expectation,
                                             const SecondLook& look) {
    const auto unpaired = [](const Explanation& side) {
        return side.pairing.kind == PairingKind::no_rotation;
    };
    if (!dump.q || !dump.k || !alike_in_shape(dump.q->before, dump.k->before) ||
        !std::ranges::all_of(first.sides, unpaired)) {
        return std::nullopt;
    }
    Dump exchanged = dump;
    exchanged.scores.reset();
    std::swap(exchanged.q->after, exchanged.k->after);
    Analysis found = look(exchanged);
    if (found.diagnosis.verdict == Verdict::invalid ||
        std::ranges::none_of(found.sides, [](const Explanation& side) { return !!side.model; })) {
        return std::nullopt;
    }
    const Finding fault{faults::code("not_a_rotation"), say::kExchanged, {Side::both}};
    put_first(fault, found);
    if (expectation != nullptr) {
        found.diagnosis.mismatches.insert(found.diagnosis.mismatches.begin(), fault);
    }
    return found;
}

std::optional<Analysis> with_coarse_table(const Dump& dump, const Analysis& first,
                                          const SecondLook& look) {
    const bool uneven = only_uneven(first);
    const double unit = unit_behind(dump);
    if (!may_be_of_table(first)) {
        return std::nullopt;
    }
    for (const Dtype dtype : {Dtype::f16, Dtype::bf16}) {
        if (unit >= format_of(dtype).unit) {
            continue;
        }
        Analysis found = look(rounded_behind(dump, dtype));
        const bool explained = found.diagnosis.verdict == Verdict::valid && !found.sides.empty();
        const std::optional<RopeSpec> spec = explained ? stated_spec(found) : std::nullopt;
        const auto held = spec ? hold_to(dump, {.specs = {*spec}}) : std::nullopt;
        if (!held) {
            continue;
        }
        if (held->met()) {
            found.diagnosis.residual_rad = 0.0;
            for (const Residual& residual : held->residuals) {
                found.diagnosis.residual_rad =
                    std::max(*found.diagnosis.residual_rad, residual.worst_rad);
            }
            found.diagnosis.table_dtype = held->table.dtype;
            add_table_note(*held, found.diagnosis.findings);
            return found;
        }
        if (uneven && unit <= kUnitOfF32) {
            put_first(coarse_fault(*held), found);
            return found;
        }
    }
    return std::nullopt;
}

std::optional<Analysis> with_coarse_table_expected(const Dump& dump, const Analysis& first,
                                                   const Expectation& expectation) {
    if (unit_behind(dump) > kUnitOfF32 || !only_uneven(first)) {
        return std::nullopt;
    }
    for (const Dtype dtype : {Dtype::f16, Dtype::bf16}) {
        const Dump coarse = rounded_behind(dump, dtype);
        const auto held = hold_to(coarse, expectation);
        const auto exact = held && held->met() ? hold_to(dump, expectation) : std::nullopt;
        if (!exact) {
            continue;
        }
        Analysis found = as_expected(coarse, expectation, *held);
        const Finding fault = coarse_fault(*exact);
        found.diagnosis.mismatches.push_back(fault);
        found.diagnosis.unexplained = exact->residuals;
        std::erase_if(found.diagnosis.unexplained,
                      [](const Residual& residual) { return residual.none(); });
        put_first(fault, found);
        return found;
    }
    return std::nullopt;
}

void say_perhaps_aliased(Analysis& analysis) {
    Side still = Side::none;
    for (const Explanation& side : analysis.sides) {
        still = side.still ? still | side.side : still;
    }
    if (still != Side::none && analysis.diagnosis.verdict == Verdict::invalid) {
        analysis.diagnosis.next.push_back({say::kPerhapsAliased, {still}});
    }
}

}  // namespace ropescope::diagnosis
