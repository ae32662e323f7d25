// Forms the angles of a rotation table on the processor, by blocks of positions.
#include "core/gpu/table_plan.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/base/index.h"

namespace ropescope::gpu {
namespace {

constexpr std::int64_t kBlockRows = 256;  ///< positions of a block

void append_cis(const Spectrum& spectrum, std::int64_t position, double gain,
                std::vector<Cis>& rows) {
    for (const double inv_freq_rad : spectrum.inv_freq_rad) {
        const double angle_rad = reduced_angle_rad(position, inv_freq_rad);
        rows.push_back({gain * std::cos(angle_rad), gain * std::sin(angle_rad)});
    }
}

}  // namespace

TablePlan plan_table(const Spectrum& spectrum, std::span<const std::int64_t> positions,
                     double gain) {
    require_one_axis(spectrum);
    TablePlan plan;
    plan.rows.reserve(positions.size());
    std::unordered_map<std::int64_t, std::uint32_t> known;
    std::int64_t most = 0;
    for (const std::int64_t position : positions) {
        validate_position(position);
        const std::int64_t offset = (position % kBlockRows + kBlockRows) % kBlockRows;
        const std::int64_t block = position - offset;
        const auto [found, added] = known.emplace(block, narrow<std::uint32_t>(std::ssize(known)));
        if (added) {
            append_cis(spectrum, block, gain, plan.blocks);
        }
        most = std::max(most, offset);
        plan.rows.push_back({found->second, narrow<std::uint32_t>(offset)});
    }
    for (std::int64_t offset = 0; offset <= most; ++offset) {
        append_cis(spectrum, offset, 1.0, plan.offsets);
    }
    return plan;
}

}  // namespace ropescope::gpu
