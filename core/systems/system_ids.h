// The ids of the systems, for lists and settings that do not need the systems themselves.
#pragma once

#include <array>
#include <string_view>

namespace ropescope {

/// In the order of all_systems().
inline constexpr auto kSystemIds = std::to_array<std::string_view>({
    "notebook_bf16",
    "notebook_fp32",
    "meta_llama",
    "hf_roformer",
    "mistral",
    "hf_llama_offset",
    "hf_llama_position_ids",
    "strided_llama_repaired",
    "keras_intended",
    "keras_as_written",
    "strided_llama_as_written",
    "d2l_sinusoidal",
    "roformer_sinusoidal",
    "additive_absolute",
    "multiplicative_bias",
});

}  // namespace ropescope
