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

}  // namespace ropescope::systems
