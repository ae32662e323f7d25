// Two small encoders with random weights, one of each architecture, that the checks run, and the
// comparison of two of their runs.
#pragma once

#include <array>
#include <string>

#include "core/checks/reference/reference_encoder.h"
#include "core/checks/worst_case.h"
#include "core/encoder/encoder_config.h"
#include "core/encoder/trace.h"
#include "core/encoder/weights.h"

namespace ropescope {

/// A small encoder and a padded batch for it.
struct SmallEncoder {
    static constexpr Index kBatch = 2;
    static constexpr Index kPositions = 11;
    static constexpr Index kPadding = 4;  ///< last positions of sample 1
    explicit SmallEncoder(Architecture architecture,
                          PositionEncoding position = PositionEncoding::rope, bool causal = false);

    EncoderConfig config;  ///< 2 layers, 3 heads
    Weights weights;
    EncoderInput input;
};

/// The one of that architecture, made once.
const SmallEncoder& small_encoder(Architecture architecture);

inline constexpr std::array kBothArchitectures = {Architecture::notebook,
                                                  Architecture::hugging_face};

/// Where the bounds of reference_forward() come from.
inline constexpr const char* kEncoderBoundReason =
    "10 standard deviations of independent roundings of 2^-24, carried through the model";

/// Adds the differences of two fp32 runs of what is mathematically the same: each may be off by its
/// bound.
void compare_runs(WorstCase& worst, const TraceTensor& found, const TraceTensor& expected,
                  const Estimates& reference, const std::string& where);

/// Adds a case that holds if some number changed by more than both runs together may be off: an
/// option that turns vectors must change them. Measured is the share of the largest change that
/// roundings explain.
void must_change(WorstCase& worst, const TraceTensor& found, const TraceTensor& before,
                 const Estimates& reference, const std::string& where);

/// Adds every number that a pass traced against the plain forward.
void compare_traces(WorstCase& worst, const Trace& found, const ReferenceTrace& expected,
                    const std::string& name);

/// Adds every number of an fp32 run with its bound against the reference.
void compare(WorstCase& worst, const TraceTensor& found, const Estimates& expected,
             const std::string& where);

/// [batch, positions, heads, head_dim] with the middle axes changed, as a trace has q and k.
Estimates heads_first(const Estimates& x);

// The weights of an encoder for the other layout of channels.

/// The weights in fp32, with the rows of every W_q and W_k, and their biases, permuted within their
/// heads from interleaved to half_split.
Weights in_half_split(const EncoderConfig& config, const Weights& weights);

}  // namespace ropescope
