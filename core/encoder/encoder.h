// The forward pass of both RoFormers, written once on the operations of an engine.
#pragma once

#include <exception>
#include <functional>
#include <memory>

#include "core/attention/mask.h"
#include "core/base/index.h"
#include "core/encoder/encoder_config.h"
#include "core/encoder/rope_options.h"
#include "core/encoder/trace.h"
#include "core/encoder/weights.h"
#include "core/engine/engine.h"

namespace ropescope {

struct EncoderInput {
    SequenceShape shape;          ///< batch and positions
    std::vector<Index> ids;       ///< [batch, positions], 0 .. vocab_size - 1
    std::vector<Index> type_ids;  ///< the same shape; empty means all 0; hugging_face only
    AttentionMask mask;
    PositionIds positions;
};

/// Called between the steps of a forward pass with the share that is done, 0 .. 1. If it returns
/// false the pass ends with ForwardCancelled.
using Progress = std::function<bool(double done)>;

class ForwardCancelled : public std::exception {
  public:
    const char* what() const noexcept override { return "the forward pass was cancelled"; }
};

struct ForwardOptions {
    EncoderRope rope;
    TraceRequest trace;
    Progress progress;
};

/// A model whose weights lie in the memory of an engine, which must outlive it. Only one thread may
/// use it at a time. A Trace stays valid after the encoder is gone.
class Encoder {
  public:
    /// Uploads the weights. Throws InputError as match_weights() does. On the CPU, fp32 embeddings
    /// and biases stay in the memory of `weights`, and matrices are copied into a better order.
    Encoder(Engine& engine, EncoderConfig config, const Weights& weights);
    ~Encoder();
    Encoder(Encoder&&) noexcept;
    Encoder& operator=(Encoder&&) noexcept;

    const EncoderConfig& config() const;

    /// Runs one forward pass and returns what `options.trace` asks for. Throws InputError that
    /// names the place of an id out of range, a shape that does not fit, or more positions than the
    /// config allows, and ForwardCancelled.
    Trace forward(const EncoderInput& input, const ForwardOptions& options = {}) const;

    struct Model;  ///< encoder_model.h

  private:
    std::unique_ptr<Model> model_;
};

/// The config and weights of a folder. If the config does not say whether the model has a head, the
/// weights decide.
struct EncoderFiles {
    EncoderConfig config;
    Weights weights;
};
/// Opens a folder with config.json and weights. Throws InputError.
EncoderFiles open_encoder(const std::filesystem::path& folder);

}  // namespace ropescope
