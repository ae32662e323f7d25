// Tries the parts of an expectation on all tokens of a dump, and explains the sides by the one that
// is met.
#include "core/diagnosis/held/held_dump.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/held/taken_norm.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"
#include "core/rope/spectrum.h"

namespace ropescope::diagnosis {
namespace {

std::vector<Residual> residuals_of(const Held& held, const TableFormat& table) {
    std::vector<Residual> residuals;
    for (std::size_t i = 0; i < held.sides.size(); ++i) {
        const StatedSide& side = held.sides[i];
        residuals.push_back(
            residual_of(side.tensors, side.name, side.positions, held.rotations[i], table));
    }
    return residuals;
}

bool none_left(const std::vector<Residual>& residuals) {
    return std::ranges::all_of(residuals, &Residual::none);
}

/// Whether a table of this format could be seen behind the rounding of some side. The numbers of
/// the other may look rounded themselves: of ones and zeros a rotation makes the table's own
/// numbers.
bool may_show(const Held& held, const TableFormat& table) {
    for (std::size_t i = 0; i < held.sides.size(); ++i) {
        const FloatFormat format =
            held.rotations[i].format_behind.value_or(format_of_rotation(held.sides[i].tensors));
        if (format.unit < unit_of(table)) {
            return true;
        }
    }
    return false;
}

/// Models round their cosines and sines to 16 bits; every one of them is then such a number.
void try_tables(Held& held) {
    for (const TableFormat& table : known_tables()) {
        if (!may_show(held, table)) {
            continue;
        }
        constexpr Index kFew = 16;  // show soon that a table is another one
        Held few = held;
        for (StatedSide& side : few.sides) {
            side.tensors = first_tokens(side.tensors, kFew);
        }
        if (!none_left(residuals_of(few, table))) {
            continue;
        }
        std::vector<Residual> residuals = residuals_of(held, table);
        if (none_left(residuals)) {
            held.table = table;
            held.residuals = std::move(residuals);
            return;
        }
    }
}

/// Takes the norm of each side from its tensors, so that the rotation is left.
void take_norms(Held& held) {
    for (std::size_t i = 0; i < held.sides.size(); ++i) {
        if (held.sides[i].norm) {
            take_norm(held.sides[i], held.rotations[i]);
        }
    }
}

std::optional<Held> held_to_part(const std::vector<StatedSide>& sides, const ExpectedPart& part) {
    Held held{.part = part, .sides = sides};
    for (const StatedSide& side : sides) {
        auto rotation = rotation_of(part, side.tensors.before.channels, side.positions);
        if (!rotation) {
            return std::nullopt;
        }
        held.rotations.push_back(std::move(*rotation));
    }
    take_norms(held);
    held.residuals = residuals_of(held, {});
    if (!held.met()) {
        try_tables(held);
    }
    return held;
}

Pairing pairing_as(const ExpectedRotation& rotation, const ExpectedPart& part) {
    Pairing pairing{.kind = PairingKind::found,
                    .layout = std::string(layout_name(part.scheme.pairs))};
    pairing.layout = pairing.layout == "listed" ? "other" : pairing.layout;
    pairing.pairs = rotation.pairs;
    pairing.rotated = rotation.written;
    pairing.rotary_dim = 2 * std::ssize(rotation.pairs);
    pairing.touched_pairs = std::ssize(rotation.pairs);
    pairing.touched_channels = rotation.first_channel + pairing.rotary_dim;
    return pairing;
}

std::vector<double> speeds_as_text(const HeldHead& head, int sign) {
    std::vector<double> omega = head.omega;
    for (double& each : omega) {
        each *= sign;
    }
    return omega;
}

SpectrumModel model_as(const Held& held, const HeldHead& head, int sign) {
    const std::optional<RopeSpec>& spec = held.part.spec;
    SpectrumModel model{.code = faults::code("spectrum.scaled"),
                        .omega = speeds_as_text(head, sign),
                        .rotary_dim = 2 * held.part.scheme.pair_count(),
                        .words = say::kExpected};
    if (spec) {
        model.base = spec->base;
        model.scaling = spec->scaling;
    }
    if (spec ? std::holds_alternative<NoScaling>(spec->scaling) : head.gain == 1.0) {
        model.code = faults::code("spectrum.default");
    }
    return model;
}

/// Of one head of a scheme, or of all if they turn alike.
Explanation explanation_of(const Held& held, std::size_t at, bool backwards, Index head) {
    const StatedSide& stated = held.sides[at];
    const ExpectedRotation& rotation = held.rotations[at];
    const HeldHead& turning = rotation.head(head);
    Explanation side{.side = stated.name,
                     .head_dim = stated.tensors.before.channels,
                     .first_channel = rotation.first_channel};
    side.format = stated.tensors.after.quantised
                      ? effective_format(stated.tensors.after)
                      : rotation.format_behind.value_or(effective_format(stated.tensors.after));
    side.pairing = pairing_as(rotation, held.part);
    side.turns = recover_turns(stated.tensors, side.pairing, side.format);
    side.table = held.table.dtype ? held.table.dtype : table_dtype(side.turns, side.format);
    side.noise = noise_of_table(held.table.dtype);
    side.noise.table_rad = std::max(side.noise.table_rad, 2.0 * unit_of(held.table));
    side.gain.value = turning.gain;
    side.gain_is_expected = true;
    side.sign = backwards ? -1 : 1;
    for (Index row = 0; row < side.turns.rows; ++row) {
        for (Index t = 0; t < side.turns.length; ++t) {
            side.stated.push_back(stated.positions.at(0, row, t));
        }
    }
    side.places.position = side.stated;
    side.places.error.assign(side.stated.size(), 0.0);
    side.places.worst_rad = held.residuals[at].worst_rad;
    side.offset = 0.0;
    if (rotation.axes > 1) {
        explain_axes_as(side, held.part.scheme, head);
    } else {
        side.speeds = recover_speeds(side.turns, side.stated, side.noise);
        side.model = model_as(held, turning, side.sign);
    }
    return side;
}

/// Whether the pairs of all sides come out at the same channels of what turns.
bool alike(const std::vector<std::vector<ChannelPair>>& written,
           const std::vector<ExpectedRotation>& rotations) {
    const auto relative = [&](std::size_t i) {
        std::vector<ChannelPair> pairs = written[i].empty() ? rotations[i].pairs : written[i];
        for (ChannelPair& pair : pairs) {
            pair.first -= rotations[i].first_channel;
            pair.second -= rotations[i].first_channel;
        }
        return pairs;
    };
    for (std::size_t i = 1; i < written.size(); ++i) {
        if (relative(i) != relative(0)) {
            return false;
        }
    }
    return true;
}

bool all_same(const std::vector<std::vector<Index>>& lists) {
    return std::ranges::all_of(lists, [&](const auto& list) { return list == lists.front(); });
}

bool has_one_token(const Held& held) {
    return std::ranges::any_of(
        held.sides, [](const StatedSide& side) { return side.tensors.before.length < 2; });
}

/// Pairs that are read from neighbours and written to the two halves of what turns, as DeepSeek's
/// code does, which moves the channels before it turns them and never moves them back. The caches
/// of such a code hold keys in that order, too, so that a single step has the same scores.
std::optional<Held> held_in_halves(const Held& held) {
    Held halves = held;
    for (ExpectedRotation& rotation : halves.rotations) {
        const Index pairs = std::ssize(rotation.pairs), first = rotation.first_channel;
        for (Index p = 0; p < pairs; ++p) {
            if (rotation.pairs[p] != ChannelPair{first + 2 * p, first + 2 * p + 1}) {
                return std::nullopt;
            }
            rotation.written[p] = {first + p, first + p + pairs};
        }
    }
    halves.residuals = residuals_of(halves, halves.table);
    return halves.met() ? std::optional(halves) : std::nullopt;
}

DumpTensor head_of(DumpTensor tensor, Index head) {
    tensor.move_to(0, head, 0, 0);
    tensor.heads = 1;
    return tensor;
}

Explanation explanation_of_head(const Held& held, std::size_t at, bool backwards, Index head) {
    Held own = held;
    DumpSide& tensors = own.sides[at].tensors;
    tensors = {head_of(tensors.before, head), head_of(tensors.after, head)};
    return explanation_of(own, at, backwards, head);
}

/// Those with the axes of the dump first.
std::vector<ExpectedPart> parts_for(const Dump& dump, const Expectation& expectation) {
    std::vector<ExpectedPart> parts = expected_parts(expectation, reach_of(dump));
    const Index axes = stated_positions(dump, !dump.q).axes;
    std::ranges::stable_partition(parts,
                                  [&](const ExpectedPart& part) { return part.axes() == axes; });
    return parts;
}

}  // namespace

std::vector<StatedSide> stated_sides(const Dump& dump) {
    std::vector<StatedSide> sides;
    if (dump.q) {
        sides.push_back({Side::q, *dump.q, stated_positions(dump, false), dump.q_norm});
    }
    if (dump.k) {
        sides.push_back({Side::k, *dump.k, stated_positions(dump, true), dump.k_norm});
    }
    return sides;
}

bool Held::met() const {
    return none_left(residuals);
}

double Held::outside_share() const {
    double outside = 0.0, compared = 0.0;
    for (const Residual& residual : residuals) {
        outside += to_double(residual.outside);
        compared += to_double(residual.compared);
    }
    return outside / std::max(compared, 1.0);
}

std::optional<ExpectedPart> nearest_part(const Dump& dump, const Expectation& expectation,
                                         const std::optional<Held>& held) {
    const std::vector<ExpectedPart> parts = parts_for(dump, expectation);
    return held            ? std::optional(held->part)
           : parts.empty() ? std::nullopt
                           : std::optional(parts.front());
}

void hold_again(Held& held) {
    held.residuals = residuals_of(held, held.table);
}

std::optional<Held> hold_to(const Dump& dump, const Expectation& expectation) {
    const std::vector<StatedSide> sides = stated_sides(dump);
    std::optional<Held> best;
    if (sides.empty() || expectation.without_rotation) {
        return best;
    }
    for (const ExpectedPart& part : parts_for(dump, expectation)) {
        std::optional<Held> held = held_to_part(sides, part);
        if (held && (!best || held->outside_share() < best->outside_share())) {
            best = std::move(held);
        }
        if (best && best->met()) {
            break;
        }
    }
    return best;
}

std::optional<Held> held_behind(const Held& held, const Unnoticed& unnoticed) {
    if (has_one_token(held)) {
        return held_in_halves(held);
    }
    Held behind = held;
    if (!alike(unnoticed.written, held.rotations) || !all_same(unnoticed.still_at)) {
        return std::nullopt;
    }
    std::vector<DumpSide> tensors;
    std::vector<DumpPositions> positions;
    for (std::size_t i = 0; i < held.sides.size(); ++i) {
        if (!unnoticed.written[i].empty()) {
            behind.rotations[i].written = unnoticed.written[i];
            behind.rotations[i].still_at = unnoticed.still_at[i];
        }
        for (double& position : behind.sides[i].positions.values) {
            position += unnoticed.offset;
        }
        tensors.push_back(held.sides[i].tensors);
        positions.push_back(behind.sides[i].positions);
    }
    const std::vector<PairMatrix> matrices = matrices_behind(tensors, positions, behind.rotations);
    if (matrices.empty()) {
        return std::nullopt;
    }
    for (ExpectedRotation& rotation : behind.rotations) {
        rotation.behind = matrices;
    }
    behind.residuals = residuals_of(behind, behind.table);
    return behind.met() ? std::optional(behind) : std::nullopt;
}

std::vector<Explanation> explanations_of(const Held& held, bool backwards) {
    std::vector<Explanation> sides;
    for (std::size_t i = 0; i < held.sides.size(); ++i) {
        sides.push_back(explanation_of(held, i, backwards, 0));
    }
    return sides;
}

std::vector<HeadKind> head_kinds_of(const Held& held, bool backwards) {
    std::vector<HeadKind> kinds;
    const Index count = std::ssize(held.part.scheme.heads);
    if (count < 2) {
        return kinds;
    }
    const Index q_heads = held.sides.front().tensors.before.heads;
    for (Index h = 0; h < q_heads; ++h) {
        HeadKind& kind = kinds.emplace_back();
        for (std::size_t i = 0; i < held.sides.size(); ++i) {
            const Index heads = held.sides[i].tensors.before.heads;
            const Index own = std::min(h * heads / q_heads, heads - 1);
            kind.sides.push_back(explanation_of_head(held, i, backwards, own));
            (held.sides[i].name == Side::q ? kind.q_heads : kind.k_heads).push_back(own);
        }
    }
    return kinds;
}

}  // namespace ropescope::diagnosis
