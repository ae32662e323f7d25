// The weights of an encoder for the other layout of channels.
#pragma once

#include "core/encoder/encoder_config.h"
#include "core/encoder/weights.h"

namespace ropescope {

/// The weights in fp32, with the rows of every W_q and W_k, and their biases, permuted within their
/// heads from interleaved to half_split.
Weights in_half_split(const EncoderConfig& config, const Weights& weights);

}  // namespace ropescope
