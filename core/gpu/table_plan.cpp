// Forms the angles of a rotation table on the processor, by blocks of positions.
#include "core/gpu/table_plan.h"

#include <cmath>
#include <unordered_map>

#include "core/base/index.h"

namespace ropescope::gpu {
namespace {

constexpr std::int64_t kBlockRows = 256;  ///< positions of a block

/// Rows of cos and sin, one for each different position that was asked for.
class PlannedRows {
  public:
    PlannedRows(const Spectrum& spectrum, double gain, std::vector<Cis>& rows)
        : spectrum_(spectrum), gain_(gain), rows_(rows) {}

    std::uint32_t row_of(std::int64_t position) {
        const auto [found, added] =
            known_.emplace(position, narrow<std::uint32_t>(std::ssize(known_)));
        if (added) {
            append(position);
        }
        return found->second;
    }

  private:
    void append(std::int64_t position) {
        for (const double inv_freq_rad : spectrum_.inv_freq_rad) {
            const double angle_rad = reduced_angle_rad(position, inv_freq_rad);
            rows_.push_back({gain_ * std::cos(angle_rad), gain_ * std::sin(angle_rad)});
        }
    }

    const Spectrum& spectrum_;
    double gain_;
    std::vector<Cis>& rows_;
    std::unordered_map<std::int64_t, std::uint32_t> known_;
};

/// cos and sin of what one coordinate adds to the angle of every pair.
void append_coordinate(const Spectrum& spectrum, std::int64_t axis, double coordinate,
                       std::vector<Cis>& rows) {
    const double gain = axis == 0 ? spectrum.attention_factor : 1.0;
    for (std::int64_t i = 0; i < spectrum.pairs(); ++i) {
        const double angle_rad = reduced_angle_sum_rad(std::span(&coordinate, 1),
                                                       spectrum.omega_rad(i).subspan(axis, 1));
        rows.push_back({gain * std::cos(angle_rad), gain * std::sin(angle_rad)});
    }
}

}  // namespace

AxisTablePlan plan_axis_table(const Spectrum& spectrum, const AxisPositions& positions,
                              std::int64_t first, std::int64_t count) {
    AxisTablePlan plan;
    plan.rows.resize(count * positions.axes);
    std::uint32_t next = 0;
    for (std::int64_t axis = 0; axis < positions.axes; ++axis) {
        std::unordered_map<double, std::uint32_t> known;
        for (std::int64_t token = 0; token < count; ++token) {
            const double coordinate = positions.at(axis, first + token);
            const auto [found, added] = known.emplace(coordinate, next);
            if (added) {
                append_coordinate(spectrum, axis, coordinate, plan.coordinates);
                ++next;
            }
            plan.rows[token * positions.axes + axis] = found->second;
        }
    }
    return plan;
}

TablePlan plan_table(const Spectrum& spectrum, std::span<const std::int64_t> positions,
                     double gain) {
    require_one_axis(spectrum);
    TablePlan plan;
    plan.rows.reserve(positions.size());
    PlannedRows blocks(spectrum, gain, plan.blocks), offsets(spectrum, 1.0, plan.offsets);
    for (const std::int64_t position : positions) {
        validate_position(position);
        const std::int64_t offset = position % kBlockRows;  // negative before 0
        plan.rows.push_back({blocks.row_of(position - offset), offsets.row_of(offset)});
    }
    return plan;
}

}  // namespace ropescope::gpu
