// The checks of the analyses fail for what is wrong.
#include <bit>
#include <gtest/gtest.h>
#include <utility>

#include "core/analysis/absolute.h"
#include "core/base/number_format.h"
#include "core/checks/families/absolute_checks.h"
#include "core/checks/families/decay_checks.h"
#include "core/checks/families/precision_checks.h"

namespace ropescope::test {
namespace {

TEST(AnalysisChecks, SeeAWrongBound) {
    // One pair too few in the partial sums.
    const DecayAt late = [](const Spectrum& spectrum, std::int64_t distance) {
        DecayPoint point = decay_at(spectrum, distance);
        point.upper_bound -= 1.0 / to_double(spectrum.pairs());
        return point;
    };
    EXPECT_EQ(decay_starts_at_its_height(late).status, Status::failed);
    EXPECT_EQ(decay_matches_long_double(late).status, Status::failed);
    const DecayAt halved = [](const Spectrum& spectrum, std::int64_t distance) {
        return DecayPoint{.upper_bound = decay_at(spectrum, distance).upper_bound / 2};
    };
    EXPECT_EQ(decay_bounds_scores(halved).status, Status::failed);
    const DecayRun shifted = [](const Spectrum& spectrum, std::int64_t first, std::int64_t count) {
        return decay_run(spectrum, first + 1, count);
    };
    EXPECT_EQ(decay_run_matches_points(shifted).status, Status::failed);
    EXPECT_EQ(decay_is_not_monotone(shifted).status, Status::failed);
}

TEST(AnalysisChecks, SeeTiesRoundedAway) {
    HalfFormat bf16 = bf16_format();
    bf16.rounded = [](double value) {
        // To nearest, ties away from zero: the usual mistake of adding half and cutting.
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
        return static_cast<std::uint16_t>((bits + 0x8000U) >> 16U);
    };
    EXPECT_EQ(rounds_to_nearest_even(bf16).status, Status::failed);
    HalfFormat fp16 = fp16_format();
    fp16.rounded = [](double value) {
        const std::uint16_t bits = f16_from_f64(value);  // subnormals flushed
        return (bits & 0x7c00U) == 0 ? static_cast<std::uint16_t>(bits & 0x8000U) : bits;
    };
    EXPECT_EQ(rounds_to_nearest_even(fp16).status, Status::failed);
}

TEST(AnalysisChecks, SeeOtherTables) {
    const FillRow next = [](const PrecisionChain& chain, const Spectrum& spectrum,
                            std::int64_t position,
                            ChainRow& row) { fill_chain_row(chain, spectrum, position + 1, row); };
    EXPECT_EQ(tables_err_by_half_a_unit(next).status, Status::failed);
    EXPECT_EQ(fp32_angles_err_with_position(next).status, Status::failed);
    const FillRow exact = [](const PrecisionChain&, const Spectrum& spectrum, std::int64_t position,
                             ChainRow& row) {
        fill_chain_row(precision_chain("fp64"), spectrum, position, row);
    };
    EXPECT_EQ(bf16_positions_collide(exact).status, Status::failed);
    const FillRow coarse = [](const PrecisionChain&, const Spectrum& spectrum,
                              std::int64_t position, ChainRow& row) {
        fill_chain_row(precision_chain("bf16_positions"), spectrum, position, row);
    };
    EXPECT_EQ(bf16_frequencies_stay_relative(coarse).status, Status::failed);
}

TEST(AnalysisChecks, SeeWrongSinusoidsAndMaps) {
    const PositionRow cos_first = [](const Spectrum& spectrum, std::int64_t position) {
        std::vector<double> row = sinusoidal_row(spectrum, position);
        for (std::size_t i = 0; i + 1 < row.size(); i += 2) {
            std::swap(row[i], row[i + 1]);
        }
        return row;
    };
    EXPECT_EQ(sinusoids_match_document(cos_first).status, Status::failed);
    const ShiftMap backwards = [](const Spectrum& spectrum, std::int64_t shift) {
        return shift_map(spectrum, -shift);
    };
    EXPECT_EQ(shift_map_carries(backwards).status, Status::failed);
    const ShiftMap longer = [](const Spectrum& spectrum, std::int64_t shift) {
        std::vector<double> map = shift_map(spectrum, shift);
        map.front() *= 1 + 1e-12;
        return map;
    };
    EXPECT_EQ(shift_map_is_orthogonal(longer).status, Status::failed);
}

}  // namespace
}  // namespace ropescope::test
