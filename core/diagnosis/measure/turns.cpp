// Fits a rotation and a gain to each pair at each token.
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

/// Writes what the sums of `heads` heads say; returns the misfit of the worst pair in `misfit`.
void fit_rotation(const Sums& sums, const FloatFormat& format, Index heads, std::size_t at,
                  Turns& turns, double& misfit) {
    const double length = std::hypot(sums.dot, sums.cross);
    const double rounding = kRotationUnits * format.unit;
    // Numbers near the smallest of the format lose a constant, not a share.
    const double floor = 2.0 * format.smallest * std::sqrt(2.0 * to_double(heads));
    if (!(sums.before > 0.0) || !(length > 0.0)) {
        turns.angle_rad[at] = 0.0;
        turns.gain[at] = sums.before > 0.0 ? 0.0F : std::numeric_limits<float>::quiet_NaN();
        turns.error_rad[at] = std::numeric_limits<float>::infinity();
        return;
    }
    turns.angle_rad[at] = std::atan2(sums.cross, sums.dot);
    turns.gain[at] = to_float(length / sums.before);
    const double error = rounding + floor / std::sqrt(sums.before);
    turns.error_rad[at] = error < 1.0 ? to_float(error) : std::numeric_limits<float>::infinity();
    // What is left is orthogonal to the fit; of numbers that sum to `after`, it is known to about
    // heads * 2^-52 of that.
    const double left = std::max(0.0, sums.after - length * length / sums.before);
    const double allowed = (error * error + to_double(heads) * 0x1p-50) * sums.after;
    if (allowed > 0.0) {
        misfit = std::max(misfit, std::sqrt(left / allowed));
    }
}

}  // namespace

double wrapped(double angle_rad) {
    constexpr double kTurn = 2.0 * std::numbers::pi;
    return angle_rad - kTurn * std::rint(angle_rad / kTurn);
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
                .gain = {},
                .misfit = std::vector<double>(pairing.pairs.size())};
    const std::size_t size = turns.rows * turns.length * turns.pairs;
    turns.angle_rad.resize(size);
    turns.error_rad.resize(size);
    turns.gain.resize(size);
    std::mutex mutex;
    parallel_for(turns.rows * turns.length, 8, default_threads(), [&](Index begin, Index end) {
        std::vector<double> x(before.channels), y(before.channels), misfit(turns.misfit.size());
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
                fit_rotation(sums[p], format, summed, turns.at(row, l, 0) + p, turns, misfit[p]);
            }
        }
        const std::scoped_lock lock(mutex);
        for (std::size_t p = 0; p < misfit.size(); ++p) {
            turns.misfit[p] = std::max(turns.misfit[p], misfit[p]);
        }
    });
    return turns;
}

}  // namespace ropescope::diagnosis
