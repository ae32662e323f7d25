// Fits an exponential to the lengths of each pair over the positions.
#include <algorithm>
#include <cmath>

#include "core/diagnosis/table_precision.h"

namespace ropescope::diagnosis {
namespace {

/// Logarithms of the gain of one pair.
struct Lengths {
    std::vector<double> position, log_gain, error;
};

Lengths lengths_of(const Turns& turns, std::span<const double> positions, const AngleNoise& noise,
                   Index pair) {
    Lengths lengths;
    for (Index token = 0; token < turns.rows * turns.length; ++token) {
        const std::size_t at = token * turns.pairs + pair;
        if (turns.error_rad[at] < 0.25F && turns.gain[at] > 0.0F) {
            lengths.position.push_back(positions[token]);
            lengths.log_gain.push_back(std::log(double{turns.gain[at]}));
            // Twice the error of the angle, as for a uniform gain, and a power that is formed in
            // fp32.
            lengths.error.push_back(2.0 * (turns.error_rad[at] + noise.table_rad) + 0x1p-19);
        }
    }
    return lengths;
}

}  // namespace

std::optional<Stretch> measure_stretch(const Turns& turns, std::span<const double> positions,
                                       const AngleNoise& noise) {
    Stretch stretch;
    for (Index pair = 0; pair < turns.pairs; ++pair) {
        const Lengths lengths = lengths_of(turns, positions, noise, pair);
        const double n = static_cast<double>(lengths.position.size());
        double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0, error = 0.0, reach = 0.0;
        for (std::size_t i = 0; i < lengths.position.size(); ++i) {
            const double x = lengths.position[i], y = lengths.log_gain[i];
            sx += x;
            sy += y;
            sxx += x * x;
            sxy += x * y;
            error = std::max(error, lengths.error[i]);
            reach = std::max(reach, std::abs(x - lengths.position.front()));
        }
        const double det = n * sxx - sx * sx;
        if (n < 4.0 || !(det > 0.0)) {
            return std::nullopt;
        }
        const double slope = (n * sxy - sx * sy) / det, start = (sy - slope * sx) / n;
        for (std::size_t i = 0; i < lengths.position.size(); ++i) {
            const double off = lengths.log_gain[i] - start - slope * lengths.position[i];
            if (std::abs(off) > 2.0 * lengths.error[i]) {
                return std::nullopt;
            }
        }
        // Errors of at most `error` at every token turn a line by at most 3 error / reach.
        const double slope_error = 3.0 * error / reach;
        stretch.slope.push_back(slope);
        stretch.start.push_back(start);
        stretch.slope_error.push_back(slope_error);
        stretch.start_error.push_back(
            2.0 * error +
            slope_error * std::abs(std::ranges::max(lengths.position, {},
                                                    [](double x) { return std::abs(x); })));
    }
    return stretch;
}

}  // namespace ropescope::diagnosis
