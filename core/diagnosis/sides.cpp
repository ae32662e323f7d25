// Compares q with k, and says once what holds for both.
#include "core/diagnosis/sides.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ropescope::diagnosis {
namespace {

using Sides = std::vector<const Explanation*>;

/// The sides that turn and were paired.
Sides paired(const std::vector<Explanation>& sides) {
    Sides found;
    for (const Explanation& side : sides) {
        if (side.pairing.kind == PairingKind::found) {
            found.push_back(&side);
        }
    }
    return found;
}

/// The sides whose spectrum is known.
Sides explained(const std::vector<Explanation>& sides) {
    Sides found;
    for (const Explanation& side : sides) {
        if (side.model) {
            found.push_back(&side);
        }
    }
    return found;
}

std::string names(const Sides& sides) {
    return sides.size() == 2 ? "q and k" : sides.front()->side;
}

bool same_layout(const Explanation& a, const Explanation& b) {
    return a.pairing.pairs == b.pairing.pairs && a.pairing.rotated == b.pairing.rotated;
}

Finding layout_finding(const Explanation& side, const std::string& where, Weight weight) {
    const std::string& layout = side.pairing.layout;
    const std::string code =
        layout == "half_split" || layout == "interleaved" ? "layout." + layout : "layout.other";
    const ChannelPair first = side.pairing.pairs.front();
    std::string text;
    if (side.pairing.permuted()) {
        const ChannelPair to = side.pairing.rotated.front();
        text =
            fmt::format("Channels are permuted: the pair ({}, {}) comes out as channels {} and {}.",
                        first.first, first.second, to.first, to.second);
    } else if (layout == "half_split_per_block") {
        text = fmt::format(
            "Pairs are half-split inside each block of channels: ({}, {}) is the "
            "first.",
            first.first, first.second);
    } else if (layout == "other") {
        text = fmt::format("Channels {} and {} are a pair: a layout of its own.", first.first,
                           first.second);
    } else {
        text = fmt::format("Channels {} and {} are a pair: {}.", first.first, first.second, layout);
    }
    return {code, text, where, layout, {}, weight};
}

void add_layout(const Sides& sides, std::vector<Finding>& findings) {
    if (sides.empty()) {
        return;
    }
    const Explanation& first = *sides.front();
    if (sides.size() == 2 && !same_layout(first, *sides.back())) {
        for (const Explanation* side : sides) {
            Finding finding = layout_finding(*side, side->side, Weight::fault);
            finding.text += " The other side has another layout.";
            findings.push_back(std::move(finding));
        }
        return;
    }
    const bool own = first.pairing.layout == "other";
    findings.push_back(
        layout_finding(first, names(sides), own ? Weight::equivalent : Weight::note));
}

void add_partial(const Sides& sides, std::vector<Finding>& findings) {
    for (const Explanation* side : sides) {
        const Index width = side->model->rotary_dim;
        if (width < side->head_dim) {
            findings.push_back({"partial_rotary",
                                fmt::format("{} of {} channels turn; the others stay as they are.",
                                            width, side->head_dim),
                                names(sides),
                                to_double(width),
                                {},
                                Weight::note});
            return;
        }
    }
}

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

/// Whether all angles of the two spectra agree as far as the data of both tell.
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

/// Whether pairs that turn by several axes do so the other way in k: their speeds have any sign, so
/// that only the other side tells.
bool mixed_backwards(const Explanation& q, const Explanation& k) {
    return q.axis_map && k.axis_map && q.axis_map->has_mixed() &&
           same_rows(*q.axis_map, *k.axis_map, -1.0);
}

Finding spectrum_finding(const Explanation& side, const std::string& where) {
    const SpectrumModel& model = *side.model;
    Finding finding{model.code, fmt::format("The spectrum: {}.", model.text), where};
    finding.weight = model.right ? Weight::note : Weight::fault;
    if (model.code == "positions.scaled") {
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
    return q.model->code != "spectrum.zero";
}

void add_spectrum(const Sides& sides, std::vector<Finding>& findings) {
    if (sides.empty()) {
        return;
    }
    if (sides.size() == 1 || same_spectrum(*sides[0], *sides[1])) {
        findings.push_back(spectrum_finding(*sides.front(), names(sides)));
        return;
    }
    const Explanation &q = *sides[0], &k = *sides[1];
    if (mixed_backwards(q, k)) {
        findings.push_back(spectrum_finding(q, "q and k"));
        findings.push_back({"sign.k_reversed", "k turns the other way than q.", "k", -1.0, 1.0});
        return;
    }
    if (turned_twice(q, k)) {
        findings.push_back(spectrum_finding(q, "q"));
        findings.push_back({"k.rotated_twice",
                            "k turns twice as far as q at every position: it is rotated twice.",
                            "k", 2.0, 1.0});
        return;
    }
    for (const Explanation* side : sides) {
        findings.push_back(spectrum_finding(*side, side->side));
    }
    findings.push_back(
        {"spectrum.qk_mismatch",
         fmt::format("q and k turn at other speeds (q: {}; k: {}).", q.model->text, k.model->text),
         "q and k"});
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
            findings.push_back(
                {"axes.map",
                 fmt::format("q and k differ: {} in q, {} in k.", describe_map(q), describe_map(k)),
                 "q and k"});
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
        findings.push_back({"sign.reversed",
                            fmt::format("{} turn the other way (the transposed rotation); scores "
                                        "are the same as long as both do.",
                                        names(sides)),
                            names(sides), -1.0, 1.0, Weight::equivalent});
    } else if (sides[1]->sign < 0) {
        findings.push_back({"sign.k_reversed", "k turns the other way than q.", "k", -1.0, 1.0});
    } else {
        findings.push_back({"sign.reversed", "q turns the other way than k.", "q", -1.0, 1.0});
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
        findings.push_back(
            {"positions.qk_offset",
             fmt::format("q stands {:+g} and k {:+g} from the stated positions, so that every "
                         "distance is off by {:g}.",
                         q, k, q - k),
             "q and k", q - k, 0.0});
    } else if (std::abs(q) > 1e-6) {
        findings.push_back({"positions.offset",
                            fmt::format("Every position is {:+g} from the stated one; scores "
                                        "depend on differences only.",
                                        q),
                            names(sides), q, 0.0, Weight::equivalent});
    }
}

/// YaRN and LongRoPE multiply lengths, so that a gain beside them belongs to the method.
bool gain_belongs_to_method(const Explanation& side) {
    return side.model && (std::holds_alternative<YarnScaling>(side.model->scaling) ||
                          std::holds_alternative<LongRopeScaling>(side.model->scaling));
}

bool any_stretched(const Sides& sides) {
    return std::ranges::any_of(sides, [](const auto* side) { return side->stretch.has_value(); });
}

void add_gain(const Sides& sides, std::vector<Finding>& findings) {
    const auto add = [&](const Explanation& side, const std::string& where) {
        findings.push_back(
            {"gain",
             fmt::format("The turned channels are multiplied by {:.6g}, their "
                         "scores by {} of it.",
                         side.gain.value,
                         where == "q and k" ? "the square" : "as much as one factor"),
             where, side.gain.value, 1.0});
    };
    // Whether a gain belongs to a method is known with its spectrum.
    const auto wrong = [](const Explanation& side) {
        return side.gain.value != 1.0 && side.model && !gain_belongs_to_method(side);
    };
    if (sides.empty() || any_stretched(sides)) {
        return;  // add_stretch says it
    }
    const double difference = std::abs(sides.front()->gain.value - sides.back()->gain.value);
    const double rounding = 2.0 * (kRotationUnits * sides.front()->format.unit +
                                   sides.front()->noise.table_rad + 0x1p-20);
    if (sides.size() == 2 && difference > rounding) {
        const Explanation& other =
            sides.front()->gain.value != 1.0 && sides.back()->gain.value == 1.0 ? *sides.front()
                                                                                : *sides.back();
        add(other, other.side);
    } else if (wrong(*sides.front())) {
        add(*sides.front(), names(sides));
    }
}

/// Of a side whose lengths may change less than rounding shows.
std::optional<Stretch> stretch_of(const Explanation& side) {
    return side.stretch ? side.stretch : measure_stretch(side.turns, side.stated, side.noise);
}

/// Whether all pairs of k grow by `power` times what those of q grow by, as far as the data tell.
bool grow_as(const Stretch& q, const Stretch& k, double power) {
    for (std::size_t p = 0; p < std::min(q.slope.size(), k.slope.size()); ++p) {
        if (std::abs(q.slope[p] - power * k.slope[p]) > q.slope_error[p] + k.slope_error[p] ||
            std::abs(q.start[p] - power * k.start[p]) > q.start_error[p] + k.start_error[p]) {
            return false;
        }
    }
    return true;
}

Stretching stretching(const Sides& sides) {
    if (!any_stretched(sides) || sides.size() < 2) {
        return Stretching::none;
    }
    const std::optional<Stretch> q = stretch_of(*sides.front()), k = stretch_of(*sides.back());
    if (!q || !k || !grow_as(*q, *k, -1.0)) {
        return Stretching::grows;
    }
    return grow_as(*q, *k, 1.0) ? Stretching::unclear : Stretching::cancels;
}

/// The factor on the length of a pair for each position.
double growth(const Explanation& side, Index pair) {
    const std::optional<Stretch> stretch = stretch_of(side);
    return stretch ? std::exp(stretch->slope[pair]) : 1.0;
}

/// Lengths that are powers of the position. In q and k they must cancel but for the distance.
void add_stretch(const Sides& sides, std::vector<Finding>& findings) {
    if (!any_stretched(sides)) {
        return;
    }
    const Explanation& first = *sides.front();
    const Index last = std::ssize(first.pairing.pairs) - 1;
    const double q = growth(first, 0), k = growth(*sides.back(), 0);
    const auto add = [&](const std::string& text) {
        findings.push_back(
            {"gain.xpos", text, sides.size() == 2 ? "q and k" : first.side, q, {}, Weight::note});
    };
    switch (stretching(sides)) {
        case Stretching::cancels:
            return add(
                fmt::format("Lengths change with the position and cancel but for the "
                            "distance, as in xPos: pair 0 of q by {:.6g}, pair {} by {:.6g} "
                            "for each position.",
                            q, last, growth(first, last)));
        case Stretching::unclear:
            return add(
                "Lengths change with the position, as in xPos, by hardly more than rounding.");
        case Stretching::none:
            return add(
                fmt::format("Lengths of {} change with the position, as in xPos: pair 0 by "
                            "{:.6g} for each position; those of the other side must change "
                            "by the reciprocal.",
                            first.side, q));
        case Stretching::grows:
            break;
    }
    findings.push_back({"gain",
                        fmt::format("Lengths change with the position, and those of q and k do not "
                                    "cancel: pair 0 of q by {:.6g} and of k by {:.6g} for each "
                                    "position, so that scores depend on more than the distance.",
                                    q, k),
                        "q and k", k, 1.0 / q});
}

void add_rotation(const Sides& sides, std::vector<Finding>& findings) {
    for (const Explanation* side : sides) {
        if (side->gain.zero_token >= 0) {
            findings.push_back({"not_a_rotation",
                                fmt::format("From token {} on the turned channels of {} are zero: "
                                            "the table ends or was never filled.",
                                            side->gain.zero_token, side->side),
                                fmt::format("{}, token {}", side->side, side->gain.zero_token), 0.0,
                                1.0});
        } else if (!side->gain.uniform && !side->stretch) {
            findings.push_back({"not_a_rotation",
                                fmt::format("Pairs of {} change their lengths by other factors at "
                                            "other places: that is not a rotation.",
                                            side->side),
                                side->side});
        }
    }
}

void add_table(const Sides& sides, std::vector<Finding>& findings) {
    for (const Explanation* side : sides) {
        if (side->table && *side->table != Dtype::f32) {
            findings.push_back(
                {*side->table == Dtype::f16 ? "table.fp16" : "table.bf16",
                 fmt::format("Every cosine and sine is a number of {}: each score is wrong by up "
                             "to {:.1g} of its size, at any length.",
                             numpy_name(*side->table), 2.0 * format_of(*side->table).unit),
                 names(sides), std::string(numpy_name(*side->table)), std::string("float32"),
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
        findings.push_back({"spectrum.zero",
                            "Nothing turns at any position: inv_freq is zero, or this layer has no "
                            "rotary embedding.",
                            sides.size() == 2 ? "q and k" : sides.front().side,
                            0.0,
                            {}});
    } else if (sides.back().still) {
        findings.push_back({"k.unrotated", "k is not rotated, and q is.", "k", 0.0, 1.0});
    } else {
        findings.push_back({"spectrum.zero", "q is not rotated, and k is.", "q", 0.0, {}});
    }
}

/// Findings of each side, once if both have the same.
void add_own(const std::vector<Explanation>& sides, std::vector<Finding>& findings) {
    for (const Explanation& side : sides) {
        for (const Finding& finding : side.findings) {
            const bool of_both =
                &side == &sides.back() && sides.size() == 2 &&
                std::ranges::any_of(sides.front().findings, [&](const Finding& other) {
                    // From the first letter on, which is the side, they stand at one place.
                    return other.code == finding.code && other.measured == finding.measured &&
                           other.where.substr(1) == finding.where.substr(1);
                });
            if (of_both) {
                for (Finding& earlier : findings) {
                    if (earlier.code == finding.code &&
                        earlier.where == "q" + finding.where.substr(1)) {
                        earlier.where = "q and k" + earlier.where.substr(1);
                    }
                }
            } else {
                findings.push_back(finding);
            }
        }
    }
}

}  // namespace

Stretching stretching_of(const std::vector<Explanation>& sides) {
    return stretching(paired(sides));
}

std::vector<Finding> findings_of(const std::vector<Explanation>& sides) {
    std::vector<Finding> findings;
    const Sides with_pairs = paired(sides), with_model = explained(sides);
    add_still(sides, findings);
    add_own(sides, findings);
    add_rotation(with_pairs, findings);
    add_layout(with_pairs, findings);
    if (!with_model.empty()) {
        add_partial(with_model, findings);
        add_spectrum(with_model, findings);
        add_axes(with_model, findings);
        add_sign(with_model, findings);
        add_offset(with_model, findings);
    }
    add_stretch(with_pairs, findings);
    add_gain(with_pairs, findings);
    add_table(with_pairs, findings);
    std::ranges::stable_sort(findings, {}, &Finding::weight);
    return findings;
}

}  // namespace ropescope::diagnosis
