// The forward passes behind the attention view, and which of them are known already.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/encoder/model.h"
#include "app/figures/encoder/tokens.h"
#include "app/figures/work.h"
#include "core/base/index.h"
#include "core/encoder/attention_maps.h"
#include "core/encoder/predictions.h"

namespace ropescope::figures {

/// One forward pass: every head's map, and what comparing it with another pass needs.
struct AttentionPass {
    /// All keys and every n-th query (query_step). Empty for a pass without RoPE if n > 1.
    std::vector<LayerTrace> layers;
    std::vector<HeadMap> maps;  ///< [layer * heads + head]
    /// [layer * heads + head]; empty for a text of which not every probability is kept.
    std::vector<RoleShares> roles;
    /// One for each [MASK]. Empty if the model has no head for it, or the text is too long.
    std::vector<PlacePredictions> predictions;
    double engine_seconds = 0;
};

/// Pairs that do not turn: those that finish a turn within a text of the training, or the others.
enum class StillPairs { none, fast, slow };

/// How a pass rotates queries and keys.
struct PassRotation {
    NumberFormat table = NumberFormat::fp32;
    std::int64_t shift = 0;     ///< added to every position
    bool other_layout = false;  ///< the channels are paired in the other way than the model's
    StillPairs still = StillPairs::none;

    bool operator==(const PassRotation&) const = default;
};

/// Everything that a pass depends on.
struct PassKey {
    EngineKind engine = EngineKind::cpu;
    ModelKey model;
    std::string text;
    std::int64_t masked = 0, tokens = 0, padding = 0, segment = 0;
    std::optional<PassRotation> rotation;  ///< nullopt: without RoPE
    bool reversed = false;                 ///< the words are in the opposite order

    bool operator==(const PassKey&) const = default;
    PassKey rotated_by(std::optional<PassRotation> other) const {
        PassKey key = *this;
        key.rotation = other;
        return key;
    }
    PassKey with_words_reversed() const {
        PassKey key = *this;
        key.reversed = true;
        return key;
    }
    PassKey at_rest() const { return rotated_by(PassRotation{rotation->table, 0}); }
    PassKey without_rope() const { return rotated_by(std::nullopt); }
    /// The pass that this one is compared with; itself for AttentionCompare::none.
    PassKey compared(AttentionCompare with) const;
};
/// The key of the pass that the scene needs, which is a pass with RoPE.
PassKey pass_key(const Scene& scene, EngineKind engine);

/// Of a long sequence the view shows every n-th query; returns n.
Index query_step(Index tokens);

/// The text of a scene, and the same words in the opposite order.
struct BothOrders {
    Tokens own, reversed;
};

/// Runs the passes of one scene one after the other, without those that are already known, and
/// reports their common progress.
class PassRunner {
  public:
    /// `planned`: the passes that run() will be called with. The arguments must outlive the runner.
    PassRunner(const Scene& scene, const BothOrders& tokens, const EncoderConfig& config,
               Engine& engine, const Work& work, const std::vector<PassKey>& planned);
    /// Throws ForwardCancelled when a stop is requested.
    std::shared_ptr<const AttentionPass> run(const PassKey& key);

    /// The passes' share of all work; comparing them is the rest.
    static constexpr double kShare = 0.9;

  private:
    /// What a pass reads.
    struct Read {
        EncoderInput input;
        RoleTokens roles;
        std::vector<Index> masked;  ///< positions of [MASK]
    };
    static Read read_of(const Scene& scene, const Tokens& tokens, const EncoderConfig& config);
    const Read& read_by(const PassKey& key) const { return key.reversed ? reversed_ : own_; }

    AttentionPass compute(const PassKey& key);
    /// The options of the forward pass for `key`.
    ForwardOptions options_of(const PassKey& key, const AttentionModel& model) const;
    void add_head(AttentionPass& pass, const LayerTrace& layer, Index head,
                  const RoleTokens& roles) const;

    const Scene& scene_;
    Engine& engine_;
    const Work& work_;
    Read own_, reversed_;
    MapDetail detail_;
    /// Held from the beginning, because another thread may push them out of the cache.
    std::vector<std::pair<PassKey, std::shared_ptr<const AttentionPass>>> known_;
    double missing_ = 0, done_ = 0;
};

/// Throws ForwardCancelled.
void stop_if_requested(const std::stop_token& stop);

}  // namespace ropescope::figures
