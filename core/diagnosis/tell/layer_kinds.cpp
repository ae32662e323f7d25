// Compares layers by what was found in them, and says how they differ.
#include "core/diagnosis/tell/layer_kinds.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/held/phrases.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/tell/grouping.h"
#include "core/diagnosis/tell/recovered.h"
#include "core/diagnosis/tell/sides.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// Findings that make kinds: those that do not depend on the numbers of the tensors.
std::vector<const Finding*> own_findings(const KnownLayer& layer) {
    std::vector<const Finding*> findings;
    for (const Finding& finding : layer.kind.diagnosis.findings) {
        if (!finding.code.starts_with("matches.")) {
            findings.push_back(&finding);
        }
    }
    return findings;
}

bool same_findings(const KnownLayer& a, const KnownLayer& b, double rounding) {
    return std::ranges::equal(
        own_findings(a), own_findings(b), [&](const Finding* x, const Finding* y) {
            // A base is compared by all its speeds.
            const bool of_spectrum = x->code.starts_with("spectrum.");
            return same(*x, *y, Among::layers, of_spectrum ? kAnyNumber : rounding);
        });
}

bool same_mismatches(const Diagnosis& a, const Diagnosis& b, double rounding) {
    return std::ranges::equal(a.mismatches, b.mismatches, [&](const auto& x, const auto& y) {
        return same(x, y, Among::layers, rounding);
    });
}

bool same_sides(const KnownLayer& a, const KnownLayer& b, double rounding) {
    return std::ranges::equal(a.sides, b.sides, [&](const Explanation& x, const Explanation& y) {
        const bool models = x.model.has_value() && y.model.has_value();
        return x.side == y.side && x.head_dim == y.head_dim && x.still == y.still &&
               same_layout(x, y) && x.model.has_value() == y.model.has_value() &&
               (!models || (x.sign == y.sign && same_spectrum(x, y))) &&
               std::abs(x.gain.value - y.gain.value) <= rounding * std::max(1.0, x.gain.value);
    });
}

bool same_heads(const Diagnosis& a, const Diagnosis& b) {
    return std::ranges::equal(a.heads, b.heads, [](const HeadPart& x, const HeadPart& y) {
        return x.q_heads == y.q_heads && x.k_heads == y.k_heads && x.layout == y.layout &&
               x.rotary_dim == y.rotary_dim && x.base == y.base && x.sign == y.sign;
    });
}

bool same_next(const Diagnosis& a, const Diagnosis& b) {
    return std::ranges::equal(a.next, b.next, [](const Words& x, const Words& y) {
        return same(x, y, Among::layers, kAnyNumber);
    });
}

std::vector<Index> all_layers(std::span<const KnownLayer> kinds) {
    std::vector<Index> all;
    for (const KnownLayer& known : kinds) {
        add_numbers(all, known.kind.layers);
    }
    return all;
}

bool turns_nothing(const KnownLayer& known) {
    return std::ranges::all_of(known.sides, [](const Explanation& side) { return side.still; });
}

/// n if every n-th of the layers 0, 1, 2, ... is one of these, and no other; at least two are.
std::optional<Index> period_of(const std::vector<Index>& some, const std::vector<Index>& all) {
    if (some.size() < 2 || all.back() != std::ssize(all) - 1) {
        return std::nullopt;
    }
    const Index period = some[1] - some[0];
    std::vector<Index> expected;
    for (const Index layer : all) {
        if (layer % period == some.front() % period) {
            expected.push_back(layer);
        }
    }
    return period > 1 && expected == some ? std::optional(period) : std::nullopt;
}

/// The spectrum of a layer; empty if it is not known.
Words layer_spectrum(const KnownLayer& known) {
    const bool by_head =
        std::ranges::find(known.kind.diagnosis.findings, faults::code("spectrum.per_head"),
                          &Finding::code) != known.kind.diagnosis.findings.end();
    return by_head ? Words(say::kSpectraOfHeads) : words_of_spectrum(leading(known.sides));
}

/// A note that lists the spectra of the layers, if they are several.
void add_spectra_of_layers(std::span<const KnownLayer> kinds, std::vector<Finding>& findings) {
    std::vector<SpectrumOfPart> spectra;
    Finding found{.code = faults::code("spectrum.per_layer"), .weight = Weight::note};
    for (const KnownLayer& known : kinds) {
        const Words words = layer_spectrum(known);
        if (words.empty()) {
            continue;
        }
        spectra.push_back({words, known.kind.layers});
        found.place.sides = known.sides.size() == 2 ? Side::both : known.sides.front().side;
        add_numbers(found.place.layers, known.kind.layers);
    }
    found.words = words_of_spectra(spectra, Among::layers);
    if (!found.words.empty()) {
        findings.push_back(std::move(found));
    }
}

/// Layers that do not turn, and whether that is right.
struct Stillness {
    std::vector<Index> layers = {};
    bool right = false;
    bool open = false;  ///< more layers would tell
    Words words = {};
};

void weigh_still(KnownLayer& known, const Stillness& still) {
    Diagnosis& diagnosis = known.kind.diagnosis;
    for (Finding& finding : diagnosis.findings) {
        if (finding.code == faults::code("spectrum.zero")) {
            finding.code = faults::code("rows.unrotated");
            finding.weight = still.right || still.open ? Weight::note : Weight::fault;
            finding.words = still.words;
        }
    }
    std::erase_if(diagnosis.mismatches,
                  [](const Finding& m) { return m.code == faults::code("spectrum.zero"); });
    diagnosis.verdict = still.right  ? Verdict::valid
                        : still.open ? Verdict::undetermined
                                     : Verdict::invalid;
    diagnosis.gist = say::kNoTurn;
    diagnosis.next.clear();
    if (still.open) {
        diagnosis.next = {still.words};
        diagnosis.gist = still.words;
    }
}

Stillness stillness_of(const std::vector<Index>& still, const std::vector<Index>& all,
                       const Expectation* expectation) {
    if (expectation != nullptr) {
        const bool right = std::ranges::includes(expectation->layers_without, still);
        return {still, right, false,
                right ? Words(say::kStillAsModel, {expectation->name}) : say::kStillLayers};
    }
    const std::optional<Index> period = period_of(still, all);
    // One layer in n, of which the next would be layer 2 n - 1.
    const bool open = still.size() == 1 && all.back() == std::ssize(all) - 1 &&
                      2 * still.front() + 1 >= std::ssize(all) && all.size() > 2;
    return {still, period.has_value(), open,
            period ? Words(say::kStillInTurn, {*period}) : say::kStillSome};
}

std::vector<Index> only_in(const std::vector<Index>& a, const std::vector<Index>& b) {
    std::vector<Index> only;
    std::ranges::set_difference(a, b, std::back_inserter(only));
    return only;
}

std::vector<Finding> unexpected(const std::vector<Index>& still, const std::vector<Index>& all,
                                const Expectation& expectation) {
    std::vector<Finding> mismatches;
    const std::vector<Index>& without = expectation.layers_without;
    const auto add = [&](const std::vector<Index>& layers, const char* found,
                         const char* expected) {
        if (!layers.empty()) {
            mismatches.push_back({"layers without rotation",
                                  {say::kRotationDiffers, {found, expected}},
                                  {.layers = layers},
                                  found,
                                  expected});
        }
    };
    std::vector<Index> dumped;
    std::ranges::set_intersection(without, all, std::back_inserter(dumped));
    add(only_in(still, without), "no rotation", "a rotation");
    add(only_in(dumped, still), "a rotation", "no rotation");
    return mismatches;
}

/// Findings, or mismatches, of all kinds with their layers.
std::vector<Finding> grouped_by_layers(std::span<const KnownLayer> kinds,
                                       std::vector<Finding> Diagnosis::*list) {
    std::vector<FindingsOfPart> parts;
    double rounding = 0.0;
    for (const KnownLayer& known : kinds) {
        parts.push_back({known.kind.diagnosis.*list, {.layers = known.kind.layers}});
        rounding = std::max(rounding, rounding_of(known.sides));
    }
    return grouped(parts, Among::layers, rounding);
}

/// Leaves layers out of a place that all of them are in.
void leave_out_all_layers(std::vector<Finding>& findings, std::span<const KnownLayer> kinds) {
    const std::vector<Index> all = all_layers(kinds);
    for (Finding& finding : findings) {
        if (finding.place.layers == all) {
            finding.place.layers.clear();
        }
    }
}

}  // namespace

KnownLayer known_layer(Index number, Analysis analysis) {
    KnownLayer layer{{{number}, std::move(analysis.diagnosis)}, std::move(analysis.sides)};
    for (Explanation& side : layer.sides) {
        side.turns = {};
        side.stated = {};
        side.places = {};
    }
    return layer;
}

bool same_kind(const KnownLayer& a, const KnownLayer& b) {
    const double rounding = std::max(rounding_of(a.sides), rounding_of(b.sides));
    const Diagnosis &x = a.kind.diagnosis, &y = b.kind.diagnosis;
    return x.verdict == y.verdict && x.layout == y.layout && x.rotary_dim == y.rotary_dim &&
           same_findings(a, b, rounding) && same_mismatches(x, y, rounding) && same_next(x, y) &&
           same_heads(x, y) && same_sides(a, b, rounding);
}

std::vector<Finding> weigh_still_layers(std::vector<KnownLayer>& kinds,
                                        const Expectation* expectation) {
    const std::vector<Index> all = all_layers(kinds);
    std::vector<Index> layers;
    for (const KnownLayer& known : kinds) {
        if (turns_nothing(known)) {
            add_numbers(layers, known.kind.layers);
        }
    }
    const Stillness still = stillness_of(layers, all, expectation);
    if (layers.size() < all.size() || still.right) {
        for (KnownLayer& known : kinds) {
            if (turns_nothing(known)) {
                weigh_still(known, still);
            }
        }
    }
    return expectation == nullptr || layers.size() == all.size()
               ? std::vector<Finding>()
               : unexpected(layers, all, *expectation);
}

std::vector<Finding> findings_of_layers(std::span<const KnownLayer> kinds) {
    std::vector<Finding> findings = grouped_by_layers(kinds, &Diagnosis::findings);
    weigh_layouts(findings, Among::layers);
    add_spectra_of_layers(kinds, findings);
    leave_out_all_layers(findings, kinds);
    std::ranges::stable_sort(findings, {}, &Finding::weight);
    return findings;
}

std::vector<Finding> mismatches_of_layers(std::span<const KnownLayer> kinds,
                                          const std::vector<Finding>& still) {
    std::vector<Finding> mismatches = grouped_by_layers(kinds, &Diagnosis::mismatches);
    leave_out_all_layers(mismatches, kinds);
    mismatches.insert(mismatches.end(), still.begin(), still.end());
    for (Finding& mismatch : mismatches) {
        if (!mismatch.place.layers.empty()) {
            mismatch.words = {say::kWordsBefore,
                              {Numbers{"layer", mismatch.place.layers}, mismatch.words}};
        }
    }
    return mismatches;
}

}  // namespace ropescope::diagnosis
