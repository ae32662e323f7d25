// Takes the difference of neighbouring tokens first, which leaves no doubt about whole turns, and
// then ever larger distances, which make it exact.
#include "core/diagnosis/measure/speeds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ropescope::diagnosis {
namespace {

/// From one token to the next in one row.
struct Transition {
    Index token = 0;
    double distance = 0.0;  ///< in positions, above 0: the angles are turned round otherwise
    bool still = true;      ///< no pair moves by more than its error
};

class Run {
  public:
    /// Tokens may stand as far as `hidden_offset` from where they are stated.
    Run(const Turns& turns, std::span<const double> positions, const AngleNoise& noise, Index row,
        double hidden_offset)
        : turns_(turns),
          positions_(positions),
          noise_(noise),
          row_(row),
          hidden_offset_(hidden_offset) {}

    double position(Index token) const { return positions_[row_ * turns_.length + token]; }
    double angle(Index token, Index pair) const {
        return turns_.angle_rad[turns_.at(row_, token, pair)];
    }
    double error(Index token, Index pair, double speed) const {
        return turns_.error_rad[turns_.at(row_, token, pair)] + noise_.table_rad +
               noise_.relative * std::abs(speed) *
                   std::max(std::abs(position(token)), hidden_offset_);
    }
    /// How far pair i moves in the transition, and the bound of its error.
    double moved(const Transition& step, Index pair) const {
        const double forward = wrapped(angle(step.token + 1, pair) - angle(step.token, pair));
        return position(step.token + 1) > position(step.token) ? forward : -forward;
    }
    double moved_error(const Transition& step, Index pair) const {
        const double speed = moved(step, pair) / step.distance;
        return error(step.token, pair, speed) + error(step.token + 1, pair, speed);
    }

    std::vector<Transition> transitions(Index from) const {
        std::vector<Transition> all;
        for (Index t = from; t + 1 < turns_.length; ++t) {
            Transition step{t, std::abs(position(t + 1) - position(t)), true};
            if (step.distance == 0.0) {
                continue;
            }
            for (Index p = 0; p < turns_.pairs && step.still; ++p) {
                step.still = !(std::abs(moved(step, p)) > moved_error(step, p));
            }
            all.push_back(step);
        }
        return all;
    }

    /// Whether nine of ten pairs move as the speeds say. False if the distance leaves whole turns
    /// of all pairs in doubt.
    bool agrees(const Transition& step, const Speeds& speeds) const {
        Index informative = 0, agreeing = 0;
        for (Index p = 0; p < turns_.pairs; ++p) {
            const double allowed = moved_error(step, p) + speeds.error[p] * step.distance;
            if (allowed < std::numbers::pi / 2.0) {
                ++informative;
                const double off = wrapped(moved(step, p) - speeds.omega[p] * step.distance);
                agreeing += std::abs(off) <= allowed ? 1 : 0;
            }
        }
        return informative > 0 && 10 * agreeing >= 9 * informative;
    }

  private:
    const Turns& turns_;
    std::span<const double> positions_;
    AngleNoise noise_;
    Index row_;
    double hidden_offset_;
};

/// The speeds that one transition alone shows.
Speeds speeds_of(const Run& run, const Transition& step, Index pairs) {
    Speeds speeds{.omega = std::vector<double>(pairs),
                  .error = std::vector<double>(pairs),
                  .step = step.distance};
    for (Index p = 0; p < pairs; ++p) {
        speeds.omega[p] = run.moved(step, p) / step.distance;
        speeds.error[p] = run.moved_error(step, p) / step.distance;
    }
    return speeds;
}

/// The speeds that most of the shortest transitions share.
Speeds most_common(const Run& run, const std::vector<Transition>& all, Index pairs) {
    std::vector<Transition> shortest;
    double step = std::numeric_limits<double>::infinity();
    for (const Transition& each : all) {
        step = each.still ? step : std::min(step, each.distance);
    }
    std::ranges::copy_if(all, std::back_inserter(shortest), [&](const Transition& each) {
        return !each.still && each.distance <= step * (1.0 + 1e-9);
    });
    Speeds best;
    Index most = 0;
    constexpr Index kCentres = 16, kVoters = 256;
    const Index count = std::ssize(shortest);
    for (Index c = 0; c < std::min(count, kCentres); ++c) {
        const Speeds speeds =
            speeds_of(run, shortest[c * count / std::min(count, kCentres)], pairs);
        Index votes = 0;
        for (Index v = 0; v < std::min(count, kVoters); ++v) {
            votes += run.agrees(shortest[v * count / std::min(count, kVoters)], speeds) ? 1 : 0;
        }
        if (votes > most) {
            most = votes;
            best = speeds;
        }
    }
    return best;
}

/// The longest run of transitions that agree with the speeds.
void find_run(const Run& run, const std::vector<Transition>& all, Speeds& speeds) {
    Index first = 0, last = -1;
    for (const Transition& step : all) {
        if (step.token != last || !run.agrees(step, speeds)) {
            first = step.token;
            last = run.agrees(step, speeds) ? step.token + 1 : -1;
        } else {
            last = step.token + 1;
        }
        if (last - first + 1 > speeds.count && last >= 0) {
            speeds.first = first;
            speeds.count = last - first + 1;
        }
    }
}

struct SpeedLine {
    double slope = 0.0, worst = 0.0;
};

/// Least squares of what the angles add to `speed`, over the tokens of the run within `reach`
/// positions of its first token.
SpeedLine line_through(const Run& run, const Speeds& speeds, Index pair, double reach) {
    const double start = run.position(speeds.first);
    constexpr Index kMost = 256;
    std::vector<double> x, y;
    const Index count = speeds.count;
    const double speed = speeds.omega[pair];
    Index within = 0;
    while (within < count && std::abs(run.position(speeds.first + within) - start) <= reach) {
        ++within;
    }
    for (Index k = 0; k < std::min(within, kMost); ++k) {
        const Index token = speeds.first + (within <= kMost ? k : k * (within - 1) / (kMost - 1));
        if (run.error(token, pair, speed) < 1.0) {
            x.push_back(run.position(token) - start);
            y.push_back(run.angle(token, pair) - speed * x.back());
        }
    }
    const double origin = y.empty() ? 0.0 : y[0];
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        y[i] = i == 0 ? 0.0 : wrapped(y[i] - origin);
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        sxy += x[i] * y[i];
    }
    const double n = static_cast<double>(x.size()), det = n * sxx - sx * sx;
    if (!(det > 0.0)) {
        return {0.0, 0.0};
    }
    SpeedLine line{(n * sxy - sx * sy) / det, 0.0};
    const double intercept = (sy - line.slope * sx) / n;
    for (std::size_t i = 0; i < x.size(); ++i) {
        line.worst = std::max(line.worst, std::abs(y[i] - intercept - line.slope * x[i]));
    }
    return line;
}

/// Follows the angles of one pair to twice the distance again and again.
void refine(const Run& run, Index pair, Speeds& speeds) {
    const double start = run.position(speeds.first);
    double span = 0.0, error = 0.0;
    for (Index t = speeds.first; t < speeds.first + speeds.count; ++t) {
        span = std::max(span, std::abs(run.position(t) - start));
        const double each = run.error(t, pair, speeds.omega[pair]);
        error = std::max(error, each < 1.0 ? each : 0.0);
    }
    for (double reach = 2.0 * speeds.step; reach < 2.0 * span; reach *= 2.0) {
        const double within = std::min(reach, span);
        // Twice the distance turns twice as far off; beyond a quarter turn it would be a guess.
        if (speeds.error[pair] * within > std::numbers::pi / 2.0) {
            return;
        }
        const SpeedLine line = line_through(run, speeds, pair, within);
        if (line.worst > std::numbers::pi / 2.0) {
            return;
        }
        speeds.omega[pair] += line.slope;
        // Errors of at most `error` at every token turn a line by at most 3 error / span. If the
        // tokens stand far from their stated positions, the rounding of their angles is larger than
        // `error` knows, and the line shows it.
        speeds.error[pair] = 3.0 * std::max(error, 2.0 * line.worst) / within;
    }
}

}  // namespace

namespace {

/// Measures in the row that has the longest run.
Speeds speeds_of_rows(const Turns& turns, std::span<const double> positions,
                      const AngleNoise& noise, Index from, double hidden_offset) {
    Speeds best;
    constexpr Index kMostRows = 16;
    for (Index row = 0; row < std::min(turns.rows, kMostRows); ++row) {
        const Run run(turns, positions, noise, row, hidden_offset);
        const std::vector<Transition> all = run.transitions(from);
        Speeds speeds = most_common(run, all, turns.pairs);
        if (!speeds.known()) {
            continue;
        }
        speeds.row = row;
        find_run(run, all, speeds);
        const double a = run.position(speeds.first);
        const double b = run.position(speeds.first + speeds.count - 1);
        speeds.lever = 3.0 * std::max(std::abs(a), std::abs(b)) / std::max(std::abs(b - a), 1e-9);
        if (speeds.count > best.count) {
            best = speeds;
        }
        if (2 * best.count > turns.length - from) {
            break;
        }
    }
    if (best.known()) {
        const Run run(turns, positions, noise, best.row, hidden_offset);
        for (Index p = 0; p < turns.pairs; ++p) {
            refine(run, p, best);
        }
    }
    return best;
}

}  // namespace

Speeds recover_speeds(const Turns& turns, std::span<const double> positions,
                      const AngleNoise& noise, Index from) {
    const Speeds stated = speeds_of_rows(turns, positions, noise, from, 0.0);
    if (!stated.known() || 2 * stated.count > turns.length - from) {
        return stated;
    }
    // No run has most of the tokens. If all stand far from where they are stated, as those of a
    // decoding step whose offset the dump leaves out, their angles are rounded more coarsely.
    constexpr double kHiddenOffset = 4096.0;
    Speeds offset = speeds_of_rows(turns, positions, noise, from, kHiddenOffset);
    return offset.count == turns.length - from ? offset : stated;
}

}  // namespace ropescope::diagnosis
