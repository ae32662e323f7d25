// One forward pass.
#pragma once

#include "core/encoder/encoder_model.h"

namespace ropescope {

/// As Encoder::forward.
Trace run_forward(const Encoder::Model& model, const EncoderInput& input,
                  const ForwardOptions& options);

/// Throws InputError unless the ids, types and mask fit the config and each other.
void validate(const EncoderInput& input, const EncoderConfig& config);

}  // namespace ropescope
