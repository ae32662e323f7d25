// Computes cos and sin of whole rows of angles, one by one or by angle addition.
#include "core/analysis/turns.h"

#include <algorithm>
#include <cmath>

#include "core/base/multiversion.h"

namespace ropescope {
namespace {

/// out = a turned by b.
ROPESCOPE_MULTIVERSION
void add_angles(const double* a_cos, const double* a_sin, const double* b_cos, const double* b_sin,
                Index pairs, double* cos, double* sin) {
    ROPESCOPE_INDEPENDENT_ITERATIONS
    for (Index i = 0; i < pairs; ++i) {
        cos[i] = a_cos[i] * b_cos[i] - a_sin[i] * b_sin[i];
        sin[i] = a_sin[i] * b_cos[i] + a_cos[i] * b_sin[i];
    }
}

}  // namespace

void fill_turn(const Spectrum& spectrum, Index distance, Turn& turn) {
    require_one_axis(spectrum);
    const Index pairs = spectrum.pairs();
    turn.cos.resize(pairs);
    turn.sin.resize(pairs);
    for (Index i = 0; i < pairs; ++i) {
        const double angle_rad = reduced_angle_rad(distance, spectrum.inv_freq_rad[i]);
        turn.cos[i] = std::cos(angle_rad);
        turn.sin[i] = std::sin(angle_rad);
    }
}

Turn make_turn(const Spectrum& spectrum, Index distance) {
    Turn turn;
    fill_turn(spectrum, distance, turn);
    return turn;
}

void walk_turns(const Spectrum& spectrum, Index first, Index count,
                const std::function<void(Index distance, std::span<const double> cos,
                                         std::span<const double> sin)>& visit) {
    const Index pairs = spectrum.pairs();
    std::vector<Turn> offsets;
    for (Index i = 0; i < std::min(kTurnBlock, count); ++i) {
        offsets.push_back(make_turn(spectrum, i));
    }
    Turn start, here = make_turn(spectrum, 0);
    for (Index step = 0; step < count; ++step) {
        const Index in_block = step % kTurnBlock;
        if (in_block == 0) {
            fill_turn(spectrum, first + step, start);
        }
        const Turn& offset = offsets[in_block];
        add_angles(start.cos.data(), start.sin.data(), offset.cos.data(), offset.sin.data(), pairs,
                   here.cos.data(), here.sin.data());
        visit(first + step, here.cos, here.sin);
    }
}

Index finishing_pairs(const Spectrum& spectrum, Index positions) {
    Index pairs = 0;
    while (pairs < spectrum.pairs() &&
           spectrum.wavelength_positions(pairs) <= to_double(positions)) {
        ++pairs;
    }
    return pairs;
}

Spectrum with_still_pairs(Spectrum spectrum, Index first, Index last) {
    std::fill(spectrum.inv_freq_rad.begin() + first, spectrum.inv_freq_rad.begin() + last, 0.0);
    return spectrum;
}

}  // namespace ropescope
