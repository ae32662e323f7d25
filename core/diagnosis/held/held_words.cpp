// Says what is left of a dump, and what its tokens leave open.
#include "core/diagnosis/held/held_words.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/held/phrases.h"
#include "core/diagnosis/hypotheses/axis_map.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"
#include "core/formats/presets.h"
#include "core/rope/spectrum.h"
#include "core/scaling/method.h"

namespace ropescope::diagnosis {
namespace {

const Residual& worst_of(const std::vector<Residual>& residuals) {
    return *std::ranges::max_element(residuals, {}, &Residual::worst);
}

Words place_of_worst(const Residual& residual) {
    const HeldPlace& at = residual.place;
    const Place place{
        .sides = residual.side, .rows = {at.row}, .heads = {at.head}, .token = at.token};
    return {say::kLeftPlace,
            {place,
             at.pair >= 0 ? Words(say::kAtPair, {at.pair}) : Words(say::kAtChannel, {at.channel})}};
}

/// Another set of parameters that the dump may be of.
struct Other {
    Words name;
    RopeSpec spec;
};

bool differs(const Spectrum& a, const Spectrum& b) {
    const auto apart = [](double x, double y) { return std::abs(x - y) > 0x1p-18 * std::abs(x); };
    return apart(a.attention_factor, b.attention_factor) ||
           !std::ranges::equal(a.inv_freq_rad, b.inv_freq_rad,
                               [&](double x, double y) { return !apart(x, y); });
}

std::vector<Other> others_than(const RopeSpec& spec) {
    const Spectrum own = make_spectrum(spec);
    std::vector<Other> others;
    std::vector<Spectrum> known = {own};
    const auto add = [&](const Words& name, RopeSpec other) {
        other.layout = spec.layout;
        other.seq_len = spec.seq_len;
        const Spectrum spectrum = make_spectrum(other);
        if (std::ranges::all_of(known, [&](const Spectrum& k) { return differs(k, spectrum); })) {
            known.push_back(spectrum);
            others.push_back({name, other});
        }
    };
    if (!std::holds_alternative<NoScaling>(spec.scaling)) {
        RopeSpec plain = spec;
        plain.scaling = NoScaling();
        add({say::kWithoutScaling, {std::string(scaling_type(spec.scaling))}}, plain);
    }
    for (const ModelConfig& preset : model_presets()) {
        if (preset.rope.head_dim == spec.head_dim && preset.rope.rotary_dim == spec.rotary_dim) {
            add({say::kTitle, {preset.title}}, preset.rope);
        }
    }
    return others;
}

/// How far apart two angles are allowed to be if both rotations explain a pair.
double allowed_between(const HeldHead& a, const HeldHead& b, Index pair, double position,
                       double rounding) {
    return 2.0 * rounding + (a.error[pair] + b.error[pair]) * std::abs(position);
}

/// Whether a token at this position would turn otherwise by more than rounding hides.
bool told_at(const HeldHead& a, const HeldHead& b, double position, double rounding) {
    for (Index p = 0; p < std::ssize(a.omega); ++p) {
        const double off = std::abs(wrapped((a.omega[p] - b.omega[p]) * position));
        if (off > allowed_between(a, b, p, position, rounding)) {
            return true;
        }
    }
    return false;
}

/// Whether both turn every token alike, as far as the numbers of the dump tell.
bool alike_here(const Held& held, const ExpectedPart& other) {
    for (std::size_t i = 0; i < held.sides.size(); ++i) {
        const StatedSide& side = held.sides[i];
        const auto rotation = rotation_of(other, side.tensors.before.channels, side.positions);
        if (!rotation) {
            return false;
        }
        const double rounding = pair_rounding(side.tensors, *rotation);
        for (const double position : side.positions.values) {
            if (told_at(held.rotations[i].heads.front(), rotation->heads.front(), position,
                        rounding)) {
                return false;
            }
        }
        if (!residual_of(side.tensors, side.name, side.positions, *rotation, held.table).none()) {
            return false;
        }
    }
    return true;
}

/// The first power of two at which a token tells the two apart; empty if none up to 2^17 does.
std::optional<Index> telling_position(const Held& held, const ExpectedPart& other) {
    const StatedSide& side = held.sides.front();
    const auto rotation = rotation_of(other, side.tensors.before.channels, side.positions);
    const double rounding = pair_rounding(side.tensors, *rotation);
    constexpr Index kFarthest = 131072;
    for (Index position = 1; position <= kFarthest; position *= 2) {
        if (told_at(held.rotations.front().heads.front(), rotation->heads.front(),
                    to_double(position), rounding)) {
            return position;
        }
    }
    return std::nullopt;
}

std::optional<Words> not_told_from_others(const Held& held) {
    if (!held.part.spec || held.rotations.front().axes > 1 || held.part.scheme.heads.size() > 1) {
        return std::nullopt;
    }
    std::vector<Words> names;
    Index position = 0;
    constexpr std::size_t kMost = 3;
    for (const Other& other : others_than(*held.part.spec)) {
        const ExpectedPart part = part_of_spec(other.spec, false);
        const auto tells = alike_here(held, part) ? telling_position(held, part) : std::nullopt;
        if (tells && names.size() < kMost) {
            names.push_back(other.name);
            position = std::max(position, *tells);
        }
    }
    return names.empty() ? std::nullopt
                         : std::optional<Words>({say::kNotToldFrom, {names, position}});
}

/// The matrix of a pair that gives its first channel the other sign and keeps the second one.
bool negates_first(const PairMatrix& m) {
    return m[0] < -0.99 && m[3] > 0.99;
}

}  // namespace

Words words_of(const Residual& residual) {
    std::vector<Words> list;
    const auto add = [&](std::string_view noun, const std::vector<Index>& numbers) {
        if (!numbers.empty()) {
            list.push_back({say::kNumbers, {Numbers{noun, numbers}}});
        }
    };
    add("pair", residual.pairs);
    if (residual.still_channels) {
        list.emplace_back(say::kStillChannels);
    }
    add("token", residual.tokens);
    add("row", residual.rows);
    add("head", residual.heads);
    const Place place{.sides = residual.side, .layers = residual.layers};
    return {say::kLeftIn, {place, list}};
}

Finding mismatch_of(const Held& held) {
    const Residual& worst = worst_of(held.residuals);
    Index outside = 0, compared = 0;
    for (const Residual& residual : held.residuals) {
        outside += residual.outside;
        compared += residual.compared;
    }
    return {.code = "rotation",
            .words = {say::kLeft,
                      {outside, compared, words_of(worst), place_of_worst(worst), worst.worst}},
            .place = {worst.side},
            .measured = worst.worst,
            .expected = 1.0};
}

Words next_of_left(const Residual& left) {
    return {say::kLeftOfFound,
            {left.outside, left.compared, words_of(left), place_of_worst(left), left.worst}};
}

void add_table_note(const Held& held, std::vector<Finding>& findings) {
    if (!held.table.fast && !held.table.fixed_point()) {
        return;
    }
    Side sides = Side::none;
    double worst = 0.0;
    for (const Residual& residual : held.residuals) {
        sides = sides | residual.side;
        worst = std::max(worst, residual.worst_rad);
    }
    const Phrase& towards = held.table.towards == Towards::nearest ? say::kTowardsNearest
                            : held.table.towards == Towards::zero  ? say::kTowardsZero
                                                                   : say::kTowardsBelow;
    findings.push_back(
        {.code = held.table.fast ? faults::code("table.fast") : faults::code("table.q15"),
         .words = held.table.fast ? Words(say::kFastSines, {worst})
                                  : Words(say::kQ15Table,
                                          {held.table.steps, towards, 2.0 * unit_of(held.table)}),
         .place = {sides},
         .measured = held.table.fast ? Value(worst) : Value(held.table.steps),
         .weight = Weight::note});
}

Finding finding_behind(const Held& behind) {
    const std::vector<PairMatrix>& matrices = behind.rotations.front().behind;
    const bool negated = std::ranges::all_of(matrices, negates_first);
    Side sides = Side::none;
    for (const StatedSide& side : behind.sides) {
        sides = sides | side.name;
    }
    const Words turned(negated ? say::kFirstsNegated : say::kBehindRotation, {sides});
    return {faults::code("layout.other"),
            matrices.empty() ? Words(say::kInHalves, {sides}) : turned,
            {sides},
            {},
            {},
            Weight::equivalent};
}

std::vector<Words> not_shown_by(const Held& held) {
    std::vector<Words> open;
    const bool agree = std::ranges::all_of(
        held.sides, [](const StatedSide& side) { return axes_agree(side.positions); });
    if (held.part.axes() > 1 && agree) {
        open.emplace_back(say::kAxesNotShown);
    }
    if (const auto others = not_told_from_others(held)) {
        open.push_back(*others);
    }
    // Weights that were not permuted for the code give q and k in another order before they turn.
    if (std::ranges::all_of(held.residuals, &Residual::none)) {
        open.emplace_back(say::kWeightsNotShown);
    }
    return open;
}

}  // namespace ropescope::diagnosis
