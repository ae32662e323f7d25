// Tries scales on the numbers of a tensor, one number after the other.
#include "core/diagnosis/quantised/recognised_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/diagnosis/rounding.h"

namespace ropescope::diagnosis {
namespace {

/// A scale that explains the numbers so far.
struct Fit {
    double low = 0.0, high = 0.0;  ///< bounds of the scale
    double bits = 0.0;             ///< what they would be by chance, as a power of 1/2
    /// Of FP8: the lowest bit and the exponent of the largest number, in steps of the scale.
    int lowest_bit = std::numeric_limits<int>::max(), highest = std::numeric_limits<int>::min();
    double largest = 0.0;  ///< in scales
};

/// What is tried: a grid, and the rounding of its numbers when they were stored.
struct Trial {
    GridFacts facts;
    double rounding = 0.0;  ///< as a share of a number
};

/// What a number is in units of its step, whole if it is on the grid, and that step's exponent.
struct InSteps {
    double steps = 0.0;
    int exponent = 0;
};
InSteps in_steps(const GridFacts& facts, double scaled) {
    if (facts.fraction == 0) {
        return {scaled, 0};
    }
    const int exponent = std::ilogb(scaled) - facts.fraction;
    return {std::ldexp(scaled, -exponent), exponent};
}

/// Adds a number, which is positive; false if it is not on the grid with this scale.
bool add(const Trial& trial, double number, Fit& fit) {
    const double middle = 0.5 * (fit.low + fit.high);
    const auto [steps, exponent] = in_steps(trial.facts, number / middle);
    const double whole = std::round(steps);
    const double share = trial.rounding + (fit.high - fit.low) / (2.0 * middle) + 0x1p-50;
    const double allowed = steps * share;
    if (trial.facts.fraction == 0 && (whole < 1.0 ? allowed < 0.5 : whole > 128.0)) {
        return false;
    }
    if (allowed < 0.5) {
        if (std::abs(steps - whole) > allowed) {
            return false;
        }
        const double unit = std::ldexp(whole, exponent);
        fit.low = std::max(fit.low, number / ((1.0 + trial.rounding) * unit));
        fit.high = std::min(fit.high, number / ((1.0 - trial.rounding) * unit));
        if (fit.low > fit.high) {
            return false;
        }
        fit.bits -= std::log2(2.0 * std::max(allowed, 0x1p-60));
        int trailing = 0;
        for (auto n = static_cast<Index>(whole); n > 0 && n % 2 == 0; n /= 2) {
            ++trailing;
        }
        fit.lowest_bit = std::min(fit.lowest_bit, exponent + trailing);
    }
    fit.largest = std::max(fit.largest, number / middle);
    return true;
}

/// All scales by which a first number may be on the grid.
std::vector<Fit> first_fits(const Trial& trial, double number) {
    const int fraction = trial.facts.fraction;
    const Index from = fraction == 0 ? 1 : Index{1} << fraction;
    const Index to = fraction == 0 ? 127 : 2 * from - 1;
    std::vector<Fit> fits;
    for (Index n = from; n <= to; ++n) {
        const double scale = number / to_double(n);
        Fit fit{.low = scale / (1.0 + trial.rounding), .high = scale / (1.0 - trial.rounding)};
        fit.bits = -std::log2(to_double(to - from + 1));
        if (add(trial, number, fit)) {
            fit.bits = -std::log2(to_double(to - from + 1));
            fits.push_back(fit);
        }
    }
    return fits;
}

/// Sets the scale of FP8, of which powers of two are open: the coarsest by which no number falls
/// between the smallest of the grid. False if the numbers reach further than the grid.
bool fix_power(const Trial& trial, Fit& fit) {
    if (trial.facts.fraction == 0 || fit.largest == 0.0) {
        return true;
    }
    const int power = fit.lowest_bit - (trial.facts.lowest - trial.facts.fraction);
    const double factor = std::ldexp(1.0, power);
    fit.low *= factor;
    fit.high *= factor;
    fit.largest /= factor;
    return fit.largest <= trial.facts.largest * (1.0 + 0x1p-6);
}

/// Where the numbers may have been cut: at the largest of them, if it can be that of the grid, of
/// FP8 at a smaller scale.
double end_of(const Trial& trial, const Fit& fit) {
    if (trial.facts.fraction == 0) {
        return 126.5;  // of those that have 127 or 128 steps
    }
    constexpr double kSlack = 1.0 + 0x1p-6;
    int exponent = 0, of_end = 0;
    const double own = std::frexp(fit.largest, &exponent);
    const double end = std::frexp(trial.facts.largest, &of_end);
    const bool same = own <= end * kSlack && own >= end / kSlack;
    return same ? fit.largest / kSlack : std::numeric_limits<double>::infinity();
}

/// How the places of a tensor share scales.
struct Groups {
    ScaleOf scale_of = ScaleOf::tensor;
    Index count = 1, batch_stride = 0, head_stride = 0, position_stride = 0, channel_stride = 0;
};
Groups groups_of(ScaleOf scale_of, const DumpTensor& t) {
    switch (scale_of) {
        case ScaleOf::head:
            return {scale_of, t.heads, 0, 1, 0, 0};
        case ScaleOf::token:
            return {scale_of, t.batch * t.length, t.length, 0, 1, 0};
        case ScaleOf::row:
            return {scale_of, t.batch * t.heads * t.length, t.heads * t.length, t.length, 1, 0};
        case ScaleOf::channel:
            return {scale_of, t.heads * t.channels, 0, t.channels, 0, 1};
        default:
            return {};
    }
}

/// The fits of each group; empty if one has none.
std::vector<std::vector<Fit>> fits_of(const DumpTensor& t, const Groups& groups,
                                      const Trial& trial) {
    std::vector<std::vector<Fit>> fits(static_cast<std::size_t>(groups.count));
    std::vector<double> row(static_cast<std::size_t>(t.channels));
    for (Index b = 0; b < t.batch; ++b) {
        for (Index l = 0; l < t.length; ++l) {
            for (Index h = 0; h < t.heads; ++h) {
                t.read(b, h, l, row);
                for (Index c = 0; c < t.channels; ++c) {
                    const double number = std::abs(row[static_cast<std::size_t>(c)]);
                    if (number == 0.0) {
                        continue;
                    }
                    std::vector<Fit>& own = fits[static_cast<std::size_t>(
                        b * groups.batch_stride + h * groups.head_stride +
                        l * groups.position_stride + c * groups.channel_stride)];
                    if (own.empty()) {
                        own = first_fits(trial, number);
                    } else {
                        std::erase_if(own, [&](Fit& fit) { return !add(trial, number, fit); });
                    }
                    if (own.empty()) {
                        return {};
                    }
                }
            }
        }
    }
    return fits;
}

std::optional<Quantised> grid_with(const DumpTensor& t, const Groups& groups, NumberGrid grid,
                                   double rounding) {
    const Trial trial{facts_of(grid), rounding};
    std::vector<std::vector<Fit>> fits = fits_of(t, groups, trial);
    if (fits.empty()) {
        return std::nullopt;
    }
    double bits = 0.0, error = 0.0;
    std::vector<double> scales, ends;
    for (std::vector<Fit>& of_group : fits) {
        if (of_group.empty()) {  // all of it is 0
            scales.push_back(0.0);
            ends.push_back(facts_of(grid).largest);
            continue;
        }
        Fit* const fit = &*std::ranges::max_element(of_group, {}, &Fit::low);  // the coarsest
        if (!fix_power(trial, *fit)) {
            return std::nullopt;
        }
        bits += fit->bits;
        const double middle = 0.5 * (fit->low + fit->high);
        error = std::max(error, (fit->high - fit->low) / (2.0 * middle));
        scales.push_back(middle);
        ends.push_back(end_of(trial, *fit));
    }
    constexpr double kFewest = 64.0;
    if (bits < kFewest) {
        return std::nullopt;
    }
    return Quantised{.grid = grid,
                     .scale_of = groups.scale_of,
                     .recognised = true,
                     .scale_error = error,
                     .scales = std::make_shared<const std::vector<double>>(std::move(scales)),
                     .ends = std::make_shared<const std::vector<double>>(std::move(ends)),
                     .batch_stride = groups.batch_stride,
                     .head_stride = groups.head_stride,
                     .position_stride = groups.position_stride,
                     .channel_stride = groups.channel_stride};
}

}  // namespace

std::optional<Quantised> recognised_grid(const DumpTensor& tensor) {
    // A product with the scale in float32, and what the values show.
    const double rounding = effective_format(tensor).unit + kUnitOfF32;
    for (const ScaleOf scale_of :
         {ScaleOf::tensor, ScaleOf::head, ScaleOf::token, ScaleOf::row, ScaleOf::channel}) {
        const Groups groups = groups_of(scale_of, tensor);
        if (groups.count == 1 && scale_of != ScaleOf::tensor) {
            continue;
        }
        for (const NumberGrid grid : {NumberGrid::e5m2, NumberGrid::e5m2fnuz, NumberGrid::e4m3,
                                      NumberGrid::e4m3fnuz, NumberGrid::int8}) {
            if (auto found = grid_with(tensor, groups, grid, rounding)) {
                return found;
            }
        }
    }
    return std::nullopt;
}

Dump with_recognised_grids(Dump dump) {
    for (std::optional<DumpSide>* side : {&dump.q, &dump.k}) {
        if (*side && !(*side)->after.quantised) {
            (*side)->after.quantised = recognised_grid((*side)->after);
        }
    }
    return dump;
}

}  // namespace ropescope::diagnosis
