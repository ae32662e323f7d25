// Tries other scales and roundings on tensors of 8 bits.
#include "core/diagnosis/held/grid_faults.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnosis/held/found_rotation.h"
#include "core/diagnosis/held/held_diagnosis.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/quantised/phrases.h"
#include "core/diagnosis/quantised/recognised_grid.h"
#include "core/diagnosis/tell/verdict.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

std::string rotated_name(Side side) {
    return std::string(to_string(side)) + "_rot";
}
std::string name_of(NumberGrid grid) {
    return std::string(to_string(grid));
}
std::string name_of(ScaleOf scale_of) {
    return std::string(to_string(scale_of));
}

/// The factors that some numbers have in common.
struct Factors {
    double low = 0.0, high = std::numeric_limits<double>::infinity();
    bool any() const { return low <= high; }
    double middle() const { return std::isinf(high) ? low : 0.5 * (low + high); }
};

/// What each group of numbers with a scale of its own is multiplied by beside the expected.
class FactorsOfSide {
  public:
    FactorsOfSide(const StatedSide& side, const ExpectedRotation& rotation, ScaleOf scale_of)
        : side_(side),
          rotation_(rotation),
          scale_of_(scale_of),
          share_(pair_rounding(side.tensors, rotation)),
          groups_(static_cast<std::size_t>(
              place(side.tensors.after.batch - 1, side.tensors.after.heads - 1,
                    side.tensors.after.length - 1, side.tensors.after.channels - 1) +
              1)) {
        const DumpTensor& tensor = side.tensors.after;
        for (Index b = 0; b < tensor.batch && all_any_; ++b) {
            for (Index h = 0; h < tensor.heads && all_any_; ++h) {
                for (Index l = 0; l < tensor.length && all_any_; ++l) {
                    add_row(b, h, l);
                }
            }
        }
    }

    /// Empty if some numbers of a group have no factor in common.
    std::vector<Factors> found() const { return all_any_ ? groups_ : std::vector<Factors>(); }
    /// The group of a number.
    Index place(Index b, Index h, Index l, Index c) const {
        const DumpTensor& t = side_.tensors.after;
        switch (scale_of_) {
            case ScaleOf::head:
                return h;
            case ScaleOf::token:
                return b * t.length + l;
            case ScaleOf::row:
                return (b * t.heads + h) * t.length + l;
            case ScaleOf::channel:
                return h * t.channels + c;
            default:
                return 0;
        }
    }

  private:
    void add_row(Index b, Index h, Index l) {
        const DumpTensor& after = side_.tensors.after;
        std::vector<double> x(static_cast<std::size_t>(after.channels)), y(x.size());
        side_.tensors.before.read(b, h, l, x);
        after.read(b, h, l, y);
        std::vector<double> wanted = x, allowed(x.size());
        for (std::size_t c = 0; c < x.size(); ++c) {
            allowed[c] = share_ * std::abs(x[c]);
        }
        const HeldHead& head = rotation_.head(h);
        for (std::size_t p = 0; p < rotation_.pairs.size(); ++p) {
            double angle = 0.0, error = 0.0;
            for (Index a = 0; a < rotation_.axes; ++a) {
                const std::size_t at =
                    p * static_cast<std::size_t>(rotation_.axes) + static_cast<std::size_t>(a);
                const double position = side_.positions.at(a, b, l);
                angle += head.omega[at] * position;
                error += head.error[at] * std::abs(position);
            }
            const auto [one, other] = rotation_.pairs[p];
            const auto [to_one, to_other] = rotation_.written[p];
            const double c = head.gain * std::cos(angle), s = head.gain * std::sin(angle);
            wanted[to_one] = x[one] * c - x[other] * s;
            wanted[to_other] = x[one] * s + x[other] * c;
            const double off = (share_ + std::min(error, 2.0)) * std::abs(head.gain) *
                               std::hypot(x[one], x[other]);
            allowed[to_one] = allowed[to_other] = off;
        }
        for (Index c = 0; c < after.channels; ++c) {
            add_number(after.quantised->cell(b, h, l, c, y[c]), wanted[c], allowed[c],
                       groups_[static_cast<std::size_t>(place(b, h, l, c))]);
        }
    }

    /// The factors f with f * wanted in the cell, for a wanted number that is off by `allowed`.
    void add_number(RoundedRange cell, double wanted, double allowed, Factors& group) {
        if (wanted < 0.0) {
            cell = {-cell.high, -cell.low};
            wanted = -wanted;
        }
        const double least = wanted - allowed, most = wanted + allowed;
        if (least > 0.0) {
            group.high = std::min(group.high, cell.high / least);
            group.low = std::max(group.low, cell.low / most);
        }
        all_any_ = all_any_ && group.any();
    }

    const StatedSide& side_;
    const ExpectedRotation& rotation_;
    ScaleOf scale_of_;
    double share_;
    std::vector<Factors> groups_;
    bool all_any_ = true;
};

/// A fault of one side, or what to give instead.
struct GridFault {
    std::optional<Finding> finding = {};
    Words next = {};
};

std::optional<GridFault> fault_of_rounding(const StatedSide& stated,
                                           const ExpectedRotation& rotation,
                                           const TableFormat& table) {
    for (const GridRounding rounding : {GridRounding::zero, GridRounding::below}) {
        StatedSide side = stated;
        side.tensors.after.quantised->rounding = rounding;
        if (residual_of(side.tensors, side.name, side.positions, rotation, table).none()) {
            const Phrase& said =
                rounding == GridRounding::zero ? say::kCutTowardsZero : say::kRoundedDown;
            return GridFault{Finding{
                faults::code("quantised.rounding"),
                {said, {rotated_name(side.name), name_of(side.tensors.after.quantised->grid)}},
                {side.name}}};
        }
    }
    return std::nullopt;
}

/// Whether the factors are the squares of the scales, which were then to be divided by.
bool are_squares(const Quantised& grid, const std::vector<Factors>& factors) {
    if (grid.scales->size() != factors.size()) {
        return false;
    }
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const double square = (*grid.scales)[i] * (*grid.scales)[i];
        if (square < factors[i].low || square > factors[i].high) {
            return false;
        }
    }
    return true;
}

std::optional<GridFault> fault_of_scale(const StatedSide& side, const ExpectedRotation& rotation) {
    const Quantised& grid = *side.tensors.after.quantised;
    const std::string name = rotated_name(side.name);
    for (const ScaleOf scale_of :
         {ScaleOf::tensor, ScaleOf::head, ScaleOf::token, ScaleOf::row, ScaleOf::channel}) {
        const std::vector<Factors> factors = FactorsOfSide(side, rotation, scale_of).found();
        if (factors.empty()) {
            continue;
        }
        double least = factors.front().middle(), most = least;
        for (const Factors& each : factors) {
            least = std::min(least, each.middle());
            most = std::max(most, each.middle());
        }
        if (grid.scale_name.empty() && !grid.recognised) {
            return GridFault{.next = {say::kGiveScale,
                                      {name, name_of(grid.grid), name_of(scale_of), least, most}}};
        }
        if (!grid.scale_name.empty() && are_squares(grid, factors)) {
            return GridFault{.next = {say::kGiveReciprocal, {grid.scale_name}}};
        }
        const Words words = scale_of == ScaleOf::tensor
                                ? Words(say::kScaleFactor, {name, least})
                                : Words(say::kScaleFactors, {name, name_of(scale_of), least, most});
        return GridFault{Finding{faults::code("quantised.scale"), words, {side.name}, least, 1.0}};
    }
    return std::nullopt;
}

/// The largest number of a tensor.
double largest_of(const DumpTensor& tensor) {
    double largest = 0.0;
    std::vector<double> row(static_cast<std::size_t>(tensor.channels));
    for (Index b = 0; b < tensor.batch; ++b) {
        for (Index h = 0; h < tensor.heads; ++h) {
            for (Index l = 0; l < tensor.length; ++l) {
                tensor.read(b, h, l, row);
                for (const double x : row) {
                    largest = std::max(largest, std::abs(x));
                }
            }
        }
    }
    return largest;
}

/// Why nothing should have been cut; empty if the scale may be one that was fixed long before.
Words reason_not_to_cut(const StatedSide& side) {
    const Quantised& grid = *side.tensors.after.quantised;
    if (grid.scale_of == ScaleOf::token || grid.scale_of == ScaleOf::row) {
        return {say::kScalesChange, {name_of(grid.scale_of)}};
    }
    if (grid.scale_of == ScaleOf::tensor && !grid.recognised) {
        // The scale and the numbers were rounded to the format before.
        const double rounding = 2.0 * effective_format(side.tensors.before).unit + 0x1p-21;
        const double reach = grid.scales->front() * facts_of(grid.grid).largest;
        if (std::abs(reach / largest_of(side.tensors.before) - 1.0) <= rounding) {
            return say::kScaleOfInput;
        }
    }
    return {};
}

/// Whether floats of one side alone are numbers of 8 bits, which they were not before.
bool is_rounded_alone(const StatedSide& side, const Dump& dump) {
    const auto& other = side.name == Side::q ? dump.k : dump.q;
    return side.tensors.after.quantised->recognised && other && !other->after.quantised &&
           other->after.dtype == side.tensors.after.dtype && !recognised_grid(side.tensors.before);
}

void add_note(const StatedSide& side, const Dump& dump, Diagnosis& diagnosis) {
    const Quantised& grid = *side.tensors.after.quantised;
    const std::string name = rotated_name(side.name), kind = name_of(grid.grid);
    if (is_rounded_alone(side, dump)) {
        const Side other = side.name == Side::q ? Side::k : Side::q;
        diagnosis.next.push_back({say::kRoundedAlone, {name, kind, rotated_name(other)}});
    }
    const Words words =
        grid.recognised ? Words(say::kGridRecognised, {name, kind, name_of(grid.scale_of)})
        : grid.scale_name.empty()
            ? Words(say::kGridWithoutScale, {name, kind})
            : Words(say::kGridStated, {name, kind, name_of(grid.scale_of), grid.scale_name});
    diagnosis.findings.push_back({.code = faults::code("quantised"),
                                  .words = words,
                                  .place = {side.name},
                                  .measured = kind,
                                  .weight = Weight::note});
    const bool steps = grid.grid == NumberGrid::int8;
    const double hidden = steps ? 0.5 * *std::ranges::max_element(*grid.scales)
                                : std::ldexp(0.5, -facts_of(grid.grid).fraction);
    diagnosis.not_shown.push_back(
        {steps ? say::kStepsHide : say::kGridHides, {name, kind, hidden}});
}

void add_cut(const StatedSide& side, Index cut, Diagnosis& diagnosis) {
    const std::string name = rotated_name(side.name);
    const std::string kind = name_of(side.tensors.after.quantised->grid);
    const Words reason = reason_not_to_cut(side);
    diagnosis.findings.push_back({.code = faults::code("quantised.saturated"),
                                  .words = reason.empty()
                                               ? Words(say::kCut, {cut, name, kind})
                                               : Words(say::kSaturated, {cut, name, kind, reason}),
                                  .place = {side.name},
                                  .measured = cut,
                                  .weight = reason.empty() ? Weight::note : Weight::fault});
    diagnosis.not_shown.push_back({say::kCutHides, {cut, name, kind}});
}

/// Neighbours that turn by less than half a step may as well stay: then the first half of the
/// pairs, or a quarter, turns at the same speeds by the root of the base.
void add_open_width(const Dump& dump, Analysis& analysis) {
    for (const Explanation& side : analysis.sides) {
        const Index pairs = std::ssize(side.pairing.pairs);
        const DumpSide& tensors = side.side == Side::k ? *dump.k : *dump.q;
        if (side.pairing.layout != "interleaved" || !tensors.after.quantised || !side.model ||
            !side.model->base || 2 * pairs != side.model->rotary_dim) {
            continue;
        }
        for (const Index share : {2, 4}) {
            Explanation narrow = side;
            narrow.model->rotary_dim = 2 * (pairs / share);
            narrow.model->omega.resize(static_cast<std::size_t>(pairs / share));
            const auto left =
                residual_of_found(narrow, tensors, stated_positions(dump, side.side == Side::k));
            if (left && left->none()) {
                const double base = *side.model->base;
                analysis.diagnosis.next.push_back({say::kWidthOpen,
                                                   {2 * pairs, base, 2 * (pairs / share),
                                                    std::pow(base, 1.0 / to_double(share))}});
                return;
            }
        }
    }
}

}  // namespace

bool is_quantised(const Dump& dump) {
    return (dump.q && dump.q->after.quantised) || (dump.k && dump.k->after.quantised);
}

void add_grid_notes(const Dump& dump, const Held* held, Diagnosis& diagnosis) {
    const std::vector<StatedSide> stated = stated_sides(dump);
    for (std::size_t i = 0; i < stated.size(); ++i) {
        if (!stated[i].tensors.after.quantised) {
            continue;
        }
        add_note(stated[i], dump, diagnosis);
        const Index cut = held != nullptr ? held->residuals[i].cut : 0;
        if (cut > 0) {
            StatedSide side = stated[i];
            side.tensors.before = held->sides[i].tensors.before;  // behind its norm
            add_cut(side, cut, diagnosis);
        }
    }
    std::ranges::stable_sort(diagnosis.findings, {}, &Finding::weight);
}

void add_narrow_formats(const Dump& dump, Diagnosis& diagnosis) {
    const bool eight = std::ranges::any_of(diagnosis.findings, [](const Finding& finding) {
        return finding.code == faults::code("quantised");
    });
    if (eight || diagnosis.verdict == Verdict::invalid) {
        return;
    }
    for (const StatedSide& side : stated_sides(dump)) {
        const DumpTensor& after = side.tensors.after;
        const FloatFormat narrow = effective_format(after);
        if (!after.quantised && dtype_size(narrow.dtype) < dtype_size(after.dtype) &&
            narrow.unit > effective_format(side.tensors.before).unit) {
            diagnosis.not_shown.push_back(
                {say::kNarrowHides,
                 {rotated_name(side.name), std::string(numpy_name(after.dtype)),
                  std::string(numpy_name(narrow.dtype))}});
        }
    }
}

Analysis told_of_grids(const Dump& dump, Analysis analysis) {
    Diagnosis& diagnosis = analysis.diagnosis;
    if (diagnosis.verdict == Verdict::valid) {
        add_open_width(dump, analysis);
    } else {
        const std::vector<StatedSide> sides = stated_sides(dump);
        const auto coarse = std::ranges::find_if(
            sides, [](const StatedSide& side) { return side.tensors.after.quantised.has_value(); });
        diagnosis.next.insert(
            diagnosis.next.begin(),
            {say::kGridTooCoarse,
             {rotated_name(coarse->name), name_of(coarse->tensors.after.quantised->grid)}});
        for (Finding& finding : diagnosis.findings) {
            finding.weight = Weight::note;
        }
    }
    add_grid_notes(dump, nullptr, diagnosis);
    diagnosis.verdict = verdict_of(diagnosis);
    diagnosis.gist = gist_of(diagnosis, analysis.sides);
    return analysis;
}

std::optional<Analysis> with_grid_fault(const Dump& dump, const Expectation& expectation,
                                        const Held& held) {
    std::vector<Finding> found;
    std::vector<Words> next;
    for (std::size_t i = 0; i < held.sides.size(); ++i) {
        const StatedSide& side = held.sides[i];
        if (held.residuals[i].none()) {
            continue;
        }
        if (!side.tensors.after.quantised) {
            return std::nullopt;
        }
        auto fault = fault_of_rounding(side, held.rotations[i], held.table);
        fault = fault ? fault : fault_of_scale(side, held.rotations[i]);
        if (!fault) {
            return std::nullopt;
        }
        if (fault->finding) {
            found.push_back(*fault->finding);
        } else {
            next.push_back(fault->next);
        }
    }
    Analysis analysis = as_expected(dump, expectation, held);
    Diagnosis& diagnosis = analysis.diagnosis;
    diagnosis.findings.insert(diagnosis.findings.begin(), found.begin(), found.end());
    diagnosis.mismatches.insert(diagnosis.mismatches.begin(), found.begin(), found.end());
    diagnosis.next.insert(diagnosis.next.end(), next.begin(), next.end());
    for (const Residual& residual : held.residuals) {
        if (!residual.none() && !found.empty()) {
            diagnosis.unexplained.push_back(residual);
        }
    }
    diagnosis.verdict = verdict_of(diagnosis);
    diagnosis.gist = gist_of(diagnosis, analysis.sides);
    return analysis;
}

}  // namespace ropescope::diagnosis
