// Linear equations for the speeds of a pair, with the whole turns settled from near to far.
#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <numbers>

#include "core/diagnosis/hypotheses/axis_map.h"

namespace ropescope::diagnosis {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

std::vector<double> numbers_of(const Vector& x) {
    return {x.begin(), x.end()};
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
                    position[a] = angles.position(a, place);
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
            between.push_back({b.distance - a.distance, wrapped(b.turned_rad - a.turned_rad),
                               a.error_rad + b.error_rad});
        };
        std::vector<Equation> order = tokens_;
        for (Index axis = 0; axis <= angles_.axes(); ++axis) {
            for (std::size_t i = 1; i < order.size(); ++i) {
                add(order[i - 1], order[i]);
            }
            if (axis < angles_.axes()) {
                std::ranges::stable_sort(order, {}, [&](const Equation& token) {
                    std::vector<double> key = numbers_of(token.distance);
                    std::rotate(key.begin() + axis, key.begin() + axis + 1, key.end());
                    return key;  // the axis itself counts last
                });
            }
        }
        from_origin = tokens_;
        const auto length2 = [](const Equation& step) { return step.distance.squaredNorm(); };
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
            for (const Vector& direction : directions_) {
                rest -= rest.dot(direction) * direction;
            }
            if (rest.squaredNorm() > 1e-12 * step.distance.squaredNorm() &&
                rest.squaredNorm() > 0.0) {
                directions_.push_back(rest.normalized());
                steps_.push_back(step);
            }
            if (std::ssize(directions_) == step.distance.size()) {
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
        Vector y(std::ssize(directions_));
        for (Index d = 0; d < y.size(); ++d) {
            y[d] = x.dot(directions_[d]);
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
            return std::sqrt(count * std::max(0.0, distance.dot(spread * distance)));
        }
    };
    /// `chosen` equations, or all if it is empty; `errors` in place of their own, if there are any.
    static std::optional<Solution> fit(std::span<const Equation> equations,
                                       std::span<const std::size_t> chosen,
                                       std::span<const double> errors, const Vector& speed) {
        const Index size = equations.front().distance.size();
        const std::size_t count = chosen.empty() ? equations.size() : chosen.size();
        Matrix normal = Matrix::Zero(size, size);
        Vector right = Vector::Zero(size);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t index = chosen.empty() ? k : chosen[k];
            const Equation& each = equations[index];
            double turned = each.turned_rad;
            if (speed.size() > 0) {
                const double expected = speed.dot(each.distance);
                turned = expected + wrapped(each.turned_rad - expected);
            }
            const double error = errors.empty() ? each.error_rad : errors[index];
            const double weight = 1.0 / (error * error);
            right += weight * turned * each.distance;
            normal += weight * each.distance * each.distance.transpose();
        }
        const Eigen::FullPivLU<Matrix> solver(normal);
        if (!solver.isInvertible()) {
            return std::nullopt;
        }
        const Matrix spread = solver.inverse();
        return Solution{spread * right, spread, static_cast<double>(count)};
    }

    /// The errors that the angles of all tokens have at this speed.
    std::vector<double> errors_at(const Vector& speed) const {
        const Vector omega = by_axes(speed);
        std::vector<double> errors;
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
        Vector y = Vector::Zero(angles_.axes());
        for (std::size_t d = 0; d < directions_.size(); ++d) {
            y += x[static_cast<Index>(d)] * directions_[d];
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
            const std::vector<double> errors = errors_at(found->speed);
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
            wrapped(tokens_[token].turned_rad - solution.speed.dot(tokens_[token].distance)));
    }

    std::optional<MixedSpeeds> explaining_all(const Solution& solution) const {
        const std::vector<double> errors = errors_at(solution.speed);
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (off(solution, i) > errors[i] + solution.bound(tokens_[i].distance)) {
                return std::nullopt;
            }
        }
        MixedSpeeds speeds{numbers_of(by_axes(solution.speed)), {}};
        for (Index a = 0; a < angles_.axes(); ++a) {
            const Vector unit = Vector::Unit(angles_.axes(), a);
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
