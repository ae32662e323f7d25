// Goes from the tensors of one side to the simplest explanation of its angles.
#include "core/diagnosis/explanation.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "core/base/error.h"
#include "core/diagnosis/hypotheses/model_search.h"
#include "core/diagnosis/hypotheses/row_faults.h"
#include "core/diagnosis/measure/channel_mixture.h"
#include "core/diagnosis/measure/head_order.h"
#include "core/diagnosis/measure/moved_channels.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"
#include "core/rope/spectrum.h"
#include "core/scaling/method.h"

namespace ropescope::diagnosis {
namespace {

std::vector<double> stated_of_rows(const Explanation& side, const DumpPositions& positions) {
    std::vector<double> stated;
    for (Index row = 0; row < side.turns.rows; ++row) {
        for (Index t = 0; t < side.turns.length; ++t) {
            stated.push_back(positions.at(0, row / side.heads, t));
        }
    }
    return stated;
}

bool all_equal(std::span<const double> numbers) {
    return std::ranges::all_of(numbers, [&](double n) { return n == numbers.front(); });
}

bool is_zero(const DumpTensor& tensor) {
    std::vector<double> row(tensor.channels);
    for (Index b = 0; b < tensor.batch; ++b) {
        for (Index h = 0; h < tensor.heads; ++h) {
            for (Index l = 0; l < tensor.length; ++l) {
                tensor.read(b, h, l, row);
                if (std::ranges::any_of(row, [](double v) { return v != 0.0; })) {
                    return false;
                }
            }
        }
    }
    return true;
}

/// The same pairs, whose two channels come out in the other order.
Pairing exchanged(Pairing pairing) {
    for (ChannelPair& pair : pairing.rotated) {
        std::swap(pair.first, pair.second);
    }
    pairing.layout = "other";
    return pairing;
}

/// Recovers turns of all heads together, or apart if they do not turn alike. Lengths do not tell in
/// which order the two channels of a pair come out, but a rotation of several heads does.
void recover(Explanation& side, const DumpSide& tensors) {
    side.turns = recover_turns(tensors, side.pairing, side.format);
    const Index torn = side.turns.torn_token;
    if (torn < 0 || tensors.before.heads < 2) {
        return;
    }
    const DumpSide few = first_tokens(tensors, tokens_of_heads(tensors));
    Pairing other = exchanged(side.pairing);
    if (torn < few.before.length && recover_turns(few, other, side.format).torn_token < 0) {
        side.pairing = std::move(other);
        side.turns = recover_turns(tensors, side.pairing, side.format);
        return;
    }
    side.heads_differ = torn < few.before.length;
    side.heads = side.heads_differ ? tensors.before.heads : 1;
    side.turns = recover_turns(few, side.pairing, side.format,
                               side.heads_differ ? Heads::apart : Heads::together);
    if (!side.heads_differ) {
        side.findings.push_back({faults::code("not_a_rotation"),
                                 {say::kTornLater, {torn - 1, side.side, torn}},
                                 {.sides = side.side, .token = torn}});
    }
}

/// What was done in place of a rotation, if it is a mistake that people make.
std::optional<Words> mistake_in(const DumpSide& tensors, const Explanation& side) {
    for (const ChannelMixture& mixture : find_mixtures(tensors, side.format)) {
        if (auto mistake = mistake_of(mixture, side.side)) {
            return mistake;
        }
    }
    return std::nullopt;
}

Pairing pairing_of(const DumpSide& tensors, const FloatFormat& format) {
    Pairing pairing = find_pairing(tensors, format);
    // Lengths that change with the position misfit a wide layout, and fit a narrow one too well.
    const bool beyond =
        pairing.kind == PairingKind::found && pairing.touched_channels > pairing.rotary_dim;
    if (pairing.kind == PairingKind::no_rotation || beyond) {
        pairing = find_stretched_pairing(tensors, format).value_or(pairing);
    }
    if (pairing.kind == PairingKind::no_rotation) {
        pairing = find_moved_pairing(tensors, format).value_or(pairing);
    }
    if (pairing.kind == PairingKind::no_rotation) {
        pairing = find_scaled_pairing(tensors, format).value_or(pairing);
    }
    return pairing;
}

Words unpaired(const DumpSide& tensors, const Explanation& side) {
    if (auto mistake = mistake_in(tensors, side)) {
        return *mistake;
    }
    if (const auto heads = find_head_order(tensors)) {
        const auto moved = std::ranges::mismatch(*heads, std::views::iota(Index{0})).in1;
        return {say::kHeadsMoved, {side.side, moved - heads->begin(), *moved}};
    }
    if (const auto together = heads_that_turn_together(tensors)) {
        return {say::kHeadsTogether, {together->first, side.side, together->second}};
    }
    if (const auto rows = find_row_order(tensors)) {
        return {say::kRowsMoved,
                {side.side, *rows->cause, rows->to.head, rows->to.token, rows->from.head,
                 rows->from.token}};
    }
    return {say::kNoPairing, {side.side}};
}

/// Why there are no pairs to look at.
void explain_unpaired(Explanation& side, const DumpSide& tensors, const DumpPositions& positions) {
    if (side.pairing.kind == PairingKind::no_rotation) {
        side.findings.push_back(
            {faults::code("not_a_rotation"), unpaired(tensors, side), {side.side}});
        return;
    }
    if (side.pairing.kind == PairingKind::unclear) {
        side.too_little = {say::kHardlyTurns, {side.side}};
        return;
    }
    side.tensor_zero = is_zero(tensors.before);
    if (side.tensor_zero) {
        side.too_little = {say::kAllZero, {side.side}};
    } else if (all_equal(positions.values) && positions.values.front() == 0.0) {
        side.too_little = {say::kAtZero, {side.side}};
    } else {
        side.still = true;
    }
}

/// Sets table, noise, gain and stretch; false if lengths show that there are no angles.
bool measure_lengths(Explanation& side, const DumpSide& tensors, const DumpPositions& positions) {
    side.table = table_dtype(side.turns, side.format);
    side.noise = noise_of_table(side.table);
    side.gain = measure_gain(side.turns, side.noise, side.format);
    if (side.gain.uniform || !side.gain.zero_at.empty()) {
        return true;
    }
    if (positions.axes == 1) {
        side.stretch = measure_stretch(side.turns, side.stated, side.noise);
        if (side.stretch && !side.stretch->falls()) {
            side.stretch.reset();  // some pairs change, and not those that xPos changes
        }
    }
    if (side.gain.by_token.empty() && !side.stretch) {
        if (auto mistake = mistake_in(tensors, side)) {
            side.pairing = {.kind = PairingKind::no_rotation};
            side.findings.push_back(
                {faults::code("not_a_rotation"), std::move(*mistake), {side.side}});
            return false;
        }
    }
    return true;
}

/// A factor for each pair that no published model has: any falling spectrum has some.
bool has_own_factors(const Explanation& side) {
    return side.model && side.model->words.phrase == &say::kLongRope;
}

void search_model(Explanation& side, bool one_position, std::span<const RopeSpec> expected) {
    side.speeds = recover_speeds(side.turns, side.stated, side.noise);
    if (side.speeds.known()) {
        try_models(side, expected);
        refit_base(side);
        try_phases(side, expected);
        if (!is_plain(side) || has_own_factors(side)) {
            explain_low_precision(side, expected);
        }
        if (side.model && !is_plain(side)) {
            find_change(side, expected);
        }
    } else if (one_position) {
        explain_one_position(side, models_of_specs(side, expected));
    } else if (!explain_by_rows(side, models_of_specs(side, expected)) && side.turns.length > 1) {
        explain_low_precision(side, expected);
    }
}

/// Whether the factor is that of an expected method.
bool has_expected_gain(const Explanation& side, const Expected& asked) {
    const double rounding = kRotationUnits * side.format.unit + side.noise.table_rad + 0x1p-20;
    return std::ranges::any_of(asked.gains, [&](double factor) {
        return factor != 1.0 && std::abs(side.gain.value - factor) <= rounding;
    });
}

/// A factor of YaRN beside a spectrum that all tokens leave open: YaRN changes slow pairs alone,
/// which need far tokens to show it.
bool gain_may_be_yarns(const Explanation& side) {
    constexpr double kMostOfYarn = 1.5;  // a factor of 148 on the context
    const bool possible = side.gain.uniform && !side.gain_is_expected && side.gain.value > 1.0 &&
                          side.gain.value <= kMostOfYarn;
    const bool plain =
        side.model && side.model->base && std::holds_alternative<NoScaling>(side.model->scaling);
    if (!possible || side.axis_map || !plain) {
        return possible && side.axis_map;
    }
    for (const Index length : {2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144}) {
        for (const bool truncate : {true, false}) {
            const RopeSpec spec{
                .head_dim = side.model->rotary_dim,
                .rotary_dim = side.model->rotary_dim,
                .base = *side.model->base,
                .scaling = YarnScaling{.factor = std::exp(10.0 * (side.gain.value - 1.0)),
                                       .original_positions = length,
                                       .truncate = truncate}};
            try {
                SpectrumModel model = *side.model;
                model.scaling = spec.scaling;
                model.omega = make_spectrum(spec).inv_freq_rad;
                if (explains_in_place(side, model, side.sign, 0, side.turns.length)) {
                    return true;
                }
            } catch (const InputError&) {
                continue;  // this base does not suit the length
            }
        }
    }
    return false;
}

void leave_gain_open(Explanation& side) {
    side.gain_may_be_yarns = gain_may_be_yarns(side);
    if (side.gain_may_be_yarns && side.too_little.empty()) {
        side.too_little = {say::kGainOpen, {side.side, side.gain.value}};
    }
}

Explanation explain_channels(const DumpSide& tensors, Side name, const DumpPositions& positions,
                             const Expected& asked) {
    Explanation side{.side = name, .head_dim = tensors.before.channels};
    side.format = effective_format(tensors.after);
    side.pairing = asked.like != nullptr ? *asked.like : pairing_of(tensors, side.format);
    if (side.pairing.kind != PairingKind::found) {
        explain_unpaired(side, tensors, positions);
        return side;
    }
    recover(side, tensors);
    side.stated = stated_of_rows(side, positions);
    side.axes = positions.axes > 1 && !axes_agree(positions) ? positions.axes : 1;
    if (!measure_lengths(side, tensors, positions)) {
        return side;
    }
    side.gain_is_expected = has_expected_gain(side, asked);
    const std::vector<bool> still = still_rows(side);
    const bool any_still = std::ranges::any_of(still, [](bool is) { return is; });
    if (side.turns.length == 1 && !side.heads_differ && !any_still && positions.axes == 1) {
        // One step of several sequences: their tokens are as good as those of one.
        std::swap(side.turns.rows, side.turns.length);
    }
    if (positions.axes > 1 && !axes_agree(positions)) {
        explain_axes(side, positions, asked);
        leave_gain_open(side);
        return side;
    }
    search_model(side, all_equal(positions.values), asked.specs);
    conclude(side, positions, still, asked);
    leave_gain_open(side);
    for (double& angle : side.turns.angle_rad) {
        angle = side.phase_rad == 0.0 ? angle : wrapped(angle + side.phase_rad);
    }
    return side;
}

bool in_known_layout(const Explanation& side) {
    return is_explained(side) && side.pairing.layout != "other";
}

DumpSide without_channels(DumpSide tensors, Index count) {
    for (DumpTensor* tensor : {&tensors.before, &tensors.after}) {
        tensor->move_to(0, 0, 0, count);
        tensor->channels -= count;
    }
    return tensors;
}

/// What to dump if no method has the speeds. Numbers of 16 bits leave room for the factors that
/// LongRoPE has for each pair.
Words unknown_speeds(const Explanation& side, bool anything_expected) {
    const bool coarse = side.format.unit > 0x1p-16;
    const Words too_coarse(say::kTooCoarse, {std::string(numpy_name(side.format.dtype))});
    return {say::kUnknownSpeeds,
            {side.side, coarse ? Value(too_coarse) : Value(),
             anything_expected ? Value() : Value(say::kOrExpect)}};
}

/// The pairs with an angle that is not that of the stated position, by more than `noise` explains.
std::vector<Index> pairs_beyond(const Explanation& side, const AngleNoise& noise) {
    const std::vector<double> omega = signed_omega(*side.model, side.sign, side.turns.pairs);
    const auto is_out = [&](std::size_t token, Index pair) {
        const double angle = omega[pair] * side.stated[token];
        const std::size_t at = token * side.turns.pairs + pair;
        const double allowed =
            side.turns.error_rad[at] + noise.table_rad + noise.relative * std::abs(angle);
        return std::abs(wrapped(side.turns.angle_rad[at] - angle)) > allowed;
    };
    std::vector<Index> out;
    for (Index pair = 0; pair < side.turns.pairs; ++pair) {
        for (std::size_t token = 0; token < side.stated.size(); ++token) {
            if (is_out(token, pair)) {
                out.push_back(pair);
                break;
            }
        }
    }
    return out;
}

/// Those that no table moves so far: tensors of 16 bits do not show of which format theirs is.
std::vector<Index> pairs_out_of_place(const Explanation& side) {
    return pairs_beyond(side, side.table ? side.noise : noise_of_table(Dtype::bf16));
}

/// Whether pairs have their own factors, and a few of these are not as they were fitted.
bool contradicts_own_factors(const Explanation& side) {
    const std::vector<Index> odd = pairs_out_of_place(side);
    return has_own_factors(side) && !odd.empty() && 4 * std::ssize(odd) <= side.turns.pairs;
}

/// Neighbours: methods of scaling change these together, so that the spectrum is another one.
bool are_neighbours(const std::vector<Index>& pairs) {
    return pairs.size() > 1 && pairs.back() - pairs.front() + 1 == std::ssize(pairs);
}

/// Whether those out of place are neighbours, with what a table may move or without.
bool has_odd_neighbours(const Explanation& side) {
    return are_neighbours(pairs_out_of_place(side)) ||
           are_neighbours(pairs_beyond(side, side.noise));
}

/// A token between the stated positions, by no rule: its spectrum is another one.
bool stands_between(const Finding& finding) {
    const auto* found = std::get_if<double>(&finding.measured);
    const auto* stated = std::get_if<double>(&finding.expected);
    return finding.words.phrase == &say::kElsewhere && found != nullptr && stated != nullptr &&
           *stated == std::round(*stated) && std::abs(*found - std::round(*found)) > 0.01;
}

/// Leaves pairs open that only a table of 16 bits moves from their places. False if there are none.
bool leave_to_table(Explanation& side) {
    const std::vector<Index> moved = pairs_beyond(side, side.noise);
    if (moved.empty() || !pairs_out_of_place(side).empty()) {
        return false;
    }
    side.too_little = {say::kOddPairsOpen, {Numbers{"pair", moved}, side.side}};
    side.places.unexplained = 0;
    side.places.position = side.stated;
    return true;
}

/// Few pairs whose angles are not those of the position at which all others stand: a channel that
/// lost its sign, or a frequency that is wrong. False if there are none, or many.
bool find_odd_pairs(Explanation& side) {
    const std::vector<Index> odd = pairs_out_of_place(side);
    // A fitted spectrum that some pairs contradict is another one.
    const bool fitted = side.model->base_error > 0.0 || side.model->fitted_factor != 1.0;
    const Index moved = std::ssize(pairs_beyond(side, side.noise));
    if (odd.empty() || fitted || 4 * moved > side.turns.pairs || are_neighbours(odd)) {
        return false;
    }
    const ChannelPair first = side.pairing.pairs[odd.front()];
    side.findings.push_back(
        {faults::code("not_a_rotation"),
         {say::kOddPairs, {Numbers{"pair", odd}, side.side, first.first, first.second}},
         {.sides = side.side, .pair = odd.front()}});
    side.places.unexplained = 0;
    side.places.position = side.stated;
    return true;
}

}  // namespace

Explanation explain(const DumpSide& tensors, Side name, const DumpPositions& positions,
                    const Expected& expected) {
    Explanation whole = explain_channels(tensors, name, positions, expected);
    const Index first = positions.axes > 1 || in_known_layout(whole) ? 0 : first_changed(tensors);
    if (first == 0) {
        return whole;
    }
    Explanation rest =
        explain_channels(without_channels(tensors, first), name, positions, expected);
    const bool permuted = is_explained(rest) && rest.pairing.permuted() && !is_explained(whole);
    if (!in_known_layout(rest) && !permuted) {
        return whole;
    }
    rest.head_dim = whole.head_dim;
    rest.first_channel = first;
    for (auto* pairs : {&rest.pairing.pairs, &rest.pairing.rotated}) {
        for (ChannelPair& pair : *pairs) {
            pair.first += first;
            pair.second += first;
        }
    }
    return rest;
}

void conclude(Explanation& side, const DumpPositions& positions, const std::vector<bool>& still,
              const Expected& asked) {
    if (side.model) {
        // A wrong spectrum that leaves tokens unexplained is none, nor are factors that were fitted
        // to pairs which some of the pairs contradict.
        const bool scaled =
            side.places.unexplained > 0 &&
            (!side.model->right || has_odd_neighbours(side) || contradicts_own_factors(side));
        if (!scaled &&
            (side.places.unexplained == 0 || (!leave_to_table(side) && !find_odd_pairs(side)))) {
            find_position_faults(side);
        }
        if (scaled || std::ranges::any_of(side.findings, stands_between)) {
            std::erase_if(side.findings, stands_between);
            side.model.reset();
            side.too_little = unknown_speeds(side, asked.anything());
            return;
        }
        if (has_own_factors(side)) {
            side.too_little = {say::kOwnFactors, {side.side}};
        }
        if (positions.axes > 1 && side.findings.empty()) {
            side.too_little = {say::kAxesAgree, {side.side}};
        }
    } else if (find_still_rows(side, still) || (!side.speeds.known() && find_alike_rows(side))) {
        return;
    } else if (!side.speeds.known()) {
        side.too_little = {say::kOnePosition, {side.side}};
    } else if (side.gain.uniform || !side.gain.by_token.empty() || side.stretch) {
        side.too_little =
            unknown_speeds(side, asked.anything());  // of what is no rotation, none is asked for
    }
}

}  // namespace ropescope::diagnosis
