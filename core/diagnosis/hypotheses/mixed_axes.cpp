// Linear equations for the speeds of a pair, with the whole turns settled from near to far.
#include <algorithm>
#include <limits>
#include <numbers>

#include "core/diagnosis/hypotheses/axis_map.h"

namespace ropescope::diagnosis {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// A symmetric matrix of few rows, [size, size].
struct Matrix {
    std::size_t size = 0;
    Vector values = {};

    double& at(std::size_t i, std::size_t j) { return values[i * size + j]; }
    double at(std::size_t i, std::size_t j) const { return values[i * size + j]; }

    Vector times(const Vector& x) const {
        Vector y(size);
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) {
                y[i] += at(i, j) * x[j];
            }
        }
        return y;
    }
};

/// The inverse of a positive definite matrix by elimination; empty if a pivot vanishes.
std::optional<Matrix> inverse(Matrix a) {
    Matrix b{a.size, Vector(a.values.size())};
    for (std::size_t i = 0; i < a.size; ++i) {
        b.at(i, i) = 1.0;
    }
    for (std::size_t k = 0; k < a.size; ++k) {
        const double pivot = a.at(k, k);
        if (!(pivot > 0.0)) {
            return std::nullopt;
        }
        for (std::size_t j = 0; j < a.size; ++j) {
            a.at(k, j) /= pivot;
            b.at(k, j) /= pivot;
        }
        for (std::size_t i = 0; i < a.size; ++i) {
            const double factor = a.at(i, k);
            for (std::size_t j = 0; i != k && j < a.size; ++j) {
                a.at(i, j) -= factor * a.at(k, j);
                b.at(i, j) -= factor * b.at(k, j);
            }
        }
    }
    return b;
}

/// How far the pair turns over a distance, and the bound of that.
struct Equation {
    Vector distance;
    double turned_rad = 0.0, error_rad = 0.0;
};

class PairSolver {
  public:
    PairSolver(const AxisAngles& angles, Index pair) : angles_(angles) {
        for (const TokenPlace& place : angles.places()) {
            const double error = angles.error_rad(place, pair, 0.0);
            if (error < 1.0) {
                Vector position(angles.axes());
                for (Index a = 0; a < angles.axes(); ++a) {
                    position[static_cast<std::size_t>(a)] = angles.position(a, place);
                }
                tokens_.push_back({position, angles.angle_rad(place, pair), error});
                positions_.push_back(std::move(position));
            }
        }
    }

    std::optional<MixedSpeeds> solved() {
        choose_steps();
        if (steps_.empty()) {
            return std::nullopt;
        }
        // Steps are taken as less than half a turn first; then one or two of them as a turn more.
        std::vector<int> turns(steps_.size(), 0);
        if (std::optional<MixedSpeeds> found = with_turns(turns)) {
            return found;
        }
        for (std::size_t i = 0; i < turns.size(); ++i) {
            for (const int more : {1, -1, 2, -2}) {
                turns[i] = more;
                if (std::optional<MixedSpeeds> found = with_turns(turns)) {
                    return found;
                }
            }
            turns[i] = 0;
        }
        return std::nullopt;
    }

  private:
    /// Distances between neighbours in the order of the tokens and in that of each axis, and from
    /// the origin, where every angle is zero.
    std::vector<Equation> possible_steps() const {
        std::vector<Equation> between, from_origin;
        const auto add = [&](const Equation& a, const Equation& b) {
            Equation step{b.distance, wrapped(b.turned_rad - a.turned_rad),
                          a.error_rad + b.error_rad};
            for (std::size_t i = 0; i < step.distance.size(); ++i) {
                step.distance[i] -= a.distance[i];
            }
            between.push_back(std::move(step));
        };
        std::vector<Equation> order = tokens_;
        for (std::size_t axis = 0; axis <= tokens_.front().distance.size(); ++axis) {
            for (std::size_t i = 1; i < order.size(); ++i) {
                add(order[i - 1], order[i]);
            }
            if (axis < tokens_.front().distance.size()) {
                std::ranges::stable_sort(order, {}, [&](const Equation& token) {
                    Vector key = token.distance;  // the axis itself counts last
                    std::rotate(key.begin() + std::ssize(std::span(key).first(axis)),
                                key.begin() + std::ssize(std::span(key).first(axis)) + 1,
                                key.end());
                    return key;
                });
            }
        }
        for (const Equation& token : tokens_) {
            from_origin.push_back(token);
        }
        const auto length2 = [](const Equation& step) { return dot(step.distance, step.distance); };
        std::ranges::stable_sort(between, {}, length2);
        std::ranges::stable_sort(from_origin, {}, length2);
        between.insert(between.end(), from_origin.begin(), from_origin.end());
        return between;
    }

    /// The shortest steps that span all distances, and directions of unit length for them.
    void choose_steps() {
        if (tokens_.empty()) {
            return;
        }
        for (const Equation& step : possible_steps()) {
            Vector rest = step.distance;
            const double before = dot(rest, rest);
            for (const Vector& direction : directions_) {
                const double along = dot(rest, direction);
                for (std::size_t i = 0; i < rest.size(); ++i) {
                    rest[i] -= along * direction[i];
                }
            }
            const double left = dot(rest, rest);
            if (left > 1e-12 * before && left > 0.0) {
                for (double& each : rest) {
                    each /= std::sqrt(left);
                }
                directions_.push_back(std::move(rest));
                steps_.push_back(step);
            }
            if (directions_.size() == step.distance.size()) {
                break;
            }
        }
        for (Equation& token : tokens_) {
            token.distance = in_directions(token.distance);
        }
        for (Equation& step : steps_) {
            step.distance = in_directions(step.distance);
        }
    }

    Vector in_directions(const Vector& x) const {
        Vector y;
        for (const Vector& direction : directions_) {
            y.push_back(dot(x, direction));
        }
        return y;
    }

    /// Least squares over equations, whose whole turns are settled by `speed`.
    struct Solution {
        Vector speed;
        Matrix spread;  ///< inverse of the normal matrix
        double count = 0.0;
        /// Errors e at every equation move the sum over a distance by at most this (Cauchy and
        /// Schwarz on the estimator).
        double bound(const Vector& distance) const {
            return std::sqrt(count * std::max(0.0, dot(distance, spread.times(distance))));
        }
    };
    /// `chosen` equations, or all if it is empty; `errors` in place of their own, if there are any.
    static std::optional<Solution> fit(std::span<const Equation> equations,
                                       std::span<const std::size_t> chosen, const Vector& errors,
                                       const Vector& speed) {
        const std::size_t size = equations.front().distance.size();
        const std::size_t count = chosen.empty() ? equations.size() : chosen.size();
        Matrix normal{size, Vector(size * size)};
        Vector right(size);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t index = chosen.empty() ? k : chosen[k];
            const Equation& each = equations[index];
            double turned = each.turned_rad;
            if (!speed.empty()) {
                const double expected = dot(speed, each.distance);
                turned = expected + wrapped(each.turned_rad - expected);
            }
            const double error = errors.empty() ? each.error_rad : errors[index];
            const double weight = 1.0 / (error * error);
            for (std::size_t i = 0; i < size; ++i) {
                right[i] += weight * each.distance[i] * turned;
                for (std::size_t j = 0; j < size; ++j) {
                    normal.at(i, j) += weight * each.distance[i] * each.distance[j];
                }
            }
        }
        std::optional<Matrix> spread = inverse(normal);
        if (!spread) {
            return std::nullopt;
        }
        Vector found = spread->times(right);
        return Solution{std::move(found), std::move(*spread), static_cast<double>(count)};
    }

    /// The errors that the angles of all tokens have at this speed.
    Vector errors_at(const Vector& speed) const {
        const Vector omega = by_axes(speed);
        Vector errors;
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            double formed = 0.0;
            for (Index a = 0; a < angles_.axes(); ++a) {
                formed += angles_.formed_rad(a, positions_[i][a], omega[a]);
            }
            errors.push_back(tokens_[i].error_rad + angles_.relative_error() * formed);
        }
        return errors;
    }
    Vector by_axes(const Vector& x) const {
        Vector y(directions_.front().size());
        for (std::size_t d = 0; d < directions_.size(); ++d) {
            for (std::size_t a = 0; a < y.size(); ++a) {
                y[a] += x[d] * directions_[d][a];
            }
        }
        return y;
    }

    std::optional<MixedSpeeds> with_turns(const std::vector<int>& turns) const {
        std::vector<Equation> first = steps_;
        for (std::size_t i = 0; i < first.size(); ++i) {
            first[i].turned_rad += 2.0 * std::numbers::pi * turns[i];
        }
        std::optional<Solution> found = fit(first, {}, {}, {});
        std::size_t used = 0;
        while (found && used < tokens_.size()) {
            const Vector errors = errors_at(found->speed);
            std::vector<std::size_t> sure;
            for (std::size_t i = 0; i < tokens_.size(); ++i) {
                const double allowed = errors[i] + found->bound(tokens_[i].distance);
                if (allowed > std::numbers::pi / 2.0) {
                    continue;  // whole turns are in doubt
                }
                if (off(*found, i) > allowed) {
                    return std::nullopt;
                }
                sure.push_back(i);
            }
            if (sure.size() <= used || sure.size() < directions_.size()) {
                return std::nullopt;
            }
            used = sure.size();
            found = fit(tokens_, sure, errors, found->speed);
        }
        return found ? explaining_all(*found) : std::nullopt;
    }

    /// Distance of the angle of a token from the solution.
    double off(const Solution& solution, std::size_t token) const {
        return std::abs(
            wrapped(tokens_[token].turned_rad - dot(solution.speed, tokens_[token].distance)));
    }

    std::optional<MixedSpeeds> explaining_all(const Solution& solution) const {
        const Vector errors = errors_at(solution.speed);
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (off(solution, i) > errors[i] + solution.bound(tokens_[i].distance)) {
                return std::nullopt;
            }
        }
        MixedSpeeds speeds{by_axes(solution.speed), {}};
        for (std::size_t a = 0; a < speeds.omega.size(); ++a) {
            Vector unit(speeds.omega.size());
            unit[a] = 1.0;
            speeds.error.push_back(solution.bound(in_directions(unit)));
        }
        return speeds;
    }

    const AxisAngles& angles_;
    std::vector<Equation> tokens_, steps_;  ///< a token is the step to it from the origin
    std::vector<Vector> positions_;         ///< of the tokens, [axes] each
    std::vector<Vector> directions_;
};

}  // namespace

std::optional<MixedSpeeds> recover_mixed(const AxisAngles& angles, Index pair) {
    return PairSolver(angles, pair).solved();
}

}  // namespace ropescope::diagnosis
