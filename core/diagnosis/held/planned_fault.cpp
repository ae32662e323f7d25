// Makes the faults of the catalogue and compares.
#include "core/diagnosis/held/planned_fault.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/phrases.h"
#include "core/faults/rotation/catalogue.h"
#include "core/faults/rotation/near_faults.h"

namespace ropescope::diagnosis {
namespace {

std::vector<double> numbers_of(const DumpTensor& tensor) {
    std::vector<double> numbers(
        static_cast<std::size_t>(tensor.batch * tensor.heads * tensor.length * tensor.channels));
    auto out = std::span(numbers);
    for (Index b = 0; b < tensor.batch; ++b) {
        for (Index h = 0; h < tensor.heads; ++h) {
            for (Index l = 0; l < tensor.length; ++l) {
                tensor.read(b, h, l, out.first(static_cast<std::size_t>(tensor.channels)));
                out = out.subspan(static_cast<std::size_t>(tensor.channels));
            }
        }
    }
    return numbers;
}

/// [axes, batch, length], with a row of positions for each row of the tensor.
std::vector<double> positions_of_rows(const DumpPositions& positions, Index batch) {
    std::vector<double> values;
    for (Index a = 0; a < positions.axes; ++a) {
        for (Index b = 0; b < batch; ++b) {
            for (Index l = 0; l < positions.length; ++l) {
                values.push_back(positions.at(a, b, l));
            }
        }
    }
    return values;
}

/// What fp32 may make of the speeds of a plan, [heads, pairs, axes], in radians for each position.
std::vector<double> speed_errors(const std::vector<double>& omega) {
    std::vector<double> size;
    for (const double speed : omega) {
        size.push_back(speed == 0.0 ? 1.0 : std::abs(speed));
    }
    std::vector<double> errors = frequency_errors(size);
    for (std::size_t i = 0; i < omega.size(); ++i) {
        errors[i] = omega[i] == 0.0 ? 0.0 : errors[i];
    }
    return errors;
}

/// One side of the dump as numbers, and the right plan of it.
class PlannedSide {
  public:
    PlannedSide(const Held& held, std::size_t place)
        : side_(held.sides[place]),
          x_(numbers_of(side_.tensors.before)),
          y_(numbers_of(side_.tensors.after)),
          after_(format_of_rotation(side_.tensors)),
          share_(pair_rounding(side_.tensors, held.rotations[place])) {
        const DumpTensor& tensor = side_.tensors.before;
        low_ = high_ = y_;
        add_cells(tensor.batch, tensor.heads, tensor.length, tensor.channels);
        right_ = faults::plan_of(held.part.scheme,
                                 {tensor.batch, tensor.heads, tensor.length, tensor.channels},
                                 positions_of_rows(side_.positions, tensor.batch));
        spec_ = held.part.spec;
    }

    /// The faults that make all of the side: of the catalogue, or else one with a number of its
    /// own.
    std::vector<faults::NamedFault> matching() const {
        std::vector<faults::NamedFault> found;
        const RopeSpec* spec = spec_ ? &*spec_ : nullptr;
        for (const faults::RotationFault& fault : faults::rotation_faults()) {
            const auto plan = plan_with(fault, {right_, spec});
            if (plan && is_made_by(*plan)) {
                found.push_back({std::string(fault.code), std::string(fault.text)});
            }
        }
        if (found.empty()) {
            const auto near = find_near_fault(
                right_, spec, [&](const faults::RotationPlan& plan) { return is_made_by(plan); });
            if (near) {
                found.push_back(*near);
            }
        }
        return found;
    }

  private:
    /// Numbers that were rounded to 8 bits may be any in their cells.
    void add_cells(Index batch, Index heads, Index length, Index channels) {
        if (!side_.tensors.after.quantised) {
            return;
        }
        const Quantised& grid = *side_.tensors.after.quantised;
        std::size_t i = 0;
        for (Index b = 0; b < batch; ++b) {
            for (Index h = 0; h < heads; ++h) {
                for (Index l = 0; l < length; ++l) {
                    for (Index c = 0; c < channels; ++c, ++i) {
                        const Cell cell = grid.cell(b, h, l, c, y_[i]);
                        low_[i] = cell.low;
                        high_[i] = cell.high;
                    }
                }
            }
        }
    }

    bool is_made_by(const faults::RotationPlan& plan) const {
        const std::vector<double> wanted = faults::rotated(plan, x_);
        const std::vector<double> speed_error = speed_errors(plan.omega_rad);
        const faults::HeadShape& shape = plan.shape;
        std::vector<double> allowed(static_cast<std::size_t>(shape.head_dim));
        for (Index b = 0; b < shape.batch; ++b) {
            for (Index h = 0; h < shape.heads; ++h) {
                for (Index l = 0; l < shape.length; ++l) {
                    allow(plan, speed_error, b, h, l, allowed);
                    const Index row = shape.row(b, h, l);
                    for (Index c = 0; c < shape.head_dim; ++c) {
                        const double own = wanted[row + c];
                        if (!(own >= low_[row + c] - allowed[c] &&
                              own <= high_[row + c] + allowed[c])) {
                            return false;
                        }
                    }
                }
            }
        }
        return true;
    }

    /// What the numbers of a head at a token may be off by: channels that stay by their rounding,
    /// those of a pair by the share of its length that held/residual.h allows.
    void allow(const faults::RotationPlan& plan, const std::vector<double>& speed_error, Index b,
               Index h, Index l, std::vector<double>& allowed) const {
        const Index row = plan.shape.row(b, h, l);
        for (Index c = 0; c < plan.shape.head_dim; ++c) {
            allowed[c] = after_.unit * std::abs(x_[row + c]) + 4.0 * after_.smallest;
        }
        for (Index p = 0; p < std::ssize(plan.pairs); ++p) {
            double angle_error = 0.0;
            for (Index a = 0; a < plan.axes; ++a) {
                angle_error +=
                    speed_error[plan.omega_at(h, p) + a] * std::abs(plan.position_of(a, b, h, l));
            }
            const auto [first, second] = plan.pairs[p];
            const double length = std::hypot(x_[row + first], x_[row + second]);
            const double of_pair =
                length * std::abs(plan.gain) * (share_ + std::min(angle_error, 2.0)) +
                4.0 * after_.smallest;
            allowed[plan.written[p].first] = std::max(allowed[plan.written[p].first], of_pair);
            allowed[plan.written[p].second] = std::max(allowed[plan.written[p].second], of_pair);
        }
    }

    const StatedSide& side_;
    std::vector<double> x_, y_, low_, high_;
    FloatFormat after_;
    double share_ = 0.0;
    faults::RotationPlan right_ = {};
    std::optional<RopeSpec> spec_ = {};
};

bool can_be_planned(const Held& held, const StatedSide& side) {
    const DumpTensor& tensor = side.tensors.before;
    return tensor.channels == held.part.scheme.head_dim && !side.norm && held.table.exact() &&
           side.positions.axes == held.part.axes() &&
           tensor.batch * tensor.heads * tensor.length * tensor.channels <= kMostPlannedNumbers;
}

}  // namespace

std::optional<Finding> planned_fault(const Held& held) {
    std::optional<faults::NamedFault> named;
    Side sides = Side::none;
    for (std::size_t i = 0; i < held.sides.size(); ++i) {
        if (held.residuals[i].none()) {
            continue;
        }
        if (!can_be_planned(held, held.sides[i])) {
            return std::nullopt;
        }
        const std::vector<faults::NamedFault> found = PlannedSide(held, i).matching();
        if (found.size() != 1 || (named && found.front().text != named->text)) {
            return std::nullopt;
        }
        named = found.front();
        sides = sides | held.sides[i].name;
    }
    if (!named) {
        return std::nullopt;
    }
    return Finding{
        .code = named->code,
        .words = {sides == Side::both ? say::kBothAsIf : say::kAsIf, {sides, named->text}},
        .place = {sides}};
}

}  // namespace ropescope::diagnosis
