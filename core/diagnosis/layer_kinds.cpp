// Compares layers by what was found in them and by the numbers that were recovered.
#include "core/diagnosis/layer_kinds.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/comparison.h"
#include "core/diagnosis/grouping.h"

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
            return same(*x, *y, Part::layers, of_spectrum ? kAnyNumber : rounding);
        });
}

bool same_mismatches(const Diagnosis& a, const Diagnosis& b, double rounding) {
    return std::ranges::equal(a.mismatches, b.mismatches, [&](const auto& x, const auto& y) {
        return same(x, y, Part::layers, rounding);
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
        return same(x, y, Part::layers, kAnyNumber);
    });
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

}  // namespace ropescope::diagnosis
