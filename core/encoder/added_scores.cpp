// Adds masks and biases.
#include "core/encoder/added_scores.h"

#include <algorithm>
#include <limits>

#include "core/encoder/position_encoding.h"

namespace ropescope {
namespace {

constexpr float kHidden = std::numeric_limits<float>::lowest();

std::vector<float> bias_of(const EncoderConfig& config, std::span<const Index> positions,
                           std::span<const float> t5_table) {
    switch (config.position) {
        case PositionEncoding::alibi:
            return alibi_bias(positions, config.n_heads);
        case PositionEncoding::t5:
            return t5_bias(positions, config.n_heads, t5_table, config.causal);
        case PositionEncoding::rope:
        case PositionEncoding::sinusoidal:
        case PositionEncoding::learned:
        case PositionEncoding::none:
            break;
    }
    return {};
}

/// Adds to the [queries, keys] of one head of one sample what hides keys.
void hide(std::span<float> map, Index keys, bool causal, const AttentionMask& mask, Index sample) {
    for (Index q = 0; q < keys; ++q) {
        const AddedSteps steps{mask.queries, 0, mask.queries == 1 ? 0 : 1};
        const float* given =
            AddedScores{mask.given() ? mask.added.data() : nullptr, steps}.row(sample, 0, q, keys);
        for (Index k = 0; k < keys; ++k) {
            float& value = map[static_cast<std::size_t>(q * keys + k)];
            const double sum = double{value} + (given == nullptr ? 0.0 : double{given[k]});
            value = causal && k > q ? kHidden : static_cast<float>(std::max(sum, double{kHidden}));
        }
    }
}

}  // namespace

AddedRows added_scores(const EncoderConfig& config, SequenceShape shape,
                       std::span<const Index> positions, const AttentionMask& mask,
                       std::span<const float> t5_table) {
    const Index keys = shape.positions;
    const bool by_head =
        config.position == PositionEncoding::alibi || config.position == PositionEncoding::t5;
    if (!by_head && !config.causal) {
        return {mask.added, true, false, mask.queries != 1};
    }
    const bool each = std::ssize(positions) != keys;
    AddedRows rows{{}, each || mask.given(), by_head, true};
    for (Index b = 0; b < (rows.by_sample ? shape.batch : 1); ++b) {
        const std::span<const Index> own = positions.subspan(
            static_cast<std::size_t>(each ? b * keys : 0), static_cast<std::size_t>(keys));
        std::vector<float> bias = bias_of(config, own, t5_table);
        const auto map = static_cast<std::size_t>(keys * keys);
        bias.resize(std::max(bias.size(), map), 0.0F);
        for (std::size_t first = 0; first < bias.size(); first += map) {
            hide(std::span(bias).subspan(first, map), keys, config.causal, mask, b);
        }
        rows.values.insert(rows.values.end(), bias.begin(), bias.end());
    }
    return rows;
}

}  // namespace ropescope
