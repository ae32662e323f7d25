// The [sin | cos] table that HF RoFormer's rotation and its sinusoidal module share.
#pragma once

#include "core/systems/system.h"

namespace ropescope::systems {

inline constexpr double kRoformerBase = 10000.0;  ///< written into _init_weight

/// Rows offset .. offset + seq - 1 of RoFormerSinusoidalPositionalEmbedding.weight: [seq, dim].
/// The angles are NumPy doubles, the table is fp32. Fault::index beyond input.table_rows.
nd::Array roformer_table(const SystemInput& input, std::int64_t seq, std::int64_t dim);

}  // namespace ropescope::systems
