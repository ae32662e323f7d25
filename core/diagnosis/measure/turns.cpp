// Fits a rotation and a gain to each pair at each token, and says how exact the table of cosines
// and sines is and how lengths change: by a factor, or with positions.
#include "core/diagnosis/measure/turns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>

#include "core/base/parallel.h"

namespace ropescope::diagnosis {
namespace {

/// Sums over the heads of one pair: dot and cross products, and squares.
struct Sums {
    double dot = 0.0, cross = 0.0, before = 0.0, after = 0.0;
};

void add_row(const Pairing& pairing, const std::vector<double>& x, const std::vector<double>& y,
             std::vector<Sums>& sums) {
    for (std::size_t p = 0; p < sums.size(); ++p) {
        const double xa = x[pairing.pairs[p].first], xb = x[pairing.pairs[p].second];
        const double ya = y[pairing.rotated[p].first], yb = y[pairing.rotated[p].second];
        sums[p].dot += xa * ya + xb * yb;
        sums[p].cross += xa * yb - xb * ya;
        sums[p].before += xa * xa + xb * xb;
        sums[p].after += ya * ya + yb * yb;
    }
}

/// Writes what the sums of `heads` heads say; returns how far these are from one rotation.
double fit_rotation(const Sums& sums, const FloatFormat& format, Index heads, std::size_t at,
                    Turns& turns) {
    const double length = std::hypot(sums.dot, sums.cross);
    const double rounding = kRotationUnits * format.unit;
    // Numbers near the smallest of the format lose a constant, not a share.
    const double floor = 2.0 * format.smallest * std::sqrt(2.0 * to_double(heads));
    if (!(sums.before > 0.0) || !(length > 0.0)) {
        turns.angle_rad[at] = 0.0;
        turns.gain[at] = sums.before > 0.0 ? 0.0F : std::numeric_limits<float>::quiet_NaN();
        turns.error_rad[at] = std::numeric_limits<float>::infinity();
        return 0.0;
    }
    turns.angle_rad[at] = std::atan2(sums.cross, sums.dot);
    turns.gain[at] = to_float(length / sums.before);
    const double error = rounding + floor / std::sqrt(sums.before);
    turns.error_rad[at] = error < 1.0 ? to_float(error) : std::numeric_limits<float>::infinity();
    // What is left is orthogonal to the fit; of numbers that sum to `after`, it is known to about
    // heads * 2^-52 of that.
    const double left = std::max(0.0, sums.after - length * length / sums.before);
    const double allowed = (error * error + to_double(heads) * 0x1p-50) * sums.after;
    return allowed > 0.0 ? std::sqrt(left / allowed) : 0.0;
}

/// The smaller token of two, of which -1 is none.
Index earlier(Index a, Index b) {
    return a < 0 || b < 0 ? std::max(a, b) : std::min(a, b);
}

/// Entries at even steps, at most `most` of them.
template <typename Visit>
void visit_entries(const Turns& turns, Index most, Visit visit) {
    const Index size = std::ssize(turns.angle_rad);
    // An odd step visits all pairs in turn, as the number of pairs is rarely a multiple of it.
    const Index step = std::max<Index>(1, size / most) | 1;
    for (Index at = 0; at < size; at += step) {
        visit(at);
    }
}

bool is_of(Dtype dtype, double value, double error) {
    return std::abs(round_to(dtype, value) - value) <= error;
}

/// The factor on the pairs of one token: their mean, if they agree and at least two tell.
std::optional<double> gain_of_token(const Turns& turns, const AngleNoise& noise, Index token) {
    double sum = 0.0;
    Index told = 0;
    const auto visit = [&](auto look) {
        for (Index p = 0; p < turns.pairs; ++p) {
            const std::size_t at = token * turns.pairs + p;
            if (turns.error_rad[at] < 0.25F) {
                look(double{turns.gain[at]}, turns.error_rad[at] + noise.table_rad + 0x1p-22);
            }
        }
    };
    visit([&](double gain, double) {
        sum += gain;
        ++told;
    });
    if (told < 2) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const double mean = sum / to_double(told);
    bool alike = true;
    visit([&](double gain, double error) {
        alike = alike && std::abs(gain / mean - 1.0) <= 4.0 * error;
    });
    return alike ? std::optional(mean) : std::nullopt;
}

std::vector<double> gains_by_token(const Turns& turns, const AngleNoise& noise) {
    std::vector<double> gains;
    bool any = false;
    for (Index token = 0; token < turns.rows * turns.length; ++token) {
        const std::optional<double> gain = gain_of_token(turns, noise, token);
        if (!gain) {
            return {};
        }
        any = any || !std::isnan(*gain);
        gains.push_back(*gain);
    }
    return any ? gains : std::vector<double>();
}

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

double wrapped(double angle_rad) {
    constexpr double kWholeTurn = 2.0 * std::numbers::pi;
    return angle_rad - kWholeTurn * std::rint(angle_rad / kWholeTurn);
}

Turns recover_turns(const DumpSide& side, const Pairing& pairing, const FloatFormat& format,
                    Heads heads) {
    const DumpTensor& before = side.before;
    const Index folded = heads == Heads::together ? 1 : before.heads;
    const Index summed = before.heads / folded;
    Turns turns{.rows = before.batch * folded,
                .length = before.length,
                .pairs = std::ssize(pairing.pairs),
                .summed_heads = summed,
                .angle_rad = {},
                .error_rad = {},
                .gain = {}};
    const std::size_t size = turns.rows * turns.length * turns.pairs;
    turns.angle_rad.resize(size);
    turns.error_rad.resize(size);
    turns.gain.resize(size);
    constexpr double kTorn = 2.0;  // of what rounding allows
    std::mutex mutex;
    parallel_for(turns.rows * turns.length, 8, default_threads(), [&](Index begin, Index end) {
        std::vector<double> x(before.channels), y(before.channels);
        Index torn = -1;
        for (Index token = begin; token < end; ++token) {
            const Index row = token / turns.length, l = token % turns.length;
            std::vector<Sums> sums(pairing.pairs.size());
            for (Index h = 0; h < summed; ++h) {
                const Index b = row / folded, head = folded == 1 ? h : row % folded;
                before.read(b, head, l, x);
                side.after.read(b, head, l, y);
                add_row(pairing, x, y, sums);
            }
            for (std::size_t p = 0; p < sums.size(); ++p) {
                const double off =
                    fit_rotation(sums[p], format, summed, turns.at(row, l, 0) + p, turns);
                torn = off > kTorn ? earlier(torn, l) : torn;
            }
        }
        const std::scoped_lock lock(mutex);
        turns.torn_token = earlier(turns.torn_token, torn);
    });
    return turns;
}

std::optional<Dtype> table_dtype(const Turns& turns, const FloatFormat& format) {
    if (format.dtype == Dtype::f16 || format.dtype == Dtype::bf16) {
        return std::nullopt;
    }
    Index seen = 0, f16 = 0, bf16 = 0;
    visit_entries(turns, 4096, [&](Index at) {
        const double error = turns.error_rad[at] + 0x1p-22, gain = turns.gain[at];
        if (!(error < 0x1p-16)) {
            return;
        }
        const double c = gain * std::cos(turns.angle_rad[at]);
        const double s = gain * std::sin(turns.angle_rad[at]);
        // Numbers near 0 and 1 are close to one of any format.
        if (std::abs(s) > 0.1 && std::abs(c) > 0.1) {
            ++seen;
            f16 += is_of(Dtype::f16, c, error) && is_of(Dtype::f16, s, error) ? 1 : 0;
            bf16 += is_of(Dtype::bf16, c, error) && is_of(Dtype::bf16, s, error) ? 1 : 0;
        }
    });
    constexpr Index kFewest = 4;  // a number is one of fp16 by chance once in a thousand times
    if (seen < kFewest) {
        return std::nullopt;
    }
    return bf16 == seen ? Dtype::bf16 : f16 == seen ? Dtype::f16 : Dtype::f32;
}

AngleNoise noise_of_table(std::optional<Dtype> table) {
    AngleNoise noise;
    // Half a unit in the last place of cos and of sin together turn a point by at most a unit.
    if (table && *table != Dtype::f32) {
        noise.table_rad = format_of(*table).unit;
    }
    return noise;
}

Gain measure_gain(const Turns& turns, const AngleNoise& noise, const FloatFormat& format) {
    std::vector<double> gains;
    visit_entries(turns, 4096, [&](Index at) {
        if (turns.error_rad[at] < 0.25F) {
            gains.push_back(turns.gain[at]);
        }
    });
    Gain gain;
    if (gains.empty()) {
        return gain;
    }
    std::ranges::nth_element(gains, gains.begin() + std::ssize(gains) / 2);
    gain.value = gains[gains.size() / 2];
    for (Index token = 0; token < turns.rows * turns.length; ++token) {
        bool zero = true;
        for (Index p = 0; p < turns.pairs; ++p) {
            const std::size_t at = token * turns.pairs + p;
            zero = zero && turns.gain[at] == 0.0F;
            if (turns.error_rad[at] < 1.0F) {
                // A gain is held in fp32.
                const double allowed = turns.error_rad[at] + noise.table_rad + 0x1p-22;
                const double beyond = std::abs(turns.gain[at] / gain.value - 1.0) - 2.0 * allowed;
                gain.uniform = gain.uniform && beyond <= 0.0;
                gain.uneven = std::max(gain.uneven, beyond);
            }
        }
        if (zero && turns.pairs > 0) {
            gain.zero_at.push_back(token);
        }
    }
    if (!gain.uniform && gain.zero_at.empty()) {
        gain.by_token = gains_by_token(turns, noise);
    }
    const double rounding = kRotationUnits * format.unit + noise.table_rad + 0x1p-20;
    gain.value = std::abs(gain.value - 1.0) <= rounding ? 1.0 : gain.value;
    return gain;
}

bool Stretch::changes() const {
    for (std::size_t p = 0; p < slope.size(); ++p) {
        if (std::abs(slope[p]) > slope_error[p]) {
            return true;
        }
    }
    return false;
}

bool Stretch::falls() const {
    const auto all_fall = [](std::span<const double> sizes, std::span<const double> errors) {
        double most = std::numeric_limits<double>::infinity();
        for (std::size_t p = 0; p < sizes.size(); ++p) {
            if (std::abs(sizes[p]) - errors[p] > most) {
                return false;
            }
            most = std::min(most, std::abs(sizes[p]) + errors[p]);
        }
        return true;
    };
    return all_fall(start, start_error) && all_fall(slope, slope_error);
}

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
