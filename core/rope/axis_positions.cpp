// Fills rotation tables for positions in several axes: axis by axis where that can be, else from
// the sum of the angles.
#include "core/rope/axis_positions.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "core/base/error.h"
#include "core/base/parallel.h"

namespace ropescope {
namespace {

constexpr Index kRowGrain = 64;  ///< rows that are worth waking a thread for

/// The pairs that turn by one axis.
struct AxisShare {
    std::vector<Index> pairs;
    Spectrum spectrum;  ///< of these pairs alone, in one axis
};

/// The axis that turns the pair; the first for a pair that does not turn; empty if several do.
std::optional<Index> only_axis(std::span<const double> omega_rad) {
    const auto turns = [](double omega) { return omega != 0.0; };
    const auto found = std::ranges::find_if(omega_rad, turns);
    if (std::ranges::count_if(omega_rad, turns) > 1) {
        return std::nullopt;
    }
    return found == omega_rad.end() ? 0 : found - omega_rad.begin();
}

/// What each axis turns, [axes]; empty if a pair turns by several.
std::vector<AxisShare> shares_of_axes(const Spectrum& spectrum) {
    std::vector<AxisShare> shares(spectrum.axes);
    for (Index i = 0; i < spectrum.pairs(); ++i) {
        const std::optional<Index> axis = only_axis(spectrum.omega_rad(i));
        if (!axis) {
            return {};
        }
        shares[*axis].pairs.push_back(i);
        shares[*axis].spectrum.inv_freq_rad.push_back(spectrum.omega_rad(i)[*axis]);
        shares[*axis].spectrum.attention_factor = spectrum.attention_factor;
    }
    return shares;
}

bool are_whole(std::span<const double> values) {
    return std::ranges::all_of(values, [](double value) { return value == std::nearbyint(value); });
}

RotationTable empty_table(Index rows, Index pairs) {
    return {rows, pairs, AlignedVector<float>(rows * pairs), AlignedVector<float>(rows * pairs)};
}

/// Neighbouring columns of a part that are neighbours in the whole table, too.
struct ColumnRun {
    Index from, to, count;
};

std::vector<ColumnRun> column_runs(std::span<const Index> pairs) {
    std::vector<ColumnRun> runs;
    for (Index j = 0; j < std::ssize(pairs); ++j) {
        if (runs.empty() || pairs[j] != runs.back().to + runs.back().count) {
            runs.push_back({j, pairs[j], 0});
        }
        ++runs.back().count;
    }
    return runs;
}

/// Puts the columns of `part` where its pairs belong.
void place_columns(const RotationTable& part, std::span<const Index> pairs, int threads,
                   RotationTable& table) {
    const std::vector<ColumnRun> runs = column_runs(pairs);
    parallel_for(table.rows, kRowGrain, threads, [&](Index begin, Index end) {
        for (Index r = begin; r < end; ++r) {
            const Index from = r * part.pairs, to = r * table.pairs;
            for (const ColumnRun& run : runs) {
                std::copy_n(part.cos.data() + from + run.from, run.count,
                            table.cos.data() + to + run.to);
                std::copy_n(part.sin.data() + from + run.from, run.count,
                            table.sin.data() + to + run.to);
            }
        }
    });
}

RotationTable table_by_axes(const Spectrum& spectrum, std::span<const AxisShare> shares,
                            const AxisPositions& positions, int threads) {
    const Index tokens = positions.tokens();
    RotationTable table = empty_table(tokens, spectrum.pairs());
    for (Index a = 0; a < positions.axes; ++a) {
        if (shares[a].pairs.empty()) {
            continue;
        }
        std::vector<Index> whole(tokens);
        std::ranges::transform(positions.values.subspan(a * tokens, tokens), whole.begin(),
                               round_to_index);
        const RotationTable part = make_rotation_table(shares[a].spectrum, whole, threads);
        place_columns(part, shares[a].pairs, threads, table);
    }
    return table;
}

RotationTable table_of_sums(const Spectrum& spectrum, const AxisPositions& positions, int threads) {
    RotationTable table = empty_table(positions.tokens(), spectrum.pairs());
    parallel_for(table.rows, kRowGrain, threads, [&](Index begin, Index end) {
        std::vector<double> position(positions.axes);
        for (Index r = begin; r < end; ++r) {
            for (Index a = 0; a < positions.axes; ++a) {
                position[a] = positions.at(a, r);
            }
            for (Index i = 0; i < table.pairs; ++i) {
                const double angle_rad = reduced_angle_sum_rad(position, spectrum.omega_rad(i));
                const double gain = spectrum.attention_factor;
                table.cos[r * table.pairs + i] = to_float(gain * std::cos(angle_rad));
                table.sin[r * table.pairs + i] = to_float(gain * std::sin(angle_rad));
            }
        }
    });
    return table;
}

}  // namespace

void validate(const AxisPositions& positions, Index axes) {
    const Index count = std::ssize(positions.values);
    if (positions.axes != axes || axes < 1 || count % axes != 0) {
        throw InputError(
            fmt::format("positions: {} numbers in {} axes; give [{}, tokens], one row "
                        "for each axis of the model",
                        count, positions.axes, axes));
    }
    const Index tokens = positions.tokens();
    for (Index i = 0; i < count; ++i) {
        const double value = positions.values[i];
        if (!(std::abs(value) <= to_double(kMaxPosition))) {
            throw InputError(
                fmt::format("positions: {} in axis {} of token {}; give a number from "
                            "-{} to {}",
                            value, i / tokens, i % tokens, kMaxPosition, kMaxPosition));
        }
    }
}

RotationTable make_rotation_table(const Spectrum& spectrum, const AxisPositions& positions,
                                  int threads) {
    validate(positions, spectrum.axes);
    const std::vector<AxisShare> shares =
        are_whole(positions.values) ? shares_of_axes(spectrum) : std::vector<AxisShare>();
    return shares.empty() ? table_of_sums(spectrum, positions, threads)
                          : table_by_axes(spectrum, shares, positions, threads);
}

}  // namespace ropescope
