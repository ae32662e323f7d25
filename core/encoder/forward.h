// One forward pass of an encoder. Sources: forward.cpp, validate_input.cpp.
#pragma once

#include "core/encoder/encoder_model.h"

namespace ropescope {

/// Does what Encoder::forward() promises.
Trace run_forward(const Encoder::Model& model, const EncoderInput& input,
                  const ForwardOptions& options);

/// Throws InputError unless the ids, types and mask fit the config and each other.
void validate(const EncoderInput& input, const EncoderConfig& config);

}  // namespace ropescope
