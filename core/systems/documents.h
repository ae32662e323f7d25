// One function a system of the seed documents; each lives in the file of its name.
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
