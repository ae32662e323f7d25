// Normalises rows of a dump in float64.
#include "core/diagnosis/held/taken_norm.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/diagnosis/held/changed_tensor.h"

namespace ropescope::diagnosis {
namespace {

/// The grid of a tensor whose channels are divided by the factors of a norm: so are their scales.
Quantised divided(const Quantised& given, const DumpTensor& tensor, const SideNorm& norm) {
    Quantised made = given;
    std::vector<double> scales, ends;
    for (Index b = 0; b < tensor.batch; ++b) {
        for (Index h = 0; h < tensor.heads; ++h) {
            for (Index l = 0; l < tensor.length; ++l) {
                for (Index c = 0; c < tensor.channels; ++c) {
                    const double factor = norm.factor(h, c, tensor.channels);
                    scales.push_back(given.scale(b, h, l, c) /
                                     (factor != 0.0 ? std::abs(factor) : 1.0));
                    ends.push_back(given.end(b, h, l, c));
                }
            }
        }
    }
    made.first = 0;
    made.channel_stride = 1;
    made.position_stride = tensor.channels;
    made.head_stride = tensor.length * made.position_stride;
    made.batch_stride = tensor.heads * made.head_stride;
    made.scales = std::make_shared<const std::vector<double>>(std::move(scales));
    made.ends = std::make_shared<const std::vector<double>>(std::move(ends));
    return made;
}

void replace_tensor(StatedSide& side, DumpTensor DumpSide::*which,
                    const std::function<void(Index, Index, Index, std::span<double>)>& change) {
    ChangedTensor made = changed(side.tensors.*which, Dtype::f64, change);
    side.tensors.*which = made.view;
    side.owner = both_owners(side.owner, made.owner);
}

/// The norm of every row of a tensor, or of every token if it is one over all heads.
class RowNorms {
  public:
    RowNorms(const DumpTensor& tensor, const SideNorm& norm) : tensor_(tensor), norm_(norm) {
        const Index heads = norm.over_all_heads ? 1 : tensor.heads;
        std::vector<double> row(tensor.channels);
        for (Index b = 0; b < tensor.batch; ++b) {
            for (Index h = 0; h < heads; ++h) {
                for (Index l = 0; l < tensor.length; ++l) {
                    norms_.push_back(norm_at(b, h, l, row));
                }
            }
        }
    }

    const NormOfRow& at(Index b, Index h, Index l) const {
        const Index heads = norm_.over_all_heads ? 1 : tensor_.heads;
        return norms_[(b * heads + (norm_.over_all_heads ? 0 : h)) * tensor_.length + l];
    }

  private:
    NormOfRow norm_at(Index b, Index h, Index l, std::vector<double>& row) const {
        double sum = 0.0, squares = 0.0;
        const Index last = norm_.over_all_heads ? tensor_.heads - 1 : h;
        for (Index head = norm_.over_all_heads ? 0 : h; head <= last; ++head) {
            tensor_.read(b, head, l, row);
            for (const double x : row) {
                sum += x;
                squares += x * x;
            }
        }
        const Index count = tensor_.channels * (norm_.over_all_heads ? tensor_.heads : 1);
        return norm_of_sums(norm_.norm, sum, squares, count);
    }

    const DumpTensor& tensor_;
    const SideNorm& norm_;
    std::vector<NormOfRow> norms_;
};

void apply(const NormOfRow& norm, std::span<double> row) {
    for (double& x : row) {
        x = (x - norm.shift) * norm.scale;
    }
}

void multiply_weights(const SideNorm& norm, Index head, std::span<double> row) {
    for (Index c = 0; c < std::ssize(row); ++c) {
        row[c] *= norm.factor(head, c, std::ssize(row));
    }
}

/// The rotation of a row, or what undoes it.
class Turn {
  public:
    Turn(const ExpectedRotation& rotation, const DumpPositions& positions)
        : rotation_(rotation), positions_(positions) {}

    void operator()(Index row, Index head, Index token, bool back, std::span<double> x) const {
        const HeldHead& turning = rotation_.head(head);
        for (Index p = 0; p < std::ssize(rotation_.pairs); ++p) {
            double angle = 0.0;
            for (Index a = 0; a < rotation_.axes; ++a) {
                angle += turning.omega[p * rotation_.axes + a] * positions_.at(a, row, token);
            }
            const double gain = back ? 1.0 / turning.gain : turning.gain;
            const double c = gain * std::cos(angle), s = gain * std::sin(back ? -angle : angle);
            const auto [first, second] = rotation_.pairs[p];
            const double a = x[first], b = x[second];
            x[first] = a * c - b * s;
            x[second] = a * s + b * c;
        }
    }

  private:
    const ExpectedRotation& rotation_;
    const DumpPositions& positions_;
};

void take_norm_after(StatedSide& side, const ExpectedRotation& rotation) {
    const SideNorm& norm = *side.norm;
    const Turn turn(rotation, side.positions);
    replace_tensor(side, &DumpSide::before, [&](Index b, Index h, Index l, std::span<double> row) {
        turn(b, h, l, false, row);
    });
    const DumpTensor turned = side.tensors.before;
    const RowNorms norms(turned, norm);
    const DumpTensor behind = side.tensors.after;
    replace_tensor(side, &DumpSide::after, [&](Index, Index h, Index, std::span<double> row) {
        for (Index c = 0; c < std::ssize(row); ++c) {
            const double factor = norm.factor(h, c, std::ssize(row));
            row[c] = factor != 0.0 ? row[c] / factor : row[c];
        }
    });
    if (behind.quantised) {
        side.tensors.after.quantised = divided(*behind.quantised, behind, norm);
    }
    replace_tensor(side, &DumpSide::before, [&](Index b, Index h, Index l, std::span<double> row) {
        apply(norms.at(b, h, l), row);
        std::vector<double> stored(row.size());
        behind.read(b, h, l, stored);
        for (Index c = 0; c < std::ssize(row); ++c) {
            // A weight of 0 must leave 0 behind, and tells no more.
            row[c] =
                norm.factor(h, c, std::ssize(row)) == 0.0 && stored[c] != 0.0 ? HUGE_VAL : row[c];
        }
        turn(b, h, l, true, row);
    });
}

double length_of(std::span<const double> row) {
    double squares = 0.0;
    for (const double x : row) {
        squares += x * x;
    }
    return std::sqrt(squares);
}

Index numbers_in_row(const StatedSide& side) {
    const DumpTensor& tensor = side.tensors.before;
    return tensor.channels * (side.norm->over_all_heads ? tensor.heads : 1);
}

/// What the rounding of a norm adds, as a share of a length.
double norm_share_of(const StatedSide& side, const FloatFormat& behind) {
    const bool sixteen = behind.unit > kUnitOfF32;
    return norm_units(numbers_in_row(side)) * kUnitOfF32 + (sixteen ? behind.unit : 0.0);
}

}  // namespace

void take_norm(StatedSide& side, ExpectedRotation& rotation) {
    rotation.format_behind = format_of_rotation(side.tensors);
    rotation.norm_share = norm_share_of(side, *rotation.format_behind);
    const SideNorm& norm = *side.norm;
    if (norm.norm.order == NormOrder::after) {
        take_norm_after(side, rotation);
        return;
    }
    const DumpTensor given = side.tensors.before;
    const RowNorms norms(given, norm);
    replace_tensor(side, &DumpSide::before, [&](Index b, Index h, Index l, std::span<double> row) {
        apply(norms.at(b, h, l), row);
        multiply_weights(norm, h, row);
    });
}

void take_norm_by_length(StatedSide& side) {
    if (!side.norm) {
        return;
    }
    const SideNorm& norm = *side.norm;
    const bool after = norm.norm.order == NormOrder::after;
    const FloatFormat format = format_of_rotation(side.tensors);
    if (after) {
        replace_tensor(side, &DumpSide::after, [&](Index, Index h, Index, std::span<double> row) {
            for (Index c = 0; c < std::ssize(row); ++c) {
                const double factor = norm.factor(h, c, std::ssize(row));
                row[c] /= factor != 0.0 ? factor : 1.0;
            }
        });
    }
    const DumpTensor given = side.tensors.before, behind = side.tensors.after;
    const RowNorms norms(given, norm);
    if (!behind.quantised) {
        side.tensors.after.stored = format.dtype;
        side.tensors.after.norm_share = norm_share_of(side, format);
    }
    replace_tensor(side, &DumpSide::before, [&](Index b, Index h, Index l, std::span<double> row) {
        if (!after) {
            apply(norms.at(b, h, l), row);
            multiply_weights(norm, h, row);
        }
        std::vector<double> stored(row.size());
        behind.read(b, h, l, stored);
        const double length = length_of(row), share = length_of(stored) / length;
        for (double& x : row) {
            x *= length > 0.0 ? share : 1.0;
        }
    });
    if (behind.quantised) {
        side.tensors.before.stored = format.dtype;
        side.tensors.before.norm_share = norm_share_of(side, format);
    }
}

std::vector<double> scales_of_norm(const StatedSide& side) {
    StatedSide normed = side;
    ExpectedRotation still{.heads = {HeldHead()}};
    if (normed.norm) {
        take_norm(normed, still);
    }
    const DumpTensor &x = normed.tensors.before, &y = normed.tensors.after;
    std::vector<double> scales, row(x.channels), stored(x.channels);
    for (Index b = 0; b < x.batch; ++b) {
        for (Index h = 0; h < x.heads; ++h) {
            for (Index l = 0; l < x.length; ++l) {
                x.read(b, h, l, row);
                y.read(b, h, l, stored);
                const double length = length_of(row);
                scales.push_back(length > 0.0 ? length_of(stored) / length : 1.0);
            }
        }
    }
    return scales;
}

}  // namespace ropescope::diagnosis
