// Compares q with k, and says once what holds for both.
#include "core/diagnosis/sides.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "core/diagnosis/comparison.h"
#include "core/diagnosis/length_findings.h"
#include "core/diagnosis/side_list.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

Finding layout_finding(const Explanation& side, const std::string& where, Weight weight) {
    const std::string& layout = side.pairing.layout;
    const char* const code = layout == "half_split"    ? faults::code("layout.half_split")
                             : layout == "interleaved" ? faults::code("layout.interleaved")
                                                       : faults::code("layout.other");
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

std::string layout_in_words(const Pairing& pairing) {
    const ChannelPair first = pairing.pairs.front();
    if (pairing.permuted()) {
        const ChannelPair to = pairing.rotated.front();
        return fmt::format("in which the pair ({}, {}) comes out as channels {} and {}",
                           first.first, first.second, to.first, to.second);
    }
    return pairing.layout == "other"
               ? fmt::format("in which channels {} and {} are a pair", first.first, first.second)
               : pairing.layout;
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
            finding.text += fmt::format(" {} has another layout, {}.", other.side,
                                        layout_in_words(other.pairing));
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
            const std::string turning =
                side->first_channel == 0
                    ? fmt::format("{} of {} channels turn", width, side->head_dim)
                    : fmt::format("Channels {} to {} of {} turn", side->first_channel,
                                  side->first_channel + width - 1, side->head_dim);
            findings.push_back({faults::code("partial_rotary"),
                                turning + "; the others stay as they are.",
                                names(sides),
                                to_double(width),
                                {},
                                Weight::note});
            return;
        }
    }
}

Finding spectrum_finding(const Explanation& side, const std::string& where) {
    const SpectrumModel& model = *side.model;
    Finding finding{model.code, fmt::format("The spectrum: {}.", model.text), where};
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
        findings.push_back(spectrum_finding(*sides.front(), names(sides)));
        return;
    }
    const Explanation &q = *sides[0], &k = *sides[1];
    if (mixed_backwards(q, k)) {
        findings.push_back(spectrum_finding(q, "q and k"));
        findings.push_back(
            {faults::code("sign.k_reversed"), "k turns the other way than q.", "k", -1.0, 1.0});
        return;
    }
    if (turned_twice(q, k)) {
        findings.push_back(spectrum_finding(q, "q"));
        findings.push_back({faults::code("k.rotated_twice"),
                            k.offset ? "k turns twice as far as q at every position: it is "
                                       "rotated twice."
                                     : "k turns twice as far as q at some positions: there it is "
                                       "rotated twice.",
                            "k", 2.0, 1.0});
        return;
    }
    for (const Explanation* side : sides) {
        findings.push_back(spectrum_finding(*side, side->side));
    }
    findings.push_back(
        {faults::code("spectrum.qk_mismatch"),
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
                {faults::code("axes.map"),
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
        findings.push_back({faults::code("sign.reversed"),
                            fmt::format("{} {} the other way (the transposed rotation): right for "
                                        "a model that was trained this way; weights that were "
                                        "trained forward get other scores.",
                                        names(sides), sides.size() == 1 ? "turns" : "turn"),
                            names(sides), -1.0, 1.0, Weight::equivalent});
    } else if (sides[1]->sign < 0) {
        findings.push_back(
            {faults::code("sign.k_reversed"), "k turns the other way than q.", "k", -1.0, 1.0});
    } else {
        findings.push_back(
            {faults::code("sign.reversed"), "q turns the other way than k.", "q", -1.0, 1.0});
    }
}

constexpr double kQuarterTurn = 0.5 * std::numbers::pi;

/// What turns every pair by a quarter or half a turn at every position.
std::string cause_of_phase(const Explanation& side) {
    if (std::abs(side.phase_rad) > 1.5 * kQuarterTurn) {
        return "as if the rotated channels changed their sign";
    }
    if (side.phase_rad * side.sign < 0.0) {
        return "as if cos and sin were exchanged";
    }
    return "as if the table began a quarter of a turn off";
}

void add_phase(const Sides& sides, std::vector<Finding>& findings) {
    const double q = sides.front()->phase_rad, k = sides.back()->phase_rad;
    const bool alike = std::abs(q - k) < kQuarterTurn / 2.0;
    for (const Explanation* side : sides) {
        if (side->phase_rad == 0.0 || (alike && side != sides.front())) {
            continue;
        }
        const std::string where = alike ? names(sides) : side->side;
        std::string text = fmt::format(
            "Every pair of {} stands {:+.0f} degrees from its angle, at position 0 too, {}", where,
            side->phase_rad * 90.0 / kQuarterTurn, cause_of_phase(*side));
        text += alike && sides.size() == 2 ? "; scores depend on differences only." : ".";
        findings.push_back({faults::code("phase"), std::move(text), where, side->phase_rad, 0.0,
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
        findings.push_back(
            {faults::code("positions.qk_offset"),
             fmt::format("q stands {:+g} and k {:+g} from the stated positions, so that every "
                         "distance is off by {:g}.",
                         q, k, q - k),
             "q and k", q - k, 0.0});
    } else if (std::abs(q) > 1e-6) {
        findings.push_back({faults::code("positions.offset"),
                            fmt::format("Every position is {:+g} from the stated one; scores "
                                        "depend on differences only.",
                                        q),
                            names(sides), q, 0.0, Weight::equivalent});
    }
}

void add_table(const Sides& sides, std::vector<Finding>& findings) {
    for (const Explanation* side : sides) {
        if (side->table && *side->table != Dtype::f32) {
            findings.push_back(
                {*side->table == Dtype::f16 ? faults::code("table.fp16")
                                            : faults::code("table.bf16"),
                 fmt::format("Every cosine and sine is a number of {}: each score is wrong by up "
                             "to {:.1g} of |q| |k|, at any length.",
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
        findings.push_back({faults::code("spectrum.zero"),
                            "Nothing turns at any position: inv_freq is zero, or this layer has no "
                            "rotary embedding.",
                            sides.size() == 2 ? "q and k" : sides.front().side,
                            0.0,
                            {}});
    } else if (sides.back().still) {
        findings.push_back(
            {faults::code("k.unrotated"), "k is not rotated, and q is.", "k", 0.0, 1.0});
    } else {
        findings.push_back(
            {faults::code("spectrum.zero"), "q is not rotated, and k is.", "q", 0.0, {}});
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
                           other.where.substr(1) == finding.where.substr(1) &&
                           says_the_same(other.text, finding.text);
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
