// One function for each position encoding that the five texts write down. Sources:
// additive_absolute.cpp, d2l_sinusoidal.cpp, hf_llama.cpp, hf_roformer.cpp, keras_layer.cpp,
// meta_llama.cpp, mistral.cpp, multiplicative_bias.cpp, roformer_notebook.cpp,
// roformer_sinusoidal.cpp, strided_llama.cpp.
#pragma once

#include "core/systems/system.h"

namespace ropescope::systems {

System notebook_bf16();
System notebook_fp32();
System meta_llama();
System hf_llama_offset();
System hf_roformer();
System roformer_sinusoidal();
System keras_as_written();
System keras_intended();
System hf_llama_position_ids();
System mistral();
System multiplicative_bias();
System strided_llama_as_written();
System strided_llama_repaired();
System d2l_sinusoidal();
System additive_absolute();

inline constexpr double kRoformerBase = 10000.0;  ///< written into _init_weight

/// Rows offset .. offset + seq - 1 of RoFormerSinusoidalPositionalEmbedding.weight: [seq, dim].
/// The angles are NumPy doubles, the table is fp32. Fault::index beyond input.table_rows.
nd::Array roformer_table(const SystemInput& input, std::int64_t seq, std::int64_t dim);

/// P[:, offset : offset + seq, :] of PositionalEncoding: [1, seq, num_hiddens], even channels sin,
/// odd channels cos. Throws Fault::broadcast if num_hiddens is odd.
nd::Array d2l_table(const SystemInput& input, std::int64_t seq, std::int64_t num_hiddens);

}  // namespace ropescope::systems
