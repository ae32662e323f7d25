// What follows from the angles of a side when its spectrum is known, or what to dump if it is not.
#include <algorithm>
#include <cmath>
#include <set>

#include "core/diagnosis/explanation.h"
#include "core/diagnosis/model_search.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// What to dump if no method has the speeds. Numbers of 16 bits leave room for the factors that
/// LongRoPE has for each pair.
Words unknown_speeds(const Explanation& side, bool anything_expected) {
    const bool coarse = side.format.unit > 0x1p-16;
    const Words too_coarse(say::kTooCoarse, {std::string(numpy_name(side.format.dtype))});
    return {say::kUnknownSpeeds,
            {side.side, coarse ? Value(too_coarse) : Value(),
             anything_expected ? Value() : Value(say::kOrExpect)}};
}

/// Rows, or heads, that do not turn although the others do; false if there are none.
bool find_still_rows(Explanation& side, const std::vector<bool>& still) {
    const auto count = std::ranges::count(still, true);
    if (count == 0 || count == side.turns.rows) {
        return false;
    }
    std::set<Index> rows;
    for (Index row = 0; row < side.turns.rows; ++row) {
        if (still[row]) {
            rows.insert(side.heads_differ ? row % side.heads : row);
        }
    }
    side.findings.push_back(unrotated_rows(side, std::vector<Index>(rows.begin(), rows.end())));
    return true;
}

/// One step of several sequences that turn alike, although their stated positions differ.
bool find_alike_rows(Explanation& side) {
    const auto [least, most] = std::ranges::minmax(side.stated);
    if (side.turns.rows != 1 || least == most) {
        return false;
    }
    for (Index t = 1; t < side.turns.length; ++t) {
        for (Index p = 0; p < side.turns.pairs; ++p) {
            const std::size_t first = side.turns.at(0, 0, p), at = side.turns.at(0, t, p);
            const double bound =
                side.turns.error_rad[first] + side.turns.error_rad[at] + 2.0 * side.noise.table_rad;
            if (std::abs(wrapped(side.turns.angle_rad[at] - side.turns.angle_rad[first])) > bound) {
                return false;
            }
        }
    }
    side.findings.push_back(
        {faults::code("positions.per_row"), {say::kAlike, {side.side, least, most}}, {side.side}});
    return true;
}

/// The pairs with an angle that is not that of the stated position.
std::vector<Index> pairs_out_of_place(const Explanation& side) {
    const std::vector<double> omega = signed_omega(*side.model, side.sign, side.turns.pairs);
    const auto is_out = [&](std::size_t token, Index pair) {
        const double angle = omega[pair] * side.stated[token];
        const std::size_t at = token * side.turns.pairs + pair;
        const double allowed =
            side.turns.error_rad[at] + side.noise.table_rad + side.noise.relative * std::abs(angle);
        return std::abs(wrapped(side.turns.angle_rad[at] - angle)) > allowed;
    };
    std::vector<Index> out;
    for (Index pair = 0; pair < side.turns.pairs; ++pair) {
        for (std::size_t token = 0; token < side.stated.size(); ++token) {
            if (is_out(token, pair)) {
                out.push_back(pair);
                break;
            }
        }
    }
    return out;
}

/// Few pairs whose angles are not those of the position at which all others stand: a channel that
/// lost its sign, or a frequency that is wrong. False if there are none, or many.
bool find_odd_pairs(Explanation& side) {
    const std::vector<Index> odd = pairs_out_of_place(side);
    if (odd.empty() || 4 * std::ssize(odd) > side.turns.pairs) {
        return false;
    }
    const ChannelPair first = side.pairing.pairs[odd.front()];
    side.findings.push_back(
        {faults::code("not_a_rotation"),
         {say::kOddPairs, {Numbers{"pair", odd}, side.side, first.first, first.second}},
         {.sides = side.side, .pair = odd.front()}});
    side.places.unexplained = 0;
    side.places.position = side.stated;
    return true;
}

}  // namespace

void conclude(Explanation& side, const DumpPositions& positions, const std::vector<bool>& still,
              const Expected& asked) {
    if (side.model) {
        if (side.places.unexplained == 0 || !find_odd_pairs(side)) {
            find_position_faults(side);
        }
        if (positions.axes > 1 && side.findings.empty()) {
            side.too_little = {say::kAxesAgree, {side.side}};
        }
    } else if (find_still_rows(side, still) || (!side.speeds.known() && find_alike_rows(side))) {
        return;
    } else if (!side.speeds.known()) {
        side.too_little = {say::kOnePosition, {side.side}};
    } else if (side.gain.uniform || !side.gain.by_token.empty() || side.stretch) {
        side.too_little =
            unknown_speeds(side, asked.anything());  // of what is no rotation, none is asked for
    }
}

}  // namespace ropescope::diagnosis
