// Block-wise derivation: e_ij = (x_i W^Q)(x_j W^K)^T a_ij / sqrt(d_k), a learned scalar a_ij of the
// relative position. The text gives only the formula: a is fixed noise around 1 with a value of its
// own at each distance, which stands for what training would find. x is [batch, heads, seq, d].
#include "core/systems/probe.h"
#include "core/systems/source_text.h"
#include "core/systems/transcriptions/transcriptions.h"

namespace ropescope::systems {

namespace {

double learned_scalar(std::int64_t distance) {
    return 1.0 + 0.25 * fixed_noise(0x5eed ^ static_cast<std::uint64_t>(distance), 1).front();
}

}  // namespace

System multiplicative_bias() {
    return {.id = "multiplicative_bias",
            .title = "multiplicative bias a_ij",
            .brief = "multiplicative",
            .source = cite(kBlockwiseDerivation, "e_ij = (x_i W^Q)(x_j W^K)^T a_ij / sqrt(d_k)"),
            .what = "Queries and keys stay as they are; the score is scaled by a_ij.",
            .kind = SystemKind::score_bias,
            .axes = "bhld",
            .code = [](const SystemInput& input) { return input.x; },
            .score_factor = learned_scalar};
}

}  // namespace ropescope::systems
