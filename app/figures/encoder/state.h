// What the attention view computes for a figure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/figures/encoder/passes.h"

namespace ropescope::figures {

/// The largest values of all maps: one scale for all, so that heads can be compared.
struct MapScale {
    double score = 0, prob = 0, rope_effect = 0;
};

/// A second pass over the same words.
struct ComparedPass {
    std::string name;  ///< for people: "RoPE switched off"
    std::shared_ptr<const AttentionPass> pass;
    /// How far its scores and probabilities of the same words lie from the first pass's; empty for
    /// a long text.
    std::optional<MapChange> largest;
    /// The same without RoPE; null if the state's own pass without RoPE reads the same tokens.
    std::shared_ptr<const AttentionPass> unrotated = nullptr;
};

/// The head that is opened: the scene's, or the last if the model has fewer.
struct OpenedHead {
    Index layer = 0, head = 0;
};
OpenedHead opened_head(const Scene& scene, const EncoderConfig& config);

/// Everything that the figure shows, apart from which head is opened and how.
struct AttentionState {
    std::string model;  ///< for people: "small encoder, random weights"
    EncoderConfig config;
    Tokens tokens;
    Tokens other_tokens;                             ///< of the pass that is compared
    std::vector<Index> order;                        ///< other_tokens[i] is tokens[order[i]]
    std::shared_ptr<const WordPieces> vocabulary;    ///< null: none
    std::shared_ptr<const AttentionPass> pass;       ///< with RoPE, positions moved by `shift`
    std::shared_ptr<const AttentionPass> unrotated;  ///< without RoPE
    std::optional<ComparedPass> other;
    std::int64_t shift = 0;
    std::vector<MapChange> changes;  ///< of each layer, by moving all positions by `shift`
    MapChange largest;               ///< of those
    /// What rounding in fp32 explains of a score's change, through all layers.
    double rounding() const { return 0x1p-16 * scale.score; }
    MapScale scale;
    double engine_seconds = 0;    ///< of all forward passes
    std::int64_t query_step = 1;  ///< as in MapDetail
    std::int64_t seen = 0;        ///< tokens from this one on are padding

    const HeadMap& map(Index layer, Index head) const {
        return pass->maps[layer * config.n_heads + head];
    }
    /// What the head does in this text; empty where it was not measured.
    std::optional<LabelledRole> role(const AttentionPass& of, Index layer, Index head) const;
    const HeadMap& unrotated_map(Index layer, Index head) const {
        return unrotated->maps[layer * config.n_heads + head];
    }

    /// What takes long (Carried).
    static void each_carried(auto& state, auto visit) {
        visit(state.pass);
        visit(state.unrotated);
        visit(state.other);
        visit(state.shift);
        visit(state.changes);
        visit(state.largest);
        visit(state.scale);
        visit(state.engine_seconds);
    }
};

/// Runs the forward passes that are not known yet. Throws InputError for a folder without a model,
/// ForwardCancelled when a stop is requested.
std::shared_ptr<const AttentionState> make_attention_state(const Scene& scene, Engine& engine,
                                                           const Work& work);
/// The scene's state if this engine has computed it; else null.
std::shared_ptr<const AttentionState> known_attention_state(const Scene& scene,
                                                            const Engine& engine,
                                                            FigureCache& cache);
/// The nearest that any engine has computed: the scene's state, or the one at shift 0; else null.
std::shared_ptr<const AttentionState> nearest_attention_state(const Scene& scene,
                                                              const Engine& engine,
                                                              FigureCache& cache);
/// Whether a frame has time for the forward passes of the scene: never on a device.
bool is_quick(const Scene& scene, const Engine& engine);

}  // namespace ropescope::figures
