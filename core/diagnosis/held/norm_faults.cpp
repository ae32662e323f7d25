// Tries other norms on a dump that the expected one does not explain.
#include "core/diagnosis/held/norm_faults.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/diagnosis/held/taken_norm.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// Makes the faults of one side.
class FaultsOfNorm {
  public:
    FaultsOfNorm(const StatedSide& side, const std::optional<SideNorm>& other)
        : side_(side), own_(*side.norm), other_(other) {}

    std::vector<NormFault> all() {
        add_eps();
        add_plus_one();
        add_weights();
        add_order();
        add_width();
        add_kind();
        add_missing();
        add_low_precision();
        return std::move(faults_);
    }

  private:
    void add(const char* code, Words words, std::optional<SideNorm> norm, Value measured = {},
             Value expected = {}, double extra = 0.0) {
        faults_.push_back(
            {.finding =
                 {code, std::move(words), {side_.name}, std::move(measured), std::move(expected)},
             .norm = std::move(norm),
             .extra_share = extra});
    }

    void add_one_eps(double eps) {
        if (std::abs(eps - own_.norm.eps) > 1e-3 * own_.norm.eps) {
            SideNorm norm = own_;
            norm.norm.eps = eps;
            // None comes before those that are too small to be told from it.
            add(faults::code("norm.eps"),
                eps == 0.0 ? Words(say::kNormNoEps, {side_.name, own_.norm.eps})
                           : Words(say::kNormEps, {side_.name, eps, own_.norm.eps}),
                norm, eps, own_.norm.eps);
        }
    }

    void add_slips() {
        SideNorm outside = own_, less = own_;
        outside.norm.slip = NormSlip::eps_outside;
        less.norm.slip = NormSlip::one_less;
        add(faults::code("norm.eps"), {say::kEpsOutside, {side_.name, own_.norm.eps}}, outside);
        if (own_.norm.kind != NormKind::l2) {
            const Index count = side_.tensors.before.channels *
                                (own_.over_all_heads ? side_.tensors.before.heads : 1);
            add(faults::code("norm.width"), {say::kNormOneLess, {side_.name, count - 1, count}},
                less, to_double(count - 1), to_double(count));
        }
    }

    /// The values that models have, and the one that the lengths show.
    void add_eps() {
        for (const double eps : {1e-6, 1e-5, 1e-4, 1e-3, 0.0, 0x1p-23, 1e-7, 1e-8, 1e-12}) {
            add_one_eps(eps);
        }
        add_slips();
        if (const auto eps = measured_eps(); eps && *eps > 0.0) {
            const double step = std::pow(10.0, std::floor(std::log10(*eps)) - 1.0);
            add_one_eps(std::round(*eps / step) * step);
        }
    }

    /// The length behind is |x| w / sqrt(m + eps), by one of each row; the median tells.
    std::optional<double> measured_eps() const {
        if (own_.over_all_heads || own_.norm.kind == NormKind::layer) {
            return std::nullopt;
        }
        const std::vector<double> scales = scales_of_norm(side_);
        const DumpTensor& x = side_.tensors.before;
        std::vector<double> found, row(x.channels);
        for (Index at = 0; at < std::ssize(scales); ++at) {
            x.read(at / (x.heads * x.length), at / x.length % x.heads, at % x.length, row);
            const double scale = norm_of(own_.norm, row).scale;
            const double mean = 1.0 / (scale * scale) - own_.norm.eps;
            found.push_back((mean + own_.norm.eps) / (scales[at] * scales[at]) - mean);
        }
        std::ranges::nth_element(found, found.begin() + std::ssize(found) / 2);
        return found[found.size() / 2];
    }

    void add_plus_one() {
        SideNorm norm = own_;
        if (own_.norm.kind == NormKind::rms_plus_one) {
            norm.norm.kind = NormKind::rms;
            add(faults::code("norm.plus_one"), {say::kPlusOneMissing, {side_.name}}, norm);
        } else if (own_.norm.kind == NormKind::rms && !own_.weights.empty()) {
            norm.norm.kind = NormKind::rms_plus_one;
            add(faults::code("norm.plus_one"), {say::kPlusOneTooMuch, {side_.name}}, norm);
        }
    }

    void add_weights() {
        const Index width = side_.tensors.before.channels * side_.tensors.before.heads;
        if (other_ && other_->weights != own_.weights &&
            (std::ssize(other_->weights) == side_.tensors.before.channels ||
             std::ssize(other_->weights) == width)) {
            SideNorm norm = own_;
            norm.weights = other_->weights;
            add(faults::code("norm.weights"),
                {say::kWeightsExchanged, {side_.name, side_.name == Side::q ? Side::k : Side::q}},
                norm);
        }
        if (!own_.weights.empty()) {
            SideNorm reversed = own_;
            std::ranges::reverse(reversed.weights);
            if (reversed.weights != own_.weights) {
                add(faults::code("norm.weights"), {say::kWeightsReversed, {side_.name}}, reversed);
            }
            SideNorm norm = own_;
            norm.weights.clear();
            norm.norm.kind =
                own_.norm.kind == NormKind::rms_plus_one ? NormKind::rms : own_.norm.kind;
            add(faults::code("norm.weights"), {say::kWeightsMissing, {side_.name}}, norm);
        }
    }

    void add_order() {
        SideNorm norm = own_;
        const bool before = own_.norm.order == NormOrder::before;
        norm.norm.order = before ? NormOrder::after : NormOrder::before;
        add(faults::code("norm.order"),
            {say::kNormOrder,
             {side_.name, std::string(to_string(norm.norm.order)),
              std::string(to_string(own_.norm.order))}},
            norm, std::string(to_string(norm.norm.order)), std::string(to_string(own_.norm.order)));
    }

    void add_width() {
        const Index heads = side_.tensors.before.heads, channels = side_.tensors.before.channels;
        if (heads > 1) {
            SideNorm norm = own_;
            norm.over_all_heads = !own_.over_all_heads;
            const Index found = norm.over_all_heads ? heads * channels : channels;
            const Index expected = own_.over_all_heads ? heads * channels : channels;
            add(faults::code("norm.width"), {say::kNormWidth, {side_.name, found, expected}}, norm,
                to_double(found), to_double(expected));
        }
    }

    void add_kind() {
        for (const NormKind kind : {NormKind::rms, NormKind::layer, NormKind::l2}) {
            const bool same = kind == own_.norm.kind ||
                              (kind == NormKind::rms && own_.norm.kind == NormKind::rms_plus_one);
            if (same) {
                continue;
            }
            add_one_kind(kind, own_.norm.eps);
            if (kind == NormKind::l2) {
                // Functions that divide by the length take the eps for a bound of it.
                add_one_kind(kind, 0.0);
            }
        }
    }

    void add_one_kind(NormKind kind, double eps) {
        SideNorm norm = own_;
        norm.norm.kind = kind;
        norm.norm.eps = eps;
        if (own_.norm.kind == NormKind::rms_plus_one) {
            std::ranges::for_each(norm.weights, [](double& weight) { weight += 1.0; });
        }
        add(faults::code("norm.kind"),
            {say::kNormKind,
             {side_.name, std::string(to_string(kind)), std::string(to_string(own_.norm.kind))}},
            norm, std::string(to_string(kind)), std::string(to_string(own_.norm.kind)));
    }

    void add_missing() {
        add(faults::code("norm.missing"), {say::kNormMissing, {side_.name}}, std::nullopt);
    }

    /// Squares, their mean, its root, and the products with it and with the weights: each rounded.
    void add_low_precision() {
        constexpr double kRoundings = 5.0;
        const double unit = effective_format(side_.tensors.after).unit;
        for (const Dtype dtype : {Dtype::f16, Dtype::bf16}) {
            if (unit < 0x1p-3 * format_of(dtype).unit) {
                add(faults::code("norm.low_precision"),
                    {say::kNormCoarse, {side_.name, std::string(numpy_name(dtype))}}, own_,
                    std::string(numpy_name(dtype)), "float32", kRoundings * format_of(dtype).unit);
            }
        }
    }

    const StatedSide& side_;
    const SideNorm& own_;
    const std::optional<SideNorm>& other_;
    std::vector<NormFault> faults_;
};

/// Whether a table could be seen behind the rounding of a side.
bool shows(const TableFormat& table, const StatedSide& side, const ExpectedRotation& rotation) {
    return rotation.format_behind.value_or(format_of_rotation(side.tensors)).unit < unit_of(table);
}

/// What is left with a table; the first tokens show soon that a table is another one.
std::optional<Residual> none_left_with(const TableFormat& table, const StatedSide& side,
                                       const ExpectedRotation& rotation) {
    constexpr Index kFew = 16;
    const auto of_tokens = [&](Index count) {
        const DumpSide some = first_tokens(side.tensors, count);
        return residual_of(some, side.name, side.positions, rotation, table);
    };
    if (!of_tokens(kFew).none()) {
        return std::nullopt;
    }
    const Residual all = of_tokens(side.tensors.before.length);
    return all.none() ? std::optional(all) : std::nullopt;
}

/// Sets the side, rotation, residual and table of `held` to those of the first fault that explains
/// them: first with the table that is known, then, `with_tables`, with any that models have.
std::optional<Finding> explain_norm(const StatedSide& stated, const std::optional<SideNorm>& other,
                                    std::size_t at, bool with_tables, Held& held) {
    const auto rotation = rotation_of(held.part, stated.tensors.before.channels, stated.positions);
    if (!rotation) {
        return std::nullopt;
    }
    std::vector<TableFormat> tables = {held.table};
    if (with_tables && held.table.exact()) {
        std::ranges::copy(known_tables(), std::back_inserter(tables));
    }
    const std::vector<NormFault> faults = faults_of_norm(stated, other);
    for (const bool coarse : {false, true}) {
        for (const TableFormat& table : tables) {
            for (const NormFault& fault : faults) {
                if ((fault.extra_share > 0.0) != coarse || (coarse && lengths_fit(stated, 0.0))) {
                    // A table explains as much as a norm in 16 bits, and is known better; and such
                    // a norm changes lengths.
                    continue;
                }
                StatedSide side = stated;
                side.norm = fault.norm;
                ExpectedRotation own = *rotation;
                if (side.norm) {
                    take_norm(side, own);
                }
                own.norm_share += fault.extra_share;
                if (!table.exact() && !shows(table, side, own)) {
                    continue;
                }
                if (const auto left = none_left_with(table, side, own)) {
                    held.sides[at] = side;
                    held.rotations[at] = own;
                    held.residuals[at] = *left;
                    held.table = table;
                    return fault.finding;
                }
            }
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<NormFault> faults_of_norm(const StatedSide& side,
                                      const std::optional<SideNorm>& other) {
    return FaultsOfNorm(side, other).all();
}

double rounding_of_lengths(const StatedSide& stated) {
    StatedSide side = stated;
    ExpectedRotation still{.heads = {HeldHead()}};
    if (side.norm) {
        take_norm(side, still);
    }
    return still.norm_share + kRotationUnits * effective_format(stated.tensors.after).unit +
           0x1p-22;
}

bool lengths_fit(const StatedSide& stated, double extra) {
    const double allowed = rounding_of_lengths(stated) + extra;
    return std::ranges::all_of(scales_of_norm(stated),
                               [&](double scale) { return std::abs(scale - 1.0) <= allowed; });
}

std::optional<HeldWithFaults> held_with_norm_faults(const Dump& dump, const Held& given) {
    Held held = given;
    if (given.met()) {
        if (!given.table.fast) {
            return std::nullopt;
        }
        held.table = {};
        hold_again(held);
    }
    HeldWithFaults found{.held = held, .faults = {}};
    const std::vector<StatedSide> stated = stated_sides(dump);
    for (std::size_t i = 0; i < stated.size(); ++i) {
        if (held.residuals[i].none()) {
            continue;
        }
        const auto fault =
            stated[i].norm
                ? explain_norm(stated[i], stated[i].name == Side::q ? dump.k_norm : dump.q_norm, i,
                               !given.met(), found.held)
                : std::nullopt;
        if (!fault) {
            return std::nullopt;
        }
        found.faults.push_back(*fault);
    }
    return found;
}

Side sides_accused_by(const std::vector<Finding>& faults) {
    Side sides = Side::none;
    for (const Finding& fault : faults) {
        sides = sides | fault.place.sides;
    }
    return sides;
}

std::vector<Finding> notes_of_norms(const Dump& dump, Side wrong) {
    std::vector<Finding> notes;
    for (const StatedSide& side : stated_sides(dump)) {
        if (!side.norm || contains(wrong, side.name)) {
            continue;
        }
        const SideNorm& norm = *side.norm;
        const DumpTensor& tensor = side.tensors.before;
        const Index width = tensor.channels * (norm.over_all_heads ? tensor.heads : 1);
        const bool known = !notes.empty() && norm == *dump.q_norm;
        if (known) {
            notes.front().place.sides = Side::both;
        } else {
            notes.push_back({.code = faults::code("norm"), .weight = Weight::note});
            notes.back().place.sides = side.name;
        }
        Finding& note = notes.back();
        note.words = {say::kNormTaken,
                      {note.place.sides, std::string(to_string(norm.norm.order)),
                       std::string(to_string(norm.norm.kind)), width, norm.norm.eps,
                       norm.weights.empty() ? say::kNoWeights : say::kItsWeights}};
        note.measured = std::string(to_string(norm.norm.kind));
    }
    return notes;
}

}  // namespace ropescope::diagnosis
