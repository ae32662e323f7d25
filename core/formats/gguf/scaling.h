// How the frequencies of a GGUF file are scaled: rope.scaling.* and the tensors of factors, as
// llama.cpp takes them (src/llama-context.cpp; ggml/src/ggml-cpu/ops.cpp, rope_yarn).
#pragma once

#include <cstdint>
#include <span>

#include "core/formats/gguf/metadata.h"
#include "core/rope/rope_spec.h"
#include "core/scaling/scaling.h"

namespace ropescope::gguf {

/// The scaling of layers that turn like `spec` before it; `positions` is the trained context, 0 if
/// it is not stated. Says in the assumptions what the file leaves open. Throws InputError naming
/// the key.
Scaling read_scaling(const Metadata& file, const RopeSpec& spec, std::int64_t positions);

/// The method whose factors these are, one for each pair of `spec`: none, proportional, or llama3
/// within the rounding of the converter's fp32; else LongRoPE with twice the same list, which
/// divides the frequencies by it at every length.
Scaling scaling_of_factors(std::span<const double> factors, const RopeSpec& spec,
                           std::int64_t positions);

}  // namespace ropescope::gguf
