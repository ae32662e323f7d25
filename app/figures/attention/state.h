// What the attention view computes, and the parts of its figure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/figures/attention/tokens.h"
#include "app/figures/work.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/encoder/attention_maps.h"
#include "core/encoder/encoder.h"

namespace ropescope::figures {

/// One forward pass: every head's map, and what comparing it with another pass takes.
struct AttentionRun {
    /// Keys, every so many-th query; without RoPE only where that is every one.
    std::vector<LayerTrace> layers;
    std::vector<HeadMap> maps;  ///< [layer * heads + head]
    double engine_seconds = 0;  ///< of the forward pass
};

/// The largest values of all maps: one scale for all, so that heads can be compared.
struct MapScale {
    double score = 0, prob = 0, rope_effect = 0;
};

/// Everything that the figure shows, but which head is opened and how.
struct AttentionState {
    std::string model;  ///< for people: "demo, random weights"
    EncoderConfig config;
    Tokens tokens;
    std::shared_ptr<const AttentionRun> run;        ///< as the scene says
    std::shared_ptr<const AttentionRun> unrotated;  ///< without RoPE
    std::vector<MapChange> changes;  ///< of each layer, by moving all positions; zeros without
    MapChange largest;               ///< of those
    MapScale scale;
    double engine_seconds = 0;    ///< of all forward passes
    std::int64_t query_step = 1;  ///< MapDetail's
    std::int64_t seen = 0;        ///< tokens from this one on are padding
    bool draft = false;           ///< `run` is at shift 0, `changes` are not known yet

    const HeadMap& map(std::int64_t layer, std::int64_t head) const {
        return run->maps[static_cast<std::size_t>(layer * config.n_heads + head)];
    }
    const HeadMap& unrotated_map(std::int64_t layer, std::int64_t head) const {
        return unrotated->maps[static_cast<std::size_t>(layer * config.n_heads + head)];
    }
};

/// Runs the forward passes, those that are not remembered from before. Throws InputError for a
/// folder without a model, ForwardCancelled when a stop is asked for.
std::shared_ptr<const AttentionState> make_attention_state(const Scene& scene, Engine& engine,
                                                           const Work& work);
/// What there is without running anything, by the engine of this name or else by another: the
/// whole, the maps at shift 0, or nothing.
std::shared_ptr<const AttentionState> known_attention_state(const Scene& scene,
                                                            const std::string& engine = "cpu");
/// Whether a frame has time for the forward passes of the scene.
bool is_quick(const Scene& scene);

/// The head that is opened: the scene's, or the last where the model has fewer.
struct OpenedHead {
    std::int64_t layer = 0, head = 0;
};
OpenedHead opened_head(const Scene& scene, const EncoderConfig& config);

/// What the maps show, cell by cell: scores before the mask, probabilities, or how much RoPE
/// changes the scores.
std::vector<float> map_values(const AttentionState& state, const Scene& scene, OpenedHead at);
std::string quantity_name(const Scene& scene);
/// The end of their colours.
double map_limit(const AttentionState& state, const Scene& scene);

/// The opened head's whole map as the engine computes and keeps it; nothing where it cannot
/// be drawn, is too large, or is not known of what is shown.
plot::LiveCells live_map(const AttentionState& state, const Scene& scene, Engine& engine);

/// Panels "map", "heads", "distance" and "shift".
/// `live`: of that map, where there is one.
plot::Panel map_panel(const AttentionState& state, const Scene& scene,
                      const plot::LiveCells& live = {});
plot::Panel heads_panel(const AttentionState& state, const Scene& scene);
plot::Panel distance_panel(const AttentionState& state, const Scene& scene);
plot::Panel shift_panel(const AttentionState& state, const Scene& scene);

/// CSV: query, key (first positions of a cell), positions_a_side, score, probability,
/// score_without_rope, masked (1: the key is padding) of the opened head.
plot::DataTable attention_data(const AttentionState& state, const Scene& scene);
std::string attention_report(const AttentionState& state, const Scene& scene);

}  // namespace ropescope::figures
