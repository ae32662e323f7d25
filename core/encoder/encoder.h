// The forward pass of both RoFormers, written once on the operations of an engine.
#pragma once

#include <exception>
#include <functional>
#include <memory>

#include "core/attention/mask.h"
#include "core/encoder/encoder_config.h"
#include "core/encoder/rope_options.h"
#include "core/encoder/trace.h"
#include "core/encoder/weights.h"
#include "core/engine/engine.h"

namespace ropescope {

struct EncoderInput {
    SequenceShape shape;                 ///< batch and positions
    std::vector<std::int64_t> ids;       ///< [batch, positions], 0 .. vocab_size - 1
    std::vector<std::int64_t> type_ids;  ///< the same shape, or empty: all 0; hugging_face only
    AttentionMask mask;
    PositionIds positions;
};

/// Called between the steps of a forward pass with the share that is done (0 .. 1); false ends it.
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

/// A model whose weights are in an engine's memory. Use it from one thread at a time; the engine
/// must outlive it. What a Trace holds stays valid when the encoder is gone.
class Encoder {
  public:
    /// Throws InputError as match_weights() does. On the CPU, fp32 embeddings and biases stay where
    /// `weights` has them; the factors of products are copied into a better order.
    Encoder(Engine& engine, EncoderConfig config, const Weights& weights);
    ~Encoder();
    Encoder(Encoder&&) noexcept;
    Encoder& operator=(Encoder&&) noexcept;

    const EncoderConfig& config() const;

    /// Throws InputError naming the place of an id out of range, a shape that does not fit, or more
    /// positions than the config allows; ForwardCancelled.
    Trace forward(const EncoderInput& input, const ForwardOptions& options = {}) const;

    struct Model;  ///< encoder_model.h

  private:
    std::unique_ptr<Model> model_;
};

/// A folder with config.json and weights, opened: the config with what the weights tell (whether
/// there is a head, where the config does not say).
struct EncoderFiles {
    EncoderConfig config;
    Weights weights;
};
EncoderFiles open_encoder(const std::filesystem::path& folder);

}  // namespace ropescope
