// Where tokens stand in each axis, read off the pairs that turn by it.
#include <algorithm>
#include <cmath>

#include "core/diagnosis/axis_map.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/places.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// The pairs of one axis alone.
struct AxisTurns {
    Turns turns;
    std::vector<double> omega, stated;
};

AxisTurns turns_of_axis(const AxisMap& map, Index axis, const Turns& all,
                        const DumpPositions& positions) {
    AxisTurns own;
    std::vector<Index> pairs;
    for (Index p = 0; p < all.pairs; ++p) {
        if (map.axis[p] == axis) {
            pairs.push_back(p);
            own.omega.push_back(map.omega[p]);
        }
    }
    own.turns = {.rows = all.rows, .length = all.length, .pairs = std::ssize(pairs)};
    for (Index row = 0; row < all.rows; ++row) {
        for (Index t = 0; t < all.length; ++t) {
            own.stated.push_back(positions.at(axis, row, t));
            for (const Index p : pairs) {
                own.turns.angle_rad.push_back(all.angle_rad[all.at(row, t, p)]);
                own.turns.error_rad.push_back(all.error_rad[all.at(row, t, p)]);
                own.turns.gain.push_back(all.gain[all.at(row, t, p)]);
            }
        }
    }
    return own;
}

/// [axes][rows * length]: where tokens stand; an axis without pairs has none. Empty if an angle
/// fits no position.
std::optional<std::vector<Places>> places_of(const AxisMap& map, const Turns& turns,
                                             const DumpPositions& positions,
                                             const AngleNoise& noise) {
    std::vector<Places> places(map.axes);
    for (Index axis = 0; axis < map.axes; ++axis) {
        const AxisTurns own = turns_of_axis(map, axis, turns, positions);
        if (own.turns.pairs == 0) {
            continue;
        }
        places[axis] = recover_places(own.turns, own.omega, own.stated, noise);
        if (places[axis].unexplained > 0) {
            return std::nullopt;
        }
    }
    return places;
}

/// Tokens and their axes, as stated and as found.
struct Ids {
    const std::vector<Places>& places;
    const DumpPositions& positions;
    Index rows, length;

    Index count() const { return rows * length; }
    double stated(Index axis, Index at) const {
        return positions.at(axis, at / length, at % length);
    }
    bool stands_at(Index axis, Index at, double position) const {
        const Places& own = places[axis];
        return own.position.empty() || !std::isfinite(own.error[at]) ||
               std::abs(own.position[at] - position) <= 2.0 * own.error[at] + 1e-6;
    }
    bool in_place(Index at) const {
        for (Index axis = 0; axis < std::ssize(places); ++axis) {
            if (!stands_at(axis, at, stated(axis, at))) {
                return false;
            }
        }
        return true;
    }
    bool by_slot() const {
        for (Index at = 0; at < count(); ++at) {
            for (Index axis = 0; axis < std::ssize(places); ++axis) {
                if (!stands_at(axis, at, to_double(at % length))) {
                    return false;
                }
            }
        }
        return true;
    }
    std::vector<double> found(Index at) const {
        std::vector<double> numbers;
        for (Index axis = 0; axis < std::ssize(places); ++axis) {
            const Places& own = places[axis];
            const bool shown = !own.position.empty() && std::isfinite(own.error[at]);
            const double position = shown ? own.position[at] : stated(axis, at);
            const double whole = std::round(position);
            numbers.push_back(stands_at(axis, at, whole) ? whole : position);
        }
        return numbers;
    }
};

/// "0, 4, 4"
Words listed_numbers(std::span<const double> numbers) {
    std::vector<Words> list;
    for (const double number : numbers) {
        list.emplace_back(say::kNumber, std::vector<Value>{number});
    }
    return {say::kList, {list}};
}

}  // namespace

std::optional<Finding> misplaced_tokens(const AxisMap& map, const Turns& turns,
                                        const DumpPositions& positions, const AngleNoise& noise,
                                        Side side) {
    if (map.has_mixed()) {
        return std::nullopt;
    }
    const std::optional<std::vector<Places>> places = places_of(map, turns, positions, noise);
    if (!places) {
        return std::nullopt;
    }
    const Ids ids{*places, positions, turns.rows, turns.length};
    std::vector<Index> moved;
    for (Index at = 0; at < ids.count(); ++at) {
        if (!ids.in_place(at)) {
            moved.push_back(at);
        }
    }
    if (moved.empty()) {
        return std::nullopt;
    }
    const Index first = moved.front();
    std::vector<double> stated;
    for (Index axis = 0; axis < map.axes; ++axis) {
        stated.push_back(ids.stated(axis, first));
    }
    Place place{.sides = side, .token = first % turns.length};
    if (turns.rows > 1) {
        place.rows = {first / turns.length};
    }
    Place in_side = place;
    in_side.sides = Side::none;
    std::vector<Words> names;
    for (const std::string& name : map.names) {
        names.emplace_back(say::kWord, std::vector<Value>{name});
    }
    return Finding{faults::code("positions.per_row"),
                   {ids.by_slot() ? say::kMovedBySlot : say::kMovedTokens,
                    {side, in_side, Words(say::kList, {names}), listed_numbers(ids.found(first)),
                     listed_numbers(stated), std::ssize(moved), ids.count()}},
                   std::move(place)};
}

}  // namespace ropescope::diagnosis
