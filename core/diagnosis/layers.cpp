// Diagnoses layer after layer, and says of all of them what one diagnosis says of one.
#include "core/diagnosis/layers.h"

#include <algorithm>
#include <iterator>
#include <ranges>

#include "core/diagnosis/held/phrases.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/tell/layer_kinds.h"
#include "core/diagnosis/tell/recovered.h"

namespace ropescope::diagnosis {
namespace {

/// Which text gives the same numbers is said of a kind if it holds for all of its layers.
void keep_common_match(Diagnosis& kind, const Diagnosis& layer) {
    if (kind.matches != layer.matches) {
        kind.matches.clear();
        std::erase_if(kind.findings,
                      [](const Finding& f) { return f.code.starts_with("matches."); });
    }
}

void add_layer(std::vector<KnownLayer>& kinds, KnownLayer layer) {
    const auto same =
        std::ranges::find_if(kinds, [&](const KnownLayer& kind) { return same_kind(kind, layer); });
    if (same == kinds.end()) {
        kinds.push_back(std::move(layer));
        return;
    }
    same->kind.layers.push_back(layer.kind.layers.front());
    Diagnosis& kind = same->kind.diagnosis;
    keep_common_match(kind, layer.kind.diagnosis);
    if (layer.kind.diagnosis.residual_rad && kind.residual_rad) {
        kind.residual_rad = std::max(*kind.residual_rad, *layer.kind.diagnosis.residual_rad);
    }
}

/// The verdicts from the best to the worst.
int rank(Verdict verdict) {
    switch (verdict) {
        case Verdict::valid:
            return 0;
        case Verdict::equivalent:
            return 1;
        case Verdict::undetermined:
            return 2;
        default:
            return 3;
    }
}

/// Takes back what the kinds do not share.
void keep_common_numbers(std::span<const KnownLayer> kinds, Diagnosis& whole) {
    const auto all = kinds | std::views::transform([](const KnownLayer& known) -> const auto& {
                         return known.kind.diagnosis;
                     });
    keep_common(
        all, [](const Recovered::Field&) { return true; }, whole);
    for (const auto member :
         {&Diagnosis::tensor_axes, &Diagnosis::axes_reason, &Diagnosis::matches}) {
        const auto differs = [&](const Diagnosis& own) {
            return own.*member != all.front().*member;
        };
        if (std::ranges::any_of(all, differs)) {
            (whole.*member).clear();
        }
    }
    if (kinds.size() > 1) {
        whole.heads.clear();  // they stand with each kind
    }
    for (const Diagnosis& own : all) {
        whole.residual_rad = std::max(whole.residual_rad, own.residual_rad);
    }
}

/// "layers 0 to 4: half-split, ...; layer 5: ..." of the kinds with this verdict.
Words listed(std::span<const KnownLayer> kinds, Verdict verdict) {
    std::vector<Words> list;
    constexpr std::ptrdiff_t kMost = 3;
    std::ptrdiff_t all = 0;
    for (const KnownLayer& known : kinds) {
        if (known.kind.diagnosis.verdict == verdict && all++ < kMost) {
            list.push_back({say::kWordsBefore,
                            {Numbers{"layer", known.kind.layers}, known.kind.diagnosis.gist}});
        }
    }
    return {say::kListed, {list, all > kMost ? Value(say::kAndOthers) : Value()}};
}

Words gist_of(const Diagnosis& whole, std::span<const KnownLayer> kinds) {
    if (whole.verdict != Verdict::invalid && !whole.mismatches.empty()) {
        return whole.not_as_expected();
    }
    if (whole.verdict == Verdict::invalid && kinds.size() > 1) {
        const Finding& first = whole.findings.front();
        return {say::kWithPlace, {first.words, first.place}};
    }
    return listed(kinds, whole.verdict);
}

Diagnosis whole_of(std::span<const KnownLayer> kinds, const std::vector<Finding>& still) {
    Diagnosis whole = kinds.front().kind.diagnosis;
    keep_common_numbers(kinds, whole);
    whole.findings = findings_of_layers(kinds);
    whole.mismatches = mismatches_of_layers(kinds, still);
    whole.next.clear();
    whole.unexplained.clear();
    whole.not_finite.clear();
    whole.not_shown.clear();
    for (const KnownLayer& known : kinds) {
        const Diagnosis& own = known.kind.diagnosis;
        whole.verdict = std::max(whole.verdict, own.verdict,
                                 [](Verdict a, Verdict b) { return rank(a) < rank(b); });
        for (Residual left : own.unexplained) {
            left.layers = kinds.size() > 1 ? known.kind.layers : std::vector<Index>();
            whole.unexplained.push_back(std::move(left));
        }
        for (const Finding& each : own.inferred_differences) {
            if (std::ranges::find(whole.inferred_differences, each.words, &Finding::words) ==
                whole.inferred_differences.end()) {
                whole.inferred_differences.push_back(each);
            }
        }
        for (NotFinite numbers : own.not_finite) {
            numbers.layers = kinds.size() > 1 ? known.kind.layers : std::vector<Index>();
            whole.not_finite.push_back(std::move(numbers));
        }
        for (const Words& open : own.not_shown) {
            if (std::ranges::find(whole.not_shown, open) == whole.not_shown.end()) {
                whole.not_shown.push_back(open);
            }
        }
        for (const Words& next : own.next) {
            whole.next.push_back(
                kinds.size() == 1
                    ? next
                    : Words(say::kWordsBefore, {Numbers{"layer", known.kind.layers}, next}));
        }
    }
    const bool fault =
        std::ranges::find(whole.findings, Weight::fault, &Finding::weight) != whole.findings.end();
    whole.verdict = fault ? Verdict::invalid : whole.verdict;
    whole.gist = gist_of(whole, kinds);
    return whole;
}

/// What a layer, which is as expected, has in the place of an inferred fact.
Value value_of(const Diagnosis& own, const Finding& fact) {
    const auto other = std::ranges::find(own.inferred_differences, fact.code, &Finding::code);
    return other == own.inferred_differences.end() ? fact.expected : other->measured;
}

/// What no key states may be anything, but one thing in all layers of a type.
std::vector<Finding> differences_between(std::span<const KnownLayer> kinds) {
    const auto as_expected = [](const Diagnosis& own) {
        return own.expected && !own.layout.empty() && own.mismatches.empty();
    };
    std::vector<Finding> all;
    for (const KnownLayer& one : kinds) {
        const Diagnosis& own = one.kind.diagnosis;
        for (const Finding& fact : own.inferred_differences) {
            const auto parts = std::ranges::find_if(kinds, [&](const KnownLayer& other) {
                const Diagnosis& there = other.kind.diagnosis;
                return as_expected(own) && as_expected(there) &&
                       there.expected->layer_types == own.expected->layer_types &&
                       value_of(there, fact) != fact.measured;
            });
            const bool said = std::ranges::find(all, fact.code, &Finding::code) != all.end();
            if (parts != kinds.end() && !said) {
                const Value other = value_of(parts->kind.diagnosis, fact);
                all.push_back({.code = fact.code,
                               .words = {say::kOneOfAllLayers, {fact.code, fact.measured, other}},
                               .measured = fact.measured,
                               .expected = other});
            }
        }
    }
    return all;
}

}  // namespace

std::size_t worst_layer(const DumpFile& file, const LayeredDiagnosis& found) {
    const auto worst = std::ranges::max_element(
        found.kinds, {}, [](const AlikeLayers& kind) { return rank(kind.diagnosis.verdict); });
    if (worst == found.kinds.end()) {
        return 0;
    }
    return static_cast<std::size_t>(std::ranges::find(file.layers(), worst->layers.front()) -
                                    file.layers().begin());
}

LayeredDiagnosis diagnose_layers(const DumpFile& file, const Expectation* expectation) {
    if (file.layers().empty()) {
        return {.whole = diagnose(file.read(), expectation), .kinds = {}};
    }
    std::vector<KnownLayer> kinds;
    for (std::size_t place = 0; place < file.layers().size(); ++place) {
        const Dump dump = file.read(place);
        const Index number = file.layers()[place];
        const std::optional<Expectation> own =
            expectation == nullptr ? std::nullopt
                                   : std::optional(expectation_of_layer(*expectation, number));
        add_layer(kinds, known_layer(number, analyse(dump, own ? &*own : nullptr)));
    }
    std::vector<Finding> still = weigh_still_layers(kinds, expectation);
    std::ranges::move(differences_between(kinds), std::back_inserter(still));
    LayeredDiagnosis found{.whole = whole_of(kinds, still), .kinds = {}};
    if (expectation != nullptr) {
        found.whole.expected = *expectation;
    }
    for (KnownLayer& known : kinds) {
        found.kinds.push_back(std::move(known.kind));
    }
    return found;
}

}  // namespace ropescope::diagnosis
