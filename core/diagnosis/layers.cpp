// Diagnoses layer after layer, and says of all of them what one diagnosis says of one.
#include "core/diagnosis/layers.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/diagnosis/layer_findings.h"
#include "core/diagnosis/layer_kinds.h"
#include "core/diagnosis/number_names.h"

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

/// Takes a number back that the kinds do not share.
template <typename T>
void keep_common(std::span<const KnownLayer> kinds, T Diagnosis::*member, Diagnosis& whole) {
    const auto differs = [&](const KnownLayer& known) {
        return known.kind.diagnosis.*member != kinds.front().kind.diagnosis.*member;
    };
    if (std::ranges::any_of(kinds, differs)) {
        whole.*member = T();
    }
}

void keep_common_numbers(std::span<const KnownLayer> kinds, Diagnosis& whole) {
    keep_common(kinds, &Diagnosis::layout, whole);
    keep_common(kinds, &Diagnosis::rotary_dim, whole);
    keep_common(kinds, &Diagnosis::base, whole);
    keep_common(kinds, &Diagnosis::scaling, whole);
    keep_common(kinds, &Diagnosis::sign, whole);
    keep_common(kinds, &Diagnosis::position_offset, whole);
    keep_common(kinds, &Diagnosis::gain, whole);
    keep_common(kinds, &Diagnosis::table_dtype, whole);
    keep_common(kinds, &Diagnosis::inv_freq_rad, whole);
    keep_common(kinds, &Diagnosis::axis_names, whole);
    keep_common(kinds, &Diagnosis::omega_rad, whole);
    keep_common(kinds, &Diagnosis::positions, whole);
    keep_common(kinds, &Diagnosis::tensor_axes, whole);
    keep_common(kinds, &Diagnosis::axes_reason, whole);
    keep_common(kinds, &Diagnosis::matches, whole);
    if (kinds.size() > 1) {
        whole.heads.clear();  // they stand with each kind
    }
    for (const KnownLayer& known : kinds) {
        const std::optional<double>& residual = known.kind.diagnosis.residual_rad;
        whole.residual_rad = std::max(whole.residual_rad, residual);
    }
}

/// The summary without the verdict that it begins with.
std::string without_verdict(const Diagnosis& diagnosis) {
    const std::string start = std::string(to_string(diagnosis.verdict)) + ": ";
    return diagnosis.summary.starts_with(start) ? diagnosis.summary.substr(start.size())
                                                : diagnosis.summary;
}

/// "layers 0 to 4: half_split, ...; layer 5: ..." of the kinds with this verdict.
std::string listed(std::span<const KnownLayer> kinds, Verdict verdict) {
    std::string text;
    constexpr int kMost = 3;
    int named = 0, all = 0;
    for (const KnownLayer& known : kinds) {
        if (known.kind.diagnosis.verdict == verdict && all++ < kMost) {
            text += fmt::format("{}{}: {}", named++ > 0 ? "; " : "",
                                numbered("layer", known.kind.layers),
                                without_verdict(known.kind.diagnosis));
        }
    }
    return text + (all > named ? "; and others" : "");
}

std::string summary_of(const Diagnosis& whole, std::span<const KnownLayer> kinds) {
    const std::string verdict(to_string(whole.verdict));
    const bool right = whole.verdict == Verdict::valid || whole.verdict == Verdict::equivalent;
    const bool open = whole.verdict == Verdict::undetermined;
    if ((right || open) && !whole.mismatches.empty()) {
        return fmt::format("{} by itself, but not as {} says: {}", verdict, whole.expected->name,
                           whole.mismatches.front().text);
    }
    if (whole.verdict == Verdict::invalid && kinds.size() > 1) {
        const Finding& first = whole.findings.front();
        return fmt::format("{}: {} ({})", verdict, first.text, first.where);
    }
    return fmt::format("{}: {}", verdict, listed(kinds, whole.verdict));
}

Diagnosis whole_of(std::span<const KnownLayer> kinds, const std::vector<Mismatch>& still) {
    Diagnosis whole = kinds.front().kind.diagnosis;
    keep_common_numbers(kinds, whole);
    whole.findings = findings_of_layers(kinds);
    whole.mismatches = mismatches_of_layers(kinds);
    whole.mismatches.insert(whole.mismatches.end(), still.begin(), still.end());
    whole.next.clear();
    for (const KnownLayer& known : kinds) {
        const Diagnosis& own = known.kind.diagnosis;
        whole.verdict = std::max(whole.verdict, own.verdict,
                                 [](Verdict a, Verdict b) { return rank(a) < rank(b); });
        for (const std::string& next : own.next) {
            whole.next.push_back(
                kinds.size() == 1
                    ? next
                    : fmt::format("{}: {}", numbered("layer", known.kind.layers), next));
        }
    }
    const bool fault =
        std::ranges::find(whole.findings, Weight::fault, &Finding::weight) != whole.findings.end();
    whole.verdict = fault ? Verdict::invalid : whole.verdict;
    whole.summary = summary_of(whole, kinds);
    return whole;
}

}  // namespace

std::size_t worst_layer(const DumpFile& file, const LayeredDiagnosis& found) {
    const auto worst = std::ranges::max_element(
        found.kinds, {}, [](const LayerKind& kind) { return rank(kind.diagnosis.verdict); });
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
    const std::vector<Mismatch> still = weigh_still_layers(kinds, expectation);
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
