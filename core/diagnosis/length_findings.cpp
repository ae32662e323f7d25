// Tells the factors on the lengths of q and k apart.
#include "core/diagnosis/length_findings.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/diagnosis/sides.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// YaRN and LongRoPE multiply lengths, so that a gain beside them belongs to the method.
bool gain_belongs_to_method(const Explanation& side) {
    return side.model && (std::holds_alternative<YarnScaling>(side.model->scaling) ||
                          std::holds_alternative<LongRopeScaling>(side.model->scaling));
}

/// Whether a side has a factor for each token.
bool any_by_token(const Sides& sides) {
    return std::ranges::any_of(
        sides, [](const auto* side) { return !side->stretch && !side->gain.by_token.empty(); });
}

/// "q, row 1, token 5".
std::string place_of_token(const Explanation& side, Index at) {
    const Index row = at / side.turns.length, rows = side.turns.rows / side.heads;
    std::string place = side.side;
    if (rows > 1) {
        place += fmt::format(", row {}", row / side.heads);
    }
    if (side.heads > 1) {
        place += fmt::format(", head {}", row % side.heads);
    }
    return place + fmt::format(", token {}", at % side.turns.length);
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
    const std::string meant =
        side.side == "q" ? " Some models do that to q on purpose (log n, temperature)." : "";
    if (!others.empty() && others.size() * 4 <= gains.size()) {
        const auto& [gain, at] = others.front();
        return {faults::code("gain"),
                fmt::format("The turned channels of {} are multiplied by another factor at {} of "
                            "{} tokens: by {:.6g} at the first of them, by {:.6g} at the "
                            "others.{}",
                            side.side, others.size(), gains.size(), gain, usual, meant),
                place_of_token(side, at), gain, usual};
    }
    const auto& [least, first] = std::ranges::min(gains);
    const auto& [most, last] = std::ranges::max(gains);
    return {faults::code("gain"),
            fmt::format("The turned channels of {} are multiplied by another factor at every "
                        "token: from {:.6g} ({}) to {:.6g} ({}), so that scores depend on more "
                        "than the distance.{}",
                        side.side, least, place_of_token(side, first), most,
                        place_of_token(side, last), meant),
            side.side, most, 1.0};
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

}  // namespace

Stretching stretching_of(const std::vector<Explanation>& sides) {
    return stretching(paired(sides));
}

void add_gain(const Sides& sides, std::vector<Finding>& findings) {
    const auto add = [&](const Explanation& side, const std::string& where) {
        const bool both = where == "q and k";
        findings.push_back({faults::code("gain"),
                            fmt::format("The turned channels of {} are multiplied by {:.6g}, and "
                                        "what they add to a score by {}{:.6g}.",
                                        where, side.gain.value, both ? "the square, " : "",
                                        both ? side.gain.value * side.gain.value : side.gain.value),
                            where, side.gain.value, 1.0});
    };
    // Whether a gain belongs to a method is known with its spectrum.
    const auto wrong = [](const Explanation& side) {
        return side.gain.value != 1.0 && side.model && !gain_belongs_to_method(side);
    };
    if (sides.empty() || any_stretched(sides) || any_by_token(sides)) {
        return;  // add_stretch or add_rotation says it
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

void add_stretch(const Sides& sides, std::vector<Finding>& findings) {
    if (!any_stretched(sides)) {
        return;
    }
    const Explanation& first = *sides.front();
    const Index last = std::ssize(first.pairing.pairs) - 1;
    const double q = growth(first, 0), k = growth(*sides.back(), 0);
    const auto add = [&](const std::string& text) {
        findings.push_back({faults::code("gain.xpos"),
                            text,
                            sides.size() == 2 ? "q and k" : first.side,
                            q,
                            {},
                            Weight::note});
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
                            "{:.6g} for each position; those of {} must change by the "
                            "reciprocal.",
                            first.side, q, first.side == "q" ? "k" : "q"));
        case Stretching::grows:
            break;
    }
    findings.push_back({faults::code("gain"),
                        fmt::format("Lengths change with the position, and those of q and k do not "
                                    "cancel: pair 0 of q by {:.6g} and of k by {:.6g} for each "
                                    "position, so that scores depend on more than the distance.",
                                    q, k),
                        "q and k", k, 1.0 / q});
}

void add_rotation(const Sides& sides, std::vector<Finding>& findings) {
    for (const Explanation* side : sides) {
        if (side->gain.zero_token >= 0) {
            findings.push_back({faults::code("not_a_rotation"),
                                fmt::format("From token {} on the turned channels of {} are zero: "
                                            "the table ends or was never filled.",
                                            side->gain.zero_token, side->side),
                                fmt::format("{}, token {}", side->side, side->gain.zero_token), 0.0,
                                1.0});
        } else if (!side->gain.by_token.empty() && !side->stretch) {
            findings.push_back(token_gain(*side));
        } else if (!side->gain.uniform && !side->stretch) {
            findings.push_back({faults::code("not_a_rotation"),
                                fmt::format("Pairs of one token of {} change their lengths by "
                                            "different factors: that is not a rotation.",
                                            side->side),
                                side->side});
        }
    }
}

}  // namespace ropescope::diagnosis
