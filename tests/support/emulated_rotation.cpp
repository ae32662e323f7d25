// Rotates number by number, each rounded as an implementation rounds it.
#include "tests/support/emulated_rotation.h"

#include <cmath>

#include "core/diagnosis/rounding.h"

namespace ropescope::test {
namespace {

using diagnosis::round_to;

struct CosSin {
    double cos = 1.0, sin = 0.0;
};

double angle_of(const EmulatedRotation& how, const TokenAt& at, Index pair) {
    if (how.angle_at) {
        return how.angle_at(at, pair);
    }
    const Index of_head = std::ssize(how.pairs) * how.axes;
    const Index head = std::ssize(how.omega) == of_head ? 0 : at.h;
    double angle = 0.0;
    for (Index a = 0; a < how.axes; ++a) {
        const double omega =
            round_to(how.inv_freq, how.omega[head * of_head + pair * how.axes + a]);
        const double stands = how.stands
                                  ? how.stands(a, at)
                                  : how.positions[(a * how.batch + at.b) * how.length + at.l];
        const double position = round_to(how.position, stands);
        angle = round_to(how.angle, angle + round_to(how.angle, position * omega));
    }
    return angle;
}

CosSin table_entry(const EmulatedRotation& how, const TokenAt& at, Index pair) {
    const double angle = how.reduced(angle_of(how, at, pair));
    CosSin entry{round_to(how.cos_sin, std::cos(angle)),
                 how.sign * round_to(how.cos_sin, std::sin(angle))};
    if (how.exchanged) {
        std::swap(entry.cos, entry.sin);
    }
    const double gain = how.gain * how.gain_at(at, pair);
    return {round_to(how.table, gain * how.cos_gain * entry.cos),
            round_to(how.table, gain * how.sin_gain * entry.sin)};
}

void turn_row(const EmulatedRotation& how, const TokenAt& at, std::span<const double> x,
              std::span<double> y) {
    const std::vector<ChannelPair>* own = how.pairs_of ? how.pairs_of(at) : nullptr;
    const std::vector<ChannelPair>& from = own != nullptr ? *own : how.pairs;
    const std::vector<ChannelPair>& to = own != nullptr ? *own : how.written;
    const auto round = [&](double value) { return round_to(how.arithmetic, value); };
    for (Index p = 0; p < std::ssize(from); ++p) {
        const CosSin first = table_entry(how, at, how.first_entry(p));
        const CosSin second = table_entry(how, at, how.second_entry(p));
        const double a = x[from[p].first], b = x[from[p].second];
        y[to[p].first] = round(round(a * first.cos) + how.first_sign * round(b * first.sin));
        y[to[p].second] = round(round(b * second.cos) + how.second_sign * round(a * second.sin));
    }
}

}  // namespace

std::vector<double> emulated(const EmulatedRotation& how, std::span<const double> x) {
    std::vector<double> y(x.begin(), x.end());
    for (Index b = 0; b < how.batch; ++b) {
        for (Index h = 0; h < how.heads; ++h) {
            for (Index l = 0; l < how.length; ++l) {
                const TokenAt at{b, h, l};
                const Index row = ((b * how.heads + h) * how.length + l) * how.head_dim;
                if (how.turns(at)) {
                    turn_row(how, at, x.subspan(row, how.head_dim),
                             std::span(y).subspan(row, how.head_dim));
                }
            }
        }
    }
    return y;
}

}  // namespace ropescope::test
