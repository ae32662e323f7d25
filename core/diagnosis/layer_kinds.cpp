// Compares layers by what was found in them and by the numbers that were recovered.
#include "core/diagnosis/layer_kinds.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/diagnosis/comparison.h"

namespace ropescope::diagnosis {
namespace {

/// A sentence with every number as '#': measured numbers differ by rounding, and are compared by
/// themselves.
std::string without_numbers(const std::string& text) {
    std::string words;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto is_part = [&](char c) {
            return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == 'e' ||
                   c == '-' || c == '+';
        };
        if (std::isdigit(static_cast<unsigned char>(text[i])) == 0) {
            words += text[i];
            continue;
        }
        while (i + 1 < text.size() && is_part(text[i + 1])) {
            ++i;
        }
        words += '#';
    }
    return words;
}

/// How exactly the lengths of this layer's channels, and what is fitted to them, are known.
double rounding_of(const KnownLayer& layer) {
    double rounding = 0x1p-19;  // a gain is held in fp32, and is a median
    for (const Explanation& side : layer.sides) {
        rounding =
            std::max(rounding, 2.0 * (kRotationUnits * side.format.unit + side.noise.table_rad));
    }
    return rounding;
}

bool close(const Value& a, const Value& b, double rounding) {
    const auto *x = std::get_if<double>(&a), *y = std::get_if<double>(&b);
    return x != nullptr && y != nullptr
               ? std::abs(*x - *y) <= rounding * std::max({1.0, std::abs(*x), std::abs(*y)})
               : a == b;
}

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
    const auto same = [&](const Finding* x, const Finding* y) {
        // A base is compared by all its speeds.
        const bool of_spectrum = x->code.starts_with("spectrum.");
        return x->code == y->code && x->where == y->where && x->weight == y->weight &&
               without_numbers(x->text) == without_numbers(y->text) &&
               (of_spectrum || close(x->measured, y->measured, rounding));
    };
    return std::ranges::equal(own_findings(a), own_findings(b), same);
}

bool same_mismatches(const Diagnosis& a, const Diagnosis& b, double rounding) {
    return std::ranges::equal(a.mismatches, b.mismatches, [&](const auto& x, const auto& y) {
        return x.what == y.what && without_numbers(x.text) == without_numbers(y.text) &&
               close(x.found, y.found, rounding);
    });
}

bool same_sides(const KnownLayer& a, const KnownLayer& b, double rounding) {
    return std::ranges::equal(a.sides, b.sides, [&](const Explanation& x, const Explanation& y) {
        const bool models = x.model.has_value() && y.model.has_value();
        return x.side == y.side && x.head_dim == y.head_dim && x.still == y.still &&
               same_layout(x, y) && x.model.has_value() == y.model.has_value() &&
               (!models || (x.sign == y.sign && same_spectrum(x, y))) &&
               close(x.gain.value, y.gain.value, rounding);
    });
}

bool same_heads(const Diagnosis& a, const Diagnosis& b) {
    return std::ranges::equal(a.heads, b.heads, [](const HeadPart& x, const HeadPart& y) {
        return x.q_heads == y.q_heads && x.k_heads == y.k_heads && x.layout == y.layout &&
               x.rotary_dim == y.rotary_dim && x.base == y.base && x.sign == y.sign;
    });
}

bool same_next(const Diagnosis& a, const Diagnosis& b) {
    return std::ranges::equal(a.next, b.next, {}, without_numbers, without_numbers);
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
    const double rounding = std::max(rounding_of(a), rounding_of(b));
    const Diagnosis &x = a.kind.diagnosis, &y = b.kind.diagnosis;
    return x.verdict == y.verdict && x.layout == y.layout && x.rotary_dim == y.rotary_dim &&
           same_findings(a, b, rounding) && same_mismatches(x, y, rounding) && same_next(x, y) &&
           same_heads(x, y) && same_sides(a, b, rounding);
}

}  // namespace ropescope::diagnosis
