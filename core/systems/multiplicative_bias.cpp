// Document 003: e_ij = (x_i W^Q)(x_j W^K)^T a_ij / sqrt(d_k), a learned scalar a_ij of the relative
// position. The document gives a formula only: a is fixed noise around 1 with a value of its own at
// each distance, which stands for what training would find. x is [batch, heads, seq, d].
#include "core/systems/documents.h"
#include "core/systems/fixed_noise.h"

namespace ropescope::systems {

namespace {

double learned_scalar(std::int64_t distance) {
    return 1.0 + 0.25 * fixed_noise(0x5eed ^ static_cast<std::uint64_t>(distance), 1).front();
}

}  // namespace

System multiplicative_bias() {
    System system;
    system.id = "multiplicative_bias";
    system.title = "multiplicative bias a_ij";
    system.document = "003, e_ij = (x_i W^Q)(x_j W^K)^T a_ij / sqrt(d_k)";
    system.what = "Queries and keys stay as they are; the score is scaled by a_ij.";
    system.kind = SystemKind::score_bias;
    system.axes = "bhld";
    system.code = [](const SystemInput& input) { return input.x; };
    system.score_factor = learned_scalar;
    return system;
}

}  // namespace ropescope::systems
