// Tells the factors on the lengths of q and k apart.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/diagnosis/held/folded.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/tell/sides.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// YaRN and LongRoPE multiply lengths, so that a gain beside them belongs to the method.
bool gain_belongs_to_method(const Explanation& side) {
    return side.gain_is_expected || side.gain_may_be_yarns ||
           (side.model && (std::holds_alternative<YarnScaling>(side.model->scaling) ||
                           std::holds_alternative<LongRopeScaling>(side.model->scaling)));
}

/// Whether a side has a factor for each token.
bool any_by_token(const Sides& sides) {
    return std::ranges::any_of(
        sides, [](const auto* side) { return !side->stretch && !side->gain.by_token.empty(); });
}

/// "q, row 1, token 5".
Place place_of_token(const Explanation& side, Index at) {
    const Index row = at / side.turns.length, rows = side.turns.rows / side.heads;
    Place place{.sides = side.side, .token = at % side.turns.length};
    if (rows > 1) {
        place.rows = {row / side.heads};
    }
    if (side.heads > 1) {
        place.heads = {row % side.heads};
    }
    return place;
}

/// A factor on each token: of some tokens, if most have the same, else of all.
Finding token_gain(const Explanation& side) {
    std::vector<std::pair<double, Index>> gains;
    for (std::size_t at = 0; at < side.gain.by_token.size(); ++at) {
        if (!std::isnan(side.gain.by_token[at])) {
            gains.emplace_back(side.gain.by_token[at], static_cast<Index>(at));
        }
    }
    const double usual = side.gain.value;
    const double rounding =
        4.0 * (kRotationUnits * side.format.unit + side.noise.table_rad + 0x1p-20);
    std::vector<std::pair<double, Index>> others;
    std::ranges::copy_if(gains, std::back_inserter(others), [&](const auto& gain) {
        return std::abs(gain.first / usual - 1.0) > rounding;
    });
    // Models that stretch their context may multiply the queries of late tokens.
    const auto finding = [&](const Words& words, Place place, double measured, double expected) {
        return Finding{faults::code("gain"),
                       side.side == Side::q ? Words(say::kOnPurpose, {words}) : words,
                       std::move(place), measured, expected};
    };
    if (!others.empty() && others.size() * 4 <= gains.size()) {
        const auto& [gain, at] = others.front();
        return finding(
            {say::kGainOfSome, {side.side, std::ssize(others), std::ssize(gains), gain, usual}},
            place_of_token(side, at), gain, usual);
    }
    const auto& [least, first] = std::ranges::min(gains);
    const auto& [most, last] = std::ranges::max(gains);
    return finding(
        {say::kGainOfEach,
         {side.side, least, place_of_token(side, first), most, place_of_token(side, last)}},
        {side.side}, most, 1.0);
}

bool any_stretched(const Sides& sides) {
    return std::ranges::any_of(sides, [](const auto* side) { return side->stretch.has_value(); });
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
    if (!any_stretched(sides)) {
        return Stretching::none;
    }
    if (std::ranges::none_of(
            sides, [](const auto* side) { return side->stretch && side->stretch->changes(); })) {
        return Stretching::unclear;
    }
    if (sides.size() < 2) {
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

/// Factors of each pair's own may grow from one position to the next, as xPos has: one position
/// shows neither that they do nor that they do not.
bool stands_at_one_position(const Explanation& side) {
    return side.too_little.phrase == &say::kOnePosition;
}

/// Whether all tokens that are not zero stand before the first one that is.
bool zeros_are_last(const Explanation& side) {
    const std::vector<Index>& zeros = side.gain.zero_at;
    double first = std::numeric_limits<double>::infinity(), last = -first;
    for (Index at = 0; at < std::ssize(side.stated); ++at) {
        const bool zero = std::ranges::binary_search(zeros, at);
        first = zero ? std::min(first, side.stated[at]) : first;
        last = zero ? last : std::max(last, side.stated[at]);
    }
    return side.axes == 1 && last < first;
}

}  // namespace

Words words_of_zeros(const Explanation& side) {
    const std::vector<Index>& zeros = side.gain.zero_at;
    const auto stated = [&](Index at) { return side.stated[at]; };
    if (side.axes == 1 && std::ranges::all_of(
                              zeros, [](double position) { return position == 0.0; }, stated)) {
        return {say::kZeroAtStart, {side.side}};
    }
    if (std::ssize(zeros) == std::ssize(side.stated)) {
        return {say::kZeroEverywhere, {side.side}};
    }
    if (zeros_are_last(side)) {
        return {say::kTableEndsInZeros, {stated(std::ranges::min(zeros, {}, stated)), side.side}};
    }
    return {
        say::kZeroTokens,
        {side.side, std::ssize(zeros), std::ssize(side.stated), zeros.front() % side.turns.length}};
}

Stretching stretching_of(const std::vector<Explanation>& sides) {
    return stretching(paired(sides));
}

void add_gain(const Sides& sides, std::vector<Finding>& findings) {
    const auto add = [&](const Explanation& side, Side of, bool may_be_folded) {
        const double gain = side.gain.value;
        const Words words = of == Side::both ? Words(say::kGainOfBoth, {of, gain, gain * gain})
                                             : Words(say::kGain, {of, gain, gain});
        const double scale = 1.0 / std::sqrt(to_double(side.head_dim));
        const double rounding = kRotationUnits * side.format.unit + side.noise.table_rad + 0x1p-20;
        const auto folded = folded_gain(gain, of, scale, rounding);
        findings.push_back(folded && may_be_folded
                               ? finding_of(*folded)
                               : Finding{faults::code("gain"), words, {of}, gain, 1.0});
    };
    // Whether a gain belongs to a method is known with its spectrum.
    const auto wrong = [](const Explanation& side) {
        return side.gain.value != 1.0 && side.model && !gain_belongs_to_method(side);
    };
    const bool open = std::ranges::any_of(sides, [](const Explanation* side) {
        return !side->gain.uniform && stands_at_one_position(*side);
    });
    if (sides.empty() || any_stretched(sides) || any_by_token(sides) || open) {
        return;  // add_stretch or add_rotation says it, or nobody can
    }
    const double difference = std::abs(sides.front()->gain.value - sides.back()->gain.value);
    const double rounding = 2.0 * (kRotationUnits * sides.front()->format.unit +
                                   sides.front()->noise.table_rad + 0x1p-20);
    if (sides.size() == 2 && difference > rounding) {
        const Explanation& other =
            sides.front()->gain.value != 1.0 && sides.back()->gain.value == 1.0 ? *sides.front()
                                                                                : *sides.back();
        const Explanation& rest = &other == sides.front() ? *sides.back() : *sides.front();
        add(other, other.side, rest.gain.value == 1.0);
    } else if (wrong(*sides.front())) {
        add(*sides.front(), sides_of(sides), true);
    }
}

void add_stretch(const Sides& sides, std::vector<Finding>& findings) {
    if (!any_stretched(sides)) {
        return;
    }
    const Explanation& first = *sides.front();
    const Index last = std::ssize(first.pairing.pairs) - 1;
    const double q = growth(first, 0), k = growth(*sides.back(), 0);
    const auto add = [&](const Words& words) {
        findings.push_back(
            {faults::code("gain.xpos"), words, {sides_of(sides)}, q, {}, Weight::note});
    };
    switch (stretching(sides)) {
        case Stretching::cancels:
            return add({say::kXpos, {q, last, growth(first, last)}});
        case Stretching::unclear:
            return;  // what to dump says it
        case Stretching::none:
            return add(
                {say::kXposOfOne, {first.side, q, first.side == Side::q ? Side::k : Side::q}});
        case Stretching::grows:
            break;
    }
    findings.push_back(
        {faults::code("gain"), {say::kLengthsGrow, {q, k}}, {Side::both}, k, 1.0 / q});
}

void add_rotation(const Sides& sides, std::vector<Finding>& findings) {
    for (const Explanation* side : sides) {
        if (!side->gain.zero_at.empty()) {
            findings.push_back(
                {faults::code("not_a_rotation"),
                 words_of_zeros(*side),
                 {.sides = side->side, .token = side->gain.zero_at.front() % side->turns.length},
                 0.0,
                 1.0});
        } else if (!side->gain.by_token.empty() && !side->stretch) {
            findings.push_back(token_gain(*side));
        } else if (!side->gain.uniform && !side->stretch && !stands_at_one_position(*side)) {
            findings.push_back(
                {faults::code("not_a_rotation"), {say::kUneven, {side->side}}, {side->side}});
        }
    }
}

}  // namespace ropescope::diagnosis
