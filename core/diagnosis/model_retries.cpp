// Angles that no model explains as they stand: far positions, a phase, a change, another axis.
#include <array>
#include <cmath>
#include <numbers>

#include "core/diagnosis/model_search.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// The same angles, of which nothing is known yet.
Explanation fresh(const Explanation& side) {
    return {.head_dim = side.head_dim,
            .pairing = side.pairing,
            .turns = side.turns,
            .noise = side.noise,
            .stated = side.stated};
}

/// Searches in `tried`; whether that explains every token.
bool search(Explanation& tried, std::span<const RopeSpec> expected) {
    tried.speeds = recover_speeds(tried.turns, tried.stated, tried.noise);
    if (tried.speeds.known()) {
        try_models(tried, expected);
    }
    return is_explained(tried);
}

void adopt(Explanation& side, Explanation found) {
    side.turns = std::move(found.turns);
    side.speeds = std::move(found.speeds);
    side.model = std::move(found.model);
    side.sign = found.sign;
    side.places = std::move(found.places);
}

}  // namespace

void try_shifted(Explanation& side, std::span<const RopeSpec> expected) {
    for (const double shift : {4096.0, 131072.0}) {
        if (is_explained(side)) {
            return;
        }
        Explanation shifted = fresh(side);
        shifted.noise.shift = shift;
        if (search(shifted, expected)) {
            adopt(side, std::move(shifted));
        }
    }
}

void try_phases(Explanation& side, std::span<const RopeSpec> expected) {
    constexpr double kHalf = std::numbers::pi, kQuarter = kHalf / 2.0;
    for (const double phase : {kHalf, kQuarter, -kQuarter}) {
        if (is_plain(side)) {
            return;
        }
        Explanation turned = fresh(side);
        for (double& angle : turned.turns.angle_rad) {
            angle = wrapped(angle - phase);
        }
        if (search(turned, expected) && (!is_explained(side) || is_plain(turned))) {
            adopt(side, std::move(turned));
            side.phase_rad = phase;
        }
    }
}

void find_change(Explanation& side, std::span<const RopeSpec> expected) {
    Index first = side.turns.length;
    for (Index t = side.turns.length; t-- > 0;) {
        if (!std::isnan(side.places.position[side.speeds.row * side.turns.length + t])) {
            break;
        }
        first = t;
    }
    if (first < 2 || side.turns.length - first < 2) {
        return;
    }
    Explanation later{.head_dim = side.head_dim, .pairing = side.pairing, .noise = side.noise};
    later.turns = side.turns;
    later.stated = side.stated;
    later.speeds = recover_speeds(side.turns, side.stated, side.noise, first);
    if (!later.speeds.known()) {
        return;
    }
    try_models(later, expected);
    if (!later.model || later.model->code == faults::code("spectrum.zero")) {
        return;
    }
    Index unexplained = 0;
    for (std::size_t at = 0; at < side.places.position.size(); ++at) {
        if (std::isnan(side.places.position[at])) {
            side.places.position[at] = later.places.position[at];
            unexplained += std::isnan(side.places.position[at]) ? 1 : 0;
        }
    }
    side.places.unexplained = unexplained;
    const double position = side.stated[side.speeds.row * side.turns.length + first];
    side.findings.push_back(
        {faults::code("spectrum.changes_at"),
         {say::kSpectrumChanges, {position, side.model->words, later.model->words}},
         {.sides = side.side, .from_token = first},
         position});
}

bool explain_by_rows(Explanation& side, std::span<const RopeSpec> expected) {
    if (side.turns.rows < 2) {
        return false;
    }
    Explanation across{.head_dim = side.head_dim, .pairing = side.pairing, .noise = side.noise};
    across.turns = {.rows = 1, .length = side.turns.rows, .pairs = side.turns.pairs};
    for (Index row = 0; row < side.turns.rows; ++row) {
        for (Index p = 0; p < side.turns.pairs; ++p) {
            const std::size_t at = side.turns.at(row, 0, p);
            across.turns.angle_rad.push_back(side.turns.angle_rad[at]);
            across.turns.error_rad.push_back(side.turns.error_rad[at]);
            across.turns.gain.push_back(side.turns.gain[at]);
        }
        across.stated.push_back(to_double(side.heads_differ ? row % side.heads : row / side.heads));
    }
    across.speeds = recover_speeds(across.turns, across.stated, across.noise);
    if (!across.speeds.known()) {
        return false;
    }
    try_models(across, expected);
    if (!across.model || across.model->code == faults::code("spectrum.zero")) {
        return false;
    }
    side.model = across.model;
    side.sign = across.sign;
    side.places = recover_places(side.turns, signed_omega(*side.model, side.sign, side.turns.pairs),
                                 side.stated, side.noise);
    return side.places.unexplained == 0;
}

}  // namespace ropescope::diagnosis
