// Compares q with k, and says once what holds for both.
#include "core/diagnosis/tell/sides.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/diagnosis/phrases.h"
#include "core/diagnosis/tell/grouping.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// Whether mixed pairs turn alike, or all the other way if `sign` is -1, and the other pairs at the
/// same speed by whichever axis.
bool same_rows(const AxisMap& q, const AxisMap& k, double sign) {
    for (Index p = 0; p < std::min(std::ssize(q.axis), std::ssize(k.axis)); ++p) {
        const double error = q.error[p] + k.error[p];
        const auto alike = [&](double a, double b) {
            return std::abs(a - b) <= error + 0x1p-18 * std::abs(a);
        };
        const auto mirrored = [&](double a, double b) { return alike(a, sign * b); };
        const bool mixed = q.axis[p] == kMixedAxes && k.axis[p] == kMixedAxes;
        if (mixed ? !std::ranges::equal(q.mixed[p], k.mixed[p], mirrored)
                  : !alike(std::abs(q.omega[p]), std::abs(k.omega[p]))) {
            return false;
        }
    }
    return true;
}

Finding layout_finding(const Explanation& side, Side of, Weight weight) {
    const std::string& layout = side.pairing.layout;
    const char* const code = layout == "half_split"    ? faults::code("layout.half_split")
                             : layout == "interleaved" ? faults::code("layout.interleaved")
                                                       : faults::code("layout.other");
    const auto [a, b] = side.pairing.pairs.front();
    Words words(say::kLayout, {a, b, layout});
    if (side.pairing.permuted()) {
        const auto [to_a, to_b] = side.pairing.rotated.front();
        words = {say::kPermuted, {a, b, to_a, to_b}};
    } else if (layout == "half_split_per_block") {
        words = {say::kPairsInBlocks, {a, b}};
    } else if (layout == "other") {
        words = {say::kOwnLayout, {a, b}};
    }
    return {code, std::move(words), {of}, layout, {}, weight};
}

Value layout_in_words(const Pairing& pairing) {
    const auto [a, b] = pairing.pairs.front();
    if (pairing.permuted()) {
        const auto [to_a, to_b] = pairing.rotated.front();
        return Words(say::kWithPairMoved, {a, b, to_a, to_b});
    }
    return pairing.layout == "other" ? Value(Words(say::kWithPair, {a, b})) : pairing.layout;
}

bool alike_in_width(const Sides& sides) {
    return sides.front()->head_dim == sides.back()->head_dim;
}

void add_layout(const Sides& sides, std::vector<Finding>& findings) {
    if (sides.empty()) {
        return;
    }
    const Explanation& first = *sides.front();
    if (sides.size() == 2 && !same_layout(first, *sides.back())) {
        for (const Explanation* side : sides) {
            const Explanation& other = side == sides.front() ? *sides.back() : first;
            Finding finding = layout_finding(*side, side->side, Weight::fault);
            finding.words = {say::kOtherSideLayout,
                             {finding.words, other.side, layout_in_words(other.pairing)}};
            findings.push_back(std::move(finding));
        }
        return;
    }
    for (const Explanation* side : sides) {
        const bool own = side->pairing.layout == "other";
        findings.push_back(layout_finding(*side,
                                          alike_in_width(sides) ? sides_of(sides) : side->side,
                                          own ? Weight::equivalent : Weight::note));
        if (alike_in_width(sides)) {
            return;  // the same holds for both
        }
    }
}

void add_partial(const Sides& sides, std::vector<Finding>& findings) {
    for (const Explanation* side : sides) {
        const Index width = side->model->rotary_dim;
        if (width < side->head_dim) {
            const Index first = side->first_channel;
            const Words words =
                !side->pairing.still_at.empty()
                    ? Words(say::kSomeTurnMoved, {width, side->head_dim})
                : first == 0 ? Words(say::kSomeTurn, {width, side->head_dim})
                             : Words(say::kInnerTurn, {first, first + width - 1, side->head_dim});
            findings.push_back({faults::code("partial_rotary"),
                                words,
                                {alike_in_width(sides) ? sides_of(sides) : side->side},
                                to_double(width),
                                {},
                                Weight::note});
            return;
        }
    }
}

Finding spectrum_finding(const Explanation& side, Side of) {
    const SpectrumModel& model = *side.model;
    Finding finding{model.code, {say::kSpectrum, {model.words}}, {of}};
    finding.weight = model.right ? Weight::note : Weight::fault;
    if (model.code == faults::code("positions.scaled")) {
        finding.measured = model.factor;
        finding.expected = 1.0;
    } else if (model.base) {
        finding.measured = *model.base;
    }
    return finding;
}

bool turned_twice(const Explanation& q, const Explanation& k) {
    for (std::size_t i = 0; i < std::min(q.model->omega.size(), k.model->omega.size()); ++i) {
        const double twice = 2.0 * q.model->omega[i],
                     error = k.speeds.known() ? k.speeds.error[i] : 0.0;
        if (std::abs(k.model->omega[i] - twice) > error + 0x1p-18 * twice) {
            return false;
        }
    }
    return q.model->code != faults::code("spectrum.zero");
}

void add_spectrum(const Sides& sides, std::vector<Finding>& findings) {
    if (sides.empty()) {
        return;
    }
    if (sides.size() == 1 || same_spectrum(*sides[0], *sides[1])) {
        findings.push_back(spectrum_finding(*sides.front(), sides_of(sides)));
        return;
    }
    const Explanation &q = *sides[0], &k = *sides[1];
    if (mixed_backwards(q, k)) {
        findings.push_back(spectrum_finding(q, Side::both));
        findings.push_back(
            {faults::code("sign.k_reversed"), say::kKBackwards, {Side::k}, -1.0, 1.0});
        return;
    }
    if (turned_twice(q, k)) {
        const bool changes = std::ranges::any_of(k.findings, [](const Finding& finding) {
            return finding.code == faults::code("spectrum.changes_at");
        });
        findings.push_back(spectrum_finding(q, Side::q));
        findings.push_back({faults::code("k.rotated_twice"),
                            k.offset && !changes ? say::kTwice : say::kTwiceAtSome,
                            {Side::k},
                            2.0,
                            1.0});
        return;
    }
    for (const Explanation* side : sides) {
        findings.push_back(spectrum_finding(*side, side->side));
    }
    findings.push_back({faults::code("spectrum.qk_mismatch"),
                        {say::kSpeedsDiffer, {q.model->words, k.model->words}},
                        {Side::both}});
    if (q.model->base && k.model->base) {
        findings.back().measured = *k.model->base;
        findings.back().expected = *q.model->base;
    }
}

/// Pairs that turn by one axis in q and by another one in k.
void add_axes(const Sides& sides, std::vector<Finding>& findings) {
    if (sides.size() < 2 || !sides[0]->axis_map || !sides[1]->axis_map) {
        return;
    }
    const AxisMap &q = *sides[0]->axis_map, &k = *sides[1]->axis_map;
    for (std::size_t p = 0; p < std::min(q.axis.size(), k.axis.size()); ++p) {
        if (q.axis[p] >= 0 && k.axis[p] >= 0 && q.axis[p] != k.axis[p]) {
            findings.push_back({faults::code("axes.map"),
                                {say::kMapsDiffer, {describe_map(q), describe_map(k)}},
                                {Side::both}});
            return;
        }
    }
}

void add_sign(const Sides& sides, std::vector<Finding>& findings) {
    const bool all = std::ranges::all_of(sides, [](const auto* side) { return side->sign < 0; });
    const bool any = std::ranges::any_of(sides, [](const auto* side) { return side->sign < 0; });
    if (!any) {
        return;
    }
    if (all) {
        findings.push_back({faults::code("sign.reversed"),
                            {say::kBackwards, {sides_of(sides)}},
                            {sides_of(sides)},
                            -1.0,
                            1.0,
                            Weight::equivalent});
    } else if (sides[1]->sign < 0) {
        findings.push_back(
            {faults::code("sign.k_reversed"), say::kKBackwards, {Side::k}, -1.0, 1.0});
    } else {
        findings.push_back({faults::code("sign.reversed"), say::kQBackwards, {Side::q}, -1.0, 1.0});
    }
}

constexpr double kQuarterTurn = 0.5 * std::numbers::pi;

/// What turns every pair by a quarter or half a turn at every position.
const Phrase& cause_of_phase(const Explanation& side) {
    if (std::abs(side.phase_rad) > 1.5 * kQuarterTurn) {
        return say::kSignsChanged;
    }
    if (side.phase_rad * side.sign < 0.0) {
        return say::kCosSinExchanged;
    }
    return say::kTableOff;
}

void add_phase(const Sides& sides, std::vector<Finding>& findings) {
    const double q = sides.front()->phase_rad, k = sides.back()->phase_rad;
    const bool alike = std::abs(q - k) < kQuarterTurn / 2.0;
    for (const Explanation* side : sides) {
        if (side->phase_rad == 0.0 || (alike && side != sides.front())) {
            continue;
        }
        const Side of = alike ? sides_of(sides) : side->side;
        findings.push_back({faults::code("phase"),
                            {of == Side::both ? say::kPhaseOfBoth : say::kPhase,
                             {of, side->phase_rad * 90.0 / kQuarterTurn, cause_of_phase(*side)}},
                            {of},
                            side->phase_rad,
                            0.0,
                            alike ? Weight::equivalent : Weight::fault});
    }
}

void add_offset(const Sides& sides, std::vector<Finding>& findings) {
    const bool known =
        std::ranges::all_of(sides, [](const auto* side) { return side->offset.has_value(); });
    if (sides.empty() || !known) {
        return;
    }
    const double q = *sides.front()->offset, k = *sides.back()->offset;
    if (std::abs(q - k) > 1e-3 * std::max(1.0, std::abs(q))) {
        findings.push_back({faults::code("positions.qk_offset"),
                            {say::kOffsetsDiffer, {q, k, q - k}},
                            {Side::both},
                            q - k,
                            0.0});
    } else if (std::abs(q) > 1e-6) {
        findings.push_back({faults::code("positions.offset"),
                            {say::kOffset, {q}},
                            {sides_of(sides)},
                            q,
                            0.0,
                            Weight::equivalent});
    }
}

void add_table(const Sides& sides, std::vector<Finding>& findings) {
    for (const Explanation* side : sides) {
        if (side->table && *side->table != Dtype::f32) {
            findings.push_back(
                {*side->table == Dtype::f16 ? faults::code("table.fp16")
                                            : faults::code("table.bf16"),
                 {say::kCoarseTable,
                  {std::string(numpy_name(*side->table)), 2.0 * format_of(*side->table).unit}},
                 {sides_of(sides)},
                 std::string(numpy_name(*side->table)),
                 "float32",
                 Weight::note});
            return;
        }
    }
}

/// Sides that do not turn at all.
void add_still(const std::vector<Explanation>& sides, std::vector<Finding>& findings) {
    const auto still =
        std::ranges::count_if(sides, [](const Explanation& side) { return side.still; });
    if (still == 0) {
        return;
    }
    if (still == std::ssize(sides)) {
        findings.push_back({faults::code("spectrum.zero"),
                            say::kNothingTurns,
                            {sides.size() == 2 ? Side::both : sides.front().side},
                            0.0,
                            {}});
    } else if (sides.back().still) {
        findings.push_back({faults::code("k.unrotated"), say::kKStill, {Side::k}, 0.0, 1.0});
    } else {
        findings.push_back({faults::code("spectrum.zero"), say::kQStill, {Side::q}, 0.0, {}});
    }
}

/// Findings of each side, once if both have the same.
std::vector<Finding> own_findings(const std::vector<Explanation>& sides) {
    std::vector<FindingsOfPart> parts;
    for (const Explanation& side : sides) {
        parts.push_back({side.findings, {side.side}});
    }
    return grouped(parts, Among::sides, rounding_of(sides));
}

}  // namespace

Sides paired(const std::vector<Explanation>& sides) {
    Sides found;
    for (const Explanation& side : sides) {
        if (side.pairing.kind == PairingKind::found) {
            found.push_back(&side);
        }
    }
    return found;
}

Sides explained(const std::vector<Explanation>& sides) {
    Sides found;
    for (const Explanation& side : sides) {
        if (side.model) {
            found.push_back(&side);
        }
    }
    return found;
}

Side sides_of(const Sides& sides) {
    return sides.size() == 2 ? Side::both : sides.front()->side;
}

bool same_layout(const Explanation& a, const Explanation& b) {
    if (a.head_dim == b.head_dim) {
        return a.pairing.pairs == b.pairing.pairs && a.pairing.rotated == b.pairing.rotated &&
               a.pairing.still_at == b.pairing.still_at;
    }
    // One of the two may be stored without the channels that stay, as the keys of MLA are.
    const Explanation& narrow = a.head_dim < b.head_dim ? a : b;
    const Index turning = narrow.model ? narrow.model->rotary_dim : narrow.pairing.touched_channels;
    if (narrow.first_channel != 0 || turning != narrow.head_dim || !a.pairing.still_at.empty() ||
        !b.pairing.still_at.empty()) {
        return false;
    }
    // The slowest pairs may not have turned by a bit yet, and in one of the two only: their number
    // is the spectrum's.
    const Index seen = std::min(a.pairing.touched_pairs, b.pairing.touched_pairs);
    const auto same = [&](const std::vector<ChannelPair>& of_a,
                          const std::vector<ChannelPair>& of_b) {
        if (std::min(std::ssize(of_a), std::ssize(of_b)) < seen) {
            return false;
        }
        for (Index p = 0; p < seen; ++p) {
            if (of_a[p].first - a.first_channel != of_b[p].first - b.first_channel ||
                of_a[p].second - a.first_channel != of_b[p].second - b.first_channel) {
                return false;
            }
        }
        return true;
    };
    return same(a.pairing.pairs, b.pairing.pairs) && same(a.pairing.rotated, b.pairing.rotated);
}

bool same_spectrum(const Explanation& q, const Explanation& k) {
    if (q.model->rounded != k.model->rounded) {
        return false;  // rounding was recognised number by number, finer than speeds are measured
    }
    if (q.axis_map && k.axis_map) {
        return same_rows(*q.axis_map, *k.axis_map, 1.0);
    }
    const auto omega = [](const Explanation& side, Index i) {
        return i < std::ssize(side.model->omega) ? side.model->omega[i] : 0.0;
    };
    for (Index i = 0; i < std::max(std::ssize(q.model->omega), std::ssize(k.model->omega)); ++i) {
        const auto error = [&](const Explanation& side) {
            return side.speeds.known() && i < std::ssize(side.speeds.error) ? side.speeds.error[i]
                                                                            : 0.0;
        };
        const double a = omega(q, i), b = omega(k, i);
        if (std::abs(a - b) > error(q) + error(k) + 0x1p-18 * std::abs(a)) {
            return false;
        }
    }
    return true;
}

bool mixed_backwards(const Explanation& q, const Explanation& k) {
    return q.axis_map && k.axis_map && q.axis_map->has_mixed() &&
           same_rows(*q.axis_map, *k.axis_map, -1.0);
}

std::vector<Finding> findings_of(const std::vector<Explanation>& sides) {
    std::vector<Finding> findings;
    const Sides with_pairs = paired(sides), with_model = explained(sides);
    add_still(sides, findings);
    std::ranges::move(own_findings(sides), std::back_inserter(findings));
    add_rotation(with_pairs, findings);
    add_layout(with_pairs, findings);
    if (!with_model.empty()) {
        add_partial(with_model, findings);
        add_spectrum(with_model, findings);
        add_axes(with_model, findings);
        add_sign(with_model, findings);
        add_phase(with_model, findings);
        add_offset(with_model, findings);
    }
    add_stretch(with_pairs, findings);
    add_gain(with_pairs, findings);
    add_table(with_pairs, findings);
    std::ranges::stable_sort(findings, {}, &Finding::weight);
    return findings;
}

}  // namespace ropescope::diagnosis
