// Finds the positions that tokens stand at, in one axis or in several.
#include "core/diagnosis/measure/places.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <mutex>
#include <numbers>
#include <numeric>

#include "core/base/parallel.h"
#include "core/diagnosis/hypotheses/axis_map.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"
#include "core/rope/rope_spec.h"

namespace ropescope::diagnosis {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnknown = std::numeric_limits<double>::infinity();

/// One token and the spectrum that is tried.
class Token {
  public:
    Token(const Turns& turns, Index row, Index token, std::span<const double> omega,
          const AngleNoise& noise, std::span<const double> omega_error)
        : turns_(turns),
          at_(turns.at(row, token, 0)),
          omega_(omega),
          omega_error_(omega_error),
          noise_(noise) {}

    double angle(Index pair) const { return turns_.angle_rad[at_ + pair]; }
    double error(Index pair, double position) const {
        const double speed_error =
            omega_error_.empty() ? noise_.relative * std::abs(omega_[pair]) : omega_error_[pair];
        return turns_.error_rad[at_ + pair] + noise_.table_rad + speed_error * std::abs(position);
    }
    bool usable(Index pair) const {
        return omega_[pair] != 0.0 && turns_.error_rad[at_ + pair] < 1.0F;
    }
    double off(Index pair, double position) const {
        return wrapped(angle(pair) - omega_[pair] * position);
    }

    bool explained_by(double position, double& worst) const {
        double largest = 0.0;
        bool told = false;
        for (Index p = 0; p < turns_.pairs; ++p) {
            if (!(turns_.error_rad[at_ + p] < 1.0F)) {
                continue;
            }
            const double off_rad = std::abs(off(p, position)), allowed = error(p, position);
            if (off_rad > allowed) {
                return false;
            }
            told = told || allowed < std::numbers::pi / 2.0;
            largest = std::max(largest, off_rad);
        }
        worst = std::max(worst, largest);
        return told;  // an angle that may be anywhere explains nothing
    }

    /// The position nearby that fits all pairs best, by least squares.
    double refined(double position) const {
        double sum = 0.0, weight = 0.0;
        for (Index p = 0; p < turns_.pairs; ++p) {
            if (usable(p)) {
                const double w = 1.0 / std::pow(error(p, position), 2);
                sum += w * omega_[p] * off(p, position);
                weight += w * omega_[p] * omega_[p];
            }
        }
        return weight > 0.0 ? position + sum / weight : position;
    }

    /// How exactly the angles say where the token stands.
    double position_error(double position) const {
        double least = kUnknown;
        for (Index p = 0; p < turns_.pairs; ++p) {
            if (usable(p)) {
                least = std::min(least, error(p, position) / std::abs(omega_[p]));
            }
        }
        return least;
    }

    /// Narrows a rough position from slow pairs to fast ones. False if a pair contradicts.
    bool narrowed(std::span<const Index> slow_first, double& position, double radius) const {
        for (const Index p : slow_first) {
            const double speed = std::abs(omega_[p]), mine = error(p, position);
            if (speed * radius + mine >= std::numbers::pi) {
                continue;  // whole turns are in doubt
            }
            const double distance = off(p, position) / omega_[p];
            if (std::abs(distance) > radius + mine / speed) {
                return false;
            }
            if (mine / speed < radius) {
                position += distance;
                radius = mine / speed;
            }
        }
        return true;
    }

    /// Whether pairs that stay wherever the token stands do so.
    bool stays() const {
        for (Index p = 0; p < turns_.pairs; ++p) {
            const float error_rad = turns_.error_rad[at_ + p];
            if (omega_[p] == 0.0 && error_rad < 1.0F && std::abs(angle(p)) > error(p, 0.0)) {
                return false;
            }
        }
        return true;
    }

    /// The position nearest to `near` that explains the angles; no number if none does.
    double searched(std::span<const Index> slow_first, double near, double& worst) const {
        const auto first = std::ranges::find_if(slow_first, [&](Index p) { return usable(p); });
        if (first == slow_first.end() || !stays()) {
            return kNone;
        }
        const double speed = omega_[*first], wavelength = kTurn / std::abs(speed);
        const double start = near + off(*first, near) / speed;
        constexpr double kMostTurns = 4096.0;
        const double turns = std::min(kMostTurns, std::ceil(to_double(kMaxPosition) / wavelength));
        for (double k = 0.0; k <= turns; ++k) {
            for (const double sign : {1.0, -1.0}) {
                double position = start + sign * k * wavelength;
                if (std::abs(position) > 2.0 * to_double(kMaxPosition)) {
                    continue;
                }
                const double radius = error(*first, position) / std::abs(speed);
                if (narrowed(slow_first, position, radius)) {
                    for (const double each : {std::round(position), refined(position)}) {
                        if (explained_by(each, worst)) {
                            return each;
                        }
                    }
                }
            }
        }
        return kNone;
    }

  private:
    const Turns& turns_;
    std::size_t at_;
    std::span<const double> omega_, omega_error_;
    AngleNoise noise_;
};

std::vector<Index> slow_first(std::span<const double> omega) {
    std::vector<Index> order;
    for (Index p = 0; p < std::ssize(omega); ++p) {
        if (omega[p] != 0.0) {
            order.push_back(p);
        }
    }
    std::ranges::sort(order, {}, [&](Index p) { return std::abs(omega[p]); });
    return order;
}

/// Finds the places of the tokens of a row.
struct PlacesOfRow {
    const Turns& turns;
    std::span<const double> omega, omega_error, stated;
    AngleNoise noise;
    std::vector<Index> order;
    Places& places;

    /// The number of tokens without a position. A search through all positions gives a name, which
    /// some tokens give as well as all: after the first ones that it finds others are left open,
    /// and after the first that stand nowhere no more are searched for.
    Index find(Index row, bool searching, double& worst) const {
        constexpr Index kMostFound = 256, kMostLost = 8;
        Index found = 0, lost = 0;
        double shift = 0.0, last = kNone;
        for (Index t = 0; t < turns.length; ++t) {
            const std::size_t at = row * turns.length + t;
            const Token token(turns, row, t, omega, noise, omega_error);
            const double error = token.position_error(stated[at]);
            if (error == kUnknown) {
                places.position[at] = stated[at];
                continue;
            }
            double place =
                guessed(token, {stated[at], stated[at] + shift, last, 0.0, to_double(row)}, worst);
            if (std::isnan(place) && searching && lost < kMostLost) {
                if (found == kMostFound) {
                    continue;
                }
                place = token.searched(order, stated[at] + shift, worst);
                found += std::isnan(place) ? 0 : 1;
            }
            if (std::isnan(place)) {
                ++lost;
            } else {
                shift = place - stated[at];
                last = place;
            }
            places.position[at] = place;
            places.error[at] = error;
        }
        return lost;
    }

    static double guessed(const Token& token, std::initializer_list<double> guesses,
                          double& worst) {
        for (const double guess : guesses) {
            if (!std::isnan(guess) && token.explained_by(guess, worst)) {
                return guess;
            }
        }
        return kNone;
    }
};

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
    /// Whether the token stands at whole positions, if its stated ones are whole.
    bool whole(Index at) const {
        const std::vector<double> there = found(at);
        for (Index axis = 0; axis < std::ssize(places); ++axis) {
            const double own = stated(axis, at);
            if (own == std::round(own) && there[axis] != std::round(there[axis])) {
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

bool explains(const Turns& turns, Index row, Index token, std::span<const double> omega,
              double position, const AngleNoise& noise, double& worst_rad,
              std::span<const double> omega_error) {
    return Token(turns, row, token, omega, noise, omega_error).explained_by(position, worst_rad);
}

Places recover_places(const Turns& turns, std::span<const double> omega,
                      std::span<const double> stated, const AngleNoise& noise,
                      std::span<const double> omega_error) {
    Places places;
    places.position.assign(turns.rows * turns.length, kNone);
    places.error.assign(places.position.size(), kUnknown);
    const PlacesOfRow of_row{turns, omega, omega_error, stated, noise, slow_first(omega), places};
    std::mutex mutex;
    constexpr Index kRows = 16;
    for (Index first = 0; first < turns.rows; first += kRows) {
        // Where rows have no position, this is not their spectrum, and no other row is worth a
        // search.
        const bool searching = places.unexplained == 0;
        const Index count = std::min(kRows, turns.rows - first);
        parallel_for(count, 1, default_threads(), [&](Index begin, Index end) {
            Index unexplained = 0;
            double worst = 0.0;
            for (Index row = begin; row < end; ++row) {
                unexplained += of_row.find(first + row, searching, worst);
            }
            const std::scoped_lock lock(mutex);
            places.unexplained += unexplained;
            places.worst_rad = std::max(places.worst_rad, worst);
        });
    }
    return places;
}

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
    const bool whole = std::ranges::all_of(moved, [&](Index at) { return ids.whole(at); });
    if (moved.empty() || (!whole && !ids.by_slot())) {
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
