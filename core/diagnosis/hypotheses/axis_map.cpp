// Tries each axis for each pair: the right one explains the angles of all tokens.
#include "core/diagnosis/hypotheses/axis_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/rope/spectrum.h"

namespace ropescope::diagnosis {
namespace {

/// Two tokens that stand `distance` apart on one axis, and on the others together or as far apart.
struct Step {
    TokenPlace from, to;
    double distance = 0.0;
};

class Recovery {
  public:
    explicit Recovery(const AxisAngles& angles) : angles_(angles) {}

    AxisMap map() const {
        AxisMap map{.axes = angles_.axes()};
        for (Index p = 0; p < angles_.pairs(); ++p) {
            map.axis.push_back(kNoAxis);
            map.omega.push_back(0.0);
            map.error.push_back(std::numeric_limits<double>::infinity());
        }
        for (Index a = 0; a < angles_.axes(); ++a) {
            const std::vector<Step> steps = shortest_steps(a);
            for (Index p = 0; p < angles_.pairs(); ++p) {
                try_axis(p, a, steps, 0, map);
            }
        }
        // Speeds above half a turn a step, as pixel frequencies have, look like slower ones. Where
        // the steps are those of a grid around 0, one turn more or less tells which.
        for (const int more : {1, -1}) {
            AxisMap faster = map;
            for (Index a = 0; a < angles_.axes(); ++a) {
                const std::vector<Step> steps = shortest_steps(a);
                for (Index p = 0; p < angles_.pairs(); ++p) {
                    if (map.axis[p] == kNoAxis) {
                        try_axis(p, a, steps, more, faster);
                    }
                }
            }
            map = std::move(faster);
        }
        return map;
    }

  private:
    double position(Index axis, const TokenPlace& place) const {
        return angles_.position(axis, place);
    }
    double angle(const TokenPlace& place, Index pair) const {
        return angles_.angle_rad(place, pair);
    }
    double error(const TokenPlace& place, Index pair, double angle_rad) const {
        return angles_.error_rad(place, pair, angle_rad);
    }

    /// Neighbours of all kinds: in the order of the sequence, and in that of each axis.
    std::vector<Step> shortest_steps(Index axis) const {
        std::vector<Step> steps;
        const auto add = [&](const TokenPlace& a, const TokenPlace& b) {
            const double distance = position(axis, b) - position(axis, a);
            bool pure = true, together = true;
            for (Index other = 0; other < angles_.axes(); ++other) {
                const double moved = position(other, b) - position(other, a);
                pure = pure && (other == axis || moved == 0.0);
                together = together && moved == distance;
            }
            if (distance != 0.0 && (pure || together)) {
                steps.push_back({a, b, distance});
            }
        };
        std::vector<TokenPlace> order(angles_.places().begin(), angles_.places().end());
        for (std::size_t i = 1; i < order.size(); ++i) {
            add(order[i - 1], order[i]);
        }
        std::ranges::stable_sort(order, [&](const TokenPlace& a, const TokenPlace& b) {
            for (Index other = 0; other < angles_.axes(); ++other) {
                if (other != axis && position(other, a) != position(other, b)) {
                    return position(other, a) < position(other, b);
                }
            }
            return position(axis, a) < position(axis, b);
        });
        for (std::size_t i = 1; i < order.size(); ++i) {
            add(order[i - 1], order[i]);
        }
        std::ranges::stable_sort(steps, {}, [](const Step& s) { return std::abs(s.distance); });
        constexpr std::size_t kMost = 6;
        steps.resize(std::min(steps.size(), kMost));
        return steps;
    }

    /// Improves the speed over ever larger positions. False if a token contradicts.
    bool refined(Index pair, Index axis, double& omega, double& error_of_omega) const {
        std::vector<TokenPlace> order(angles_.places().begin(), angles_.places().end());
        std::ranges::sort(order, {},
                          [&](const TokenPlace& place) { return std::abs(position(axis, place)); });
        double sum = 0.0, weight = 0.0, worst = 0.0, reach = 0.0, next = 0.0;
        for (const TokenPlace& place : order) {
            const double x = position(axis, place);
            const double allowed = error(place, pair, angles_.formed_rad(axis, x, omega));
            if (!(allowed < 1.0)) {
                continue;
            }
            if (error_of_omega * std::abs(x) + allowed > std::numbers::pi / 2.0) {
                return false;  // whole turns are in doubt
            }
            const double off = wrapped(angle(place, pair) - omega * x);
            if (std::abs(off) > allowed + error_of_omega * std::abs(x)) {
                return false;
            }
            sum += x * (off + omega * x);
            weight += x * x;
            worst = std::max(worst, allowed);
            reach = std::max(reach, std::abs(x));
            if (reach >= next && weight > 0.0) {  // a line through the origin
                omega = sum / weight;
                // The token farthest away alone leaves worst / reach; others only help.
                error_of_omega = std::min(error_of_omega, 2.0 * worst / reach);
                next = 1.5 * reach;
            }
        }
        if (weight > 0.0) {
            omega = sum / weight;
        }
        return std::ranges::all_of(order, [&](const TokenPlace& place) {
            const double x = position(axis, place);
            const double allowed = error(place, pair, angles_.formed_rad(axis, x, omega));
            return !(allowed < 1.0) || std::abs(wrapped(angle(place, pair) - omega * x)) <=
                                           allowed + error_of_omega * std::abs(x);
        });
    }

    void try_axis(Index pair, Index axis, const std::vector<Step>& steps, int more,
                  AxisMap& map) const {
        for (const Step& step : steps) {
            const double moved = wrapped(angle(step.to, pair) - angle(step.from, pair)) +
                                 2.0 * std::numbers::pi * more;
            double omega = moved / step.distance;
            double uncertain = (error(step.from, pair, moved) + error(step.to, pair, moved)) /
                               std::abs(step.distance);
            if (!(uncertain * std::abs(step.distance) < 1.0)) {
                continue;
            }
            const double at_start = omega * position(axis, step.from);
            uncertain += 2.0 * angles_.relative_error() * std::abs(at_start / step.distance);
            if (refined(pair, axis, omega, uncertain)) {
                const bool other = map.axis[pair] != kNoAxis;
                map.axis[pair] = other ? kAnyAxis : axis;
                map.omega[pair] = omega;
                map.error[pair] = uncertain;
                return;
            }
        }
    }

    const AxisAngles& angles_;
};

/// Solves for the pairs that no single axis explains.
void recover_mixed_pairs(const AxisAngles& angles, AxisMap& map) {
    map.mixed.resize(map.axis.size());
    for (Index p = 0; p < angles.pairs(); ++p) {
        if (map.axis[p] != kNoAxis) {
            continue;
        }
        if (std::optional<MixedSpeeds> speeds = recover_mixed(angles, p)) {
            map.axis[p] = kMixedAxes;
            map.omega[p] = 0.0;
            for (const double omega : speeds->omega) {
                map.omega[p] = std::hypot(map.omega[p], omega);
            }
            map.error[p] = std::ranges::max(speeds->error);
            map.mixed[p] = std::move(speeds->omega);
        }
    }
}

}  // namespace

bool AxisMap::explained() const {
    return std::ranges::none_of(axis, [](Index a) { return a == kNoAxis; });
}

bool AxisMap::has_mixed() const {
    return std::ranges::any_of(axis, [](Index a) { return a == kMixedAxes; });
}

std::vector<double> AxisMap::row(Index pair) const {
    if (axis[pair] == kMixedAxes) {
        return mixed[pair];
    }
    std::vector<double> speeds(axes);
    if (axis[pair] >= 0) {
        speeds[axis[pair]] = omega[pair];
    }
    return speeds;
}

AxisMap recover_axis_map(const Turns& turns, const DumpPositions& positions,
                         const AngleNoise& noise) {
    const AxisAngles angles(turns, positions, noise);
    AxisMap map = Recovery(angles).map();
    recover_mixed_pairs(angles, map);
    if (positions.axes == 3) {
        map.names = {"t", "h", "w"};
    } else if (positions.axes == 2) {
        map.names = {"h", "w"};
    } else {
        for (Index a = 0; a < positions.axes; ++a) {
            map.names.push_back("axis " + std::to_string(a));
        }
    }
    return map;
}

bool explains(const AxisMap& map, const Turns& turns, const DumpPositions& positions,
              const AngleNoise& noise) {
    const AxisAngles angles(turns, positions, noise);
    std::vector<double> position(map.axes);
    for (Index p = 0; p < turns.pairs; ++p) {
        const std::vector<double> omega = map.row(p);
        for (const TokenPlace& place : angles.places()) {
            double formed = 0.0;
            for (Index a = 0; a < map.axes; ++a) {
                position[a] = angles.position(a, place);
                formed += angles.formed_rad(a, position[a], omega[a]);
            }
            const double allowed = angles.error_rad(place, p, formed);
            const double expected = reduced_angle_sum_rad(position, omega);
            if (allowed < 1.0 &&
                std::abs(wrapped(angles.angle_rad(place, p) - expected)) > allowed) {
                return false;
            }
        }
    }
    return true;
}

bool axes_agree(const DumpPositions& positions) {
    for (Index a = 1; a < positions.axes; ++a) {
        for (Index b = 0; b < positions.batch; ++b) {
            for (Index l = 0; l < positions.length; ++l) {
                if (positions.at(a, b, l) != positions.at(0, b, l)) {
                    return false;
                }
            }
        }
    }
    return true;
}

}  // namespace ropescope::diagnosis
