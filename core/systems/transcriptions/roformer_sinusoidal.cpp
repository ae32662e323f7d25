// LLaMA comparison: RoFormerSinusoidalPositionalEmbedding. The input is [bs, seq, dim], of which
// the module reads only the first two lengths; it returns [seq, dim].
#include <cmath>

#include "core/systems/position_rows.h"
#include "core/systems/source_text.h"
#include "core/systems/transcriptions/transcriptions.h"

namespace ropescope::systems {

nd::Array roformer_table(const SystemInput& input, std::int64_t seq, std::int64_t dim) {
    refuse_position_ids(input);  // forward() counts from past_key_values_length by itself
    const PositionRows rows = indexed_rows(input, seq);
    // pos / np.power(10000, 2 * (j // 2) / dim) with its even columns taken for the sines and its
    // odd ones for the cosines: both run over the same exponents.
    const auto angles = [&](std::int64_t columns) {
        std::vector<double> values;
        for (const std::int64_t position : rows.positions) {
            for (std::int64_t pair = 0; pair < columns; ++pair) {
                const double exponent = static_cast<double>(2 * pair) / static_cast<double>(dim);
                values.push_back(static_cast<double>(position) / std::pow(kRoformerBase, exponent));
            }
        }
        return nd::make(NumberFormat::fp64, {seq, columns}, std::move(values));
    };
    const NumberFormat weight = input.dtype(NumberFormat::fp32);
    return nd::concatenate(nd::cast(sine(angles((dim + 1) / 2)), weight),
                           nd::cast(cosine(angles(dim / 2)), weight));
}

System roformer_sinusoidal() {
    return {.id = "roformer_sinusoidal",
            .title = "RoFormer's sinusoidal table",
            .brief = "RoFormer table",
            .source = cite(kLlamaComparison, "RoFormerSinusoidalPositionalEmbedding"),
            .what = "Rows [sin | cos] of a fixed table; as an encoding of its own they are added.",
            .kind = SystemKind::additive_table,
            .axes = "bld",
            .precision = {NumberFormat::fp64, NumberFormat::fp32},
            .written_base = kRoformerBase,
            .code = [](const SystemInput& input) {
                return roformer_table(input, nd::size(input.x, 1), nd::size(input.x, -1));
            }};
}

}  // namespace ropescope::systems
