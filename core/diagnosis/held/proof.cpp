// Holds what was found to the tensors.
#include "core/diagnosis/held/proof.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "core/diagnosis/held/found_rotation.h"
#include "core/diagnosis/held/held_words.h"
#include "core/diagnosis/held/phrases.h"
#include "core/diagnosis/hypotheses/model_search.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/tell/sides.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// Whether a finding of one side compares its tensors with each other, and needs no model.
bool needs_no_model(const Finding& finding) {
    const Phrase* words = finding.words.phrase;
    return finding.weight == Weight::note || words == &say::kNeverWritten ||
           words == &say::kStillRows || words == &say::kAlike ||
           (finding.code == faults::code("not_a_rotation") && words != &say::kOddPairs);
}

/// Factors above 1 that YaRN has up to a factor of 148 on the context.
bool may_be_of_yarn(const Explanation& side) {
    constexpr double kMostOfYarn = 1.5;
    return side.gain.uniform && side.gain.value > 1.0 && side.gain.value <= kMostOfYarn &&
           !side.gain_is_expected;
}

bool is_accused(const Explanation& side) {
    if (!side.model) {
        return false;
    }
    return !side.model->right || side.phase_rad != 0.0 || may_be_of_yarn(side) ||
           !std::ranges::all_of(side.findings, needs_no_model);
}

/// Whether the lengths show that it is no rotation, of which no speed, place or factor is said.
bool lengths_refute(const Explanation& side) {
    return !side.gain.zero_at.empty() ||
           (!side.gain.uniform && side.gain.by_token.empty() && !side.stretch);
}

/// Whether measured speeds can be those of the model, slowed down the more the slower they are, as
/// methods that stretch a context do.
bool may_be_slowed(const Explanation& side) {
    if (!side.speeds.known()) {
        return true;
    }
    double most = std::numeric_limits<double>::infinity();
    const Index pairs = std::min(std::ssize(side.model->omega), std::ssize(side.speeds.omega));
    for (Index p = 0; p < pairs; ++p) {
        const double own = side.sign * side.model->omega[p];
        if (own == 0.0) {
            continue;
        }
        const double share = 1.0 + side.speeds.difference(p, own) / own;
        const double open = side.speeds.error[p] / std::abs(own) + 0x1p-18;
        if (share - open > most || share + open < 0.0) {
            return false;
        }
        most = std::min(most, share + open);
    }
    return true;
}

/// The pairs that are said to turn unlike the others; empty if there is no such finding.
std::vector<Index> odd_pairs_of(const Explanation& side) {
    for (const Finding& finding : side.findings) {
        if (finding.words.phrase == &say::kOddPairs) {
            return std::get<Numbers>(finding.words.values.front()).list;
        }
    }
    return {};
}

/// Whether angles of at least half of the pairs that turn are known to less than a quarter radian
/// at some token: fp32 leaves those of fast pairs at far positions open, whatever the spectrum.
bool is_informative(const Explanation& side) {
    const std::vector<double> omega = signed_omega(*side.model, side.sign, side.turns.pairs);
    const std::vector<double> errors = omega_errors(*side.model, side.turns.pairs);
    double nearest = std::numeric_limits<double>::infinity();
    for (const double position : side.places.position) {
        if (position != 0.0) {
            nearest = std::min(nearest, std::abs(position));
        }
    }
    Index turning = 0, told = 0;
    for (Index p = 0; p < side.turns.pairs; ++p) {
        turning += omega[p] != 0.0 ? 1 : 0;
        told += omega[p] != 0.0 && errors[p] * nearest < 0.25 ? 1 : 0;
    }
    return 2 * told >= turning;
}

/// Whether what is left are the pairs that are said to turn unlike the others.
bool is_of_odd_pairs(const Explanation& side, const Residual& left) {
    const std::vector<Index> odd = odd_pairs_of(side);
    return !odd.empty() && !left.still_channels && side.gain.value == 1.0 &&
           std::ranges::includes(odd, left.pairs) && !may_be_slowed(side);
}

bool is_proved(const Explanation& side, const DumpSide& tensors, const DumpPositions& positions,
               std::optional<Residual>& left) {
    if (lengths_refute(side) || !is_explained(side) || (!side.axis_map && !is_informative(side))) {
        return false;
    }
    left = residual_of_found(side, tensors, positions);
    // What lengths keep from being held leaves open which pairs are odd.
    const bool steady = side.gain.uniform && !side.stretch;
    return left ? left->none() || is_of_odd_pairs(side, *left)
                : steady || odd_pairs_of(side).empty();
}

/// Whether q and k are said to stand apart, which both must explain.
bool stand_apart(const std::vector<Explanation>& sides) {
    return sides.size() == 2 && sides[0].offset && sides[1].offset &&
           *sides[0].offset != *sides[1].offset;
}

/// Whether vectors are left that what was found does not explain.
bool is_refuted(const Explanation& side, const DumpSide& tensors, const DumpPositions& positions,
                std::optional<Residual>& left) {
    left = residual_of_found(side, tensors, positions);
    return left && !left->none() && !is_of_odd_pairs(side, *left);
}

/// Leaves what lengths and equal numbers show.
void take_back(Explanation& side, const std::optional<Residual>& left) {
    std::erase_if(side.findings, [](const Finding& finding) { return !needs_no_model(finding); });
    side.model.reset();
    side.axis_map.reset();
    side.offset.reset();
    side.phase_rad = 0.0;
    side.gain_may_be_yarns = false;
    side.places = {};
    if (side.too_little.empty() && !lengths_refute(side)) {
        side.too_little = left ? next_of_left(*left) : Words(say::kNotProved, {side.side});
    }
}

}  // namespace

void take_back_unproved(const Dump& dump, std::vector<Explanation>& sides) {
    const bool apart = stand_apart(sides);
    for (Explanation& side : sides) {
        const bool of_keys = side.side == Side::k;
        const DumpSide& tensors = of_keys ? *dump.k : *dump.q;
        const DumpPositions positions = stated_positions(dump, of_keys);
        std::optional<Residual> left;
        if ((is_accused(side) && !is_proved(side, tensors, positions, left)) ||
            (apart && is_refuted(side, tensors, positions, left))) {
            take_back(side, left);
        }
    }
}

std::optional<Residual> share_model(const Dump& dump, std::vector<Explanation>& sides) {
    if (sides.size() != 2 || !sides[0].model || !sides[1].model || sides[0].axis_map ||
        sides[1].axis_map || sides[0].model->omega == sides[1].model->omega ||
        !same_spectrum(sides[0], sides[1])) {
        return std::nullopt;
    }
    const auto left_by = [&](std::size_t own, std::size_t other) {
        Explanation as_other = sides[own];
        as_other.model = sides[other].model;
        return residual_of_found(as_other, own == 0 ? *dump.q : *dump.k,
                                 stated_positions(dump, own == 1));
    };
    const auto of_k = left_by(1, 0);
    if (!of_k || of_k->none()) {
        sides[1].model = of_k ? sides[0].model : sides[1].model;
        return std::nullopt;
    }
    const auto of_q = left_by(0, 1);
    if (of_q && of_q->none()) {
        sides[0].model = sides[1].model;
        return std::nullopt;
    }
    return of_k;
}

void leave_offsets_open(std::vector<Explanation>& sides) {
    if (sides.front().offset != sides.back().offset) {
        for (Explanation& side : sides) {
            side.offset.reset();
        }
    }
}

}  // namespace ropescope::diagnosis
