// Computes the attention view's state from forward passes, and finds states that are known.
#include "app/figures/attention/state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/memo.h"

namespace ropescope::figures {
namespace {

/// A state is known by its pass with RoPE.
struct KnownStates {
    Memo<PassKey, AttentionState> memo{4};
};

Tokens tokens_of(const Scene& scene, const AttentionModel& model) {
    const EncoderConfig& config = model.config;
    const Index count = std::min(scene.attention_tokens, config.max_positions);
    return with_padding(model.vocabulary.empty()
                            ? tokens_by_spelling(scene.attention_text, count, config.vocab_size)
                            : tokens_by_vocabulary(scene.attention_text, count, model.vocabulary),
                        scene.attention_padding);
}

/// The largest of the layer's heads.
MapChange layer_change(const LayerTrace& a, const LayerTrace& b, std::int64_t seen,
                       const std::stop_token& stop) {
    MapChange most;
    for (Index head = 0; head < a.q_rot.shape[1]; ++head) {
        stop_if_requested(stop);
        const MapChange change = largest_change(a, b, head, seen);
        most = {std::max(most.score, change.score), std::max(most.prob, change.prob)};
    }
    return most;
}

MapScale scale_of(const AttentionPass& pass, const AttentionPass& unrotated) {
    MapScale most;
    const auto widen = [](double& limit, float value) {
        limit = std::max<double>(limit, std::abs(value));
    };
    for (Index head = 0; head < std::ssize(pass.maps); ++head) {
        const HeadMap& on = pass.maps[head];
        for (Index i = 0; i < std::ssize(on.scores); ++i) {
            widen(most.score, on.scores[i]);
            widen(most.prob, on.probs[i]);
            widen(most.rope_effect, on.scores[i] - unrotated.maps[head].scores[i]);
        }
    }
    return most;
}

/// The state without a shift.
AttentionState resting_state(const Scene& scene, const AttentionModel& model, Tokens tokens,
                             std::shared_ptr<const AttentionPass> pass,
                             std::shared_ptr<const AttentionPass> unrotated) {
    AttentionState state;
    state.model = model.name;
    state.config = model.config;
    state.query_step = query_step(tokens.count());
    state.seen = tokens.seen(scene.attention_padding);
    state.tokens = std::move(tokens);
    state.scale = scale_of(*pass, *unrotated);
    state.changes.resize(pass->layers.size());
    state.engine_seconds = pass->engine_seconds + unrotated->engine_seconds;
    state.pass = std::move(pass);
    state.unrotated = std::move(unrotated);
    return state;
}

/// The state after all positions have moved by `shift`, compared with the one before.
AttentionState moved_state(const AttentionState& rest, std::shared_ptr<const AttentionPass> pass,
                           std::int64_t shift, const Work& work) {
    constexpr double kBegin = PassRunner::kShare;
    AttentionState state = rest;
    state.shift = shift;
    state.scale = scale_of(*pass, *rest.unrotated);
    state.engine_seconds += pass->engine_seconds;
    for (Index layer = 0; layer < std::ssize(pass->layers); ++layer) {
        MapChange& change = state.changes[layer];
        change = layer_change(pass->layers[layer], rest.pass->layers[layer], state.seen, work.stop);
        state.largest = {std::max(state.largest.score, change.score),
                         std::max(state.largest.prob, change.prob)};
        work.tell(kBegin + (1 - kBegin) * to_double(layer + 1) / to_double(state.config.n_layers));
    }
    state.pass = std::move(pass);
    return state;
}

}  // namespace

std::shared_ptr<const AttentionState> make_attention_state(const Scene& scene, Engine& engine,
                                                           const Work& work) {
    if (auto known = known_attention_state(scene, engine, *work.cache)) {
        return known;
    }
    auto& states = work.cache->results<KnownStates>().memo;
    const auto model = attention_model(scene, *work.cache);
    const Encoder& encoder = loaded_encoder(scene, *model, engine, *work.cache);
    const Tokens tokens = tokens_of(scene, *model);
    const PassKey key = pass_key(scene, engine.kind());
    const PassKey rest_key = key.at_rest(), unrotated_key = key.without_rope();
    const bool moves = key != rest_key;
    std::vector<PassKey> planned;
    if (!states.find(rest_key)) {
        planned = {rest_key, unrotated_key};
    }
    if (moves) {
        planned.push_back(key);
    }
    PassRunner runner(scene, tokens, encoder, work, planned);
    const auto rest = states.get(rest_key, [&] {
        auto pass = runner.run(rest_key);
        return resting_state(scene, *model, tokens, std::move(pass), runner.run(unrotated_key));
    });
    const auto state =
        moves ? states.get(
                    key,
                    [&] { return moved_state(*rest, runner.run(key), key.rotation->shift, work); })
              : rest;
    work.tell(1);
    return state;
}

std::shared_ptr<const AttentionState> known_attention_state(const Scene& scene,
                                                            const Engine& engine,
                                                            FigureCache& cache) {
    return cache.results<KnownStates>().memo.find(pass_key(scene, engine.kind()));
}

std::shared_ptr<const AttentionState> nearest_attention_state(const Scene& scene,
                                                              const Engine& engine,
                                                              FigureCache& cache) {
    auto& states = cache.results<KnownStates>().memo;
    const PassKey key = pass_key(scene, engine.kind());
    const auto by_any_engine = [&](PassKey wanted) {
        return states.find_if([&](const PassKey& known) {
            wanted.engine = known.engine;
            return known == wanted;
        });
    };
    for (const PassKey& wanted : {key, key.at_rest()}) {
        if (auto state = states.find(wanted)) {
            return state;
        }
    }
    auto state = by_any_engine(key);
    return state ? state : by_any_engine(key.at_rest());
}

bool is_quick(const Scene& scene, const Engine& engine) {
    constexpr Index kQuickTokens = 64;
    return scene.attention_source == AttentionSource::demo &&
           scene.attention_tokens <= kQuickTokens && engine.kind() == EngineKind::cpu;
}

}  // namespace ropescope::figures
