// Computes the attention view's state from forward passes, and finds states that are known.
#include "app/figures/encoder/state.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/memo.h"
#include "core/base/packed.h"

namespace ropescope {
template <>
inline constexpr std::size_t kMembers<figures::AttentionPass> = 5;
template <>
inline constexpr std::size_t kMembers<figures::ComparedPass> = 4;
template <>
inline constexpr std::size_t kMembers<figures::MapScale> = 3;
template <>
inline constexpr std::size_t kMembers<LayerTrace> = 5;
template <>
inline constexpr std::size_t kMembers<TraceTensor> = 2;
template <>
inline constexpr std::size_t kMembers<HeadMap> = 8;
template <>
inline constexpr std::size_t kMembers<MapChange> = 2;
template <>
inline constexpr std::size_t kMembers<RoleShares> = 6;
template <>
inline constexpr std::size_t kMembers<PlacePredictions> = 2;
template <>
inline constexpr std::size_t kMembers<Prediction> = 2;

static void pack_value(Packer& packer, const HostFloats& floats) {
    packer.add_numbers(floats.values);
}

static void unpack_value(Unpacker& unpacker, HostFloats& floats) {
    const auto values = std::make_shared<std::vector<float>>();
    unpacker.take(*values);
    floats = {values, *values};
}
}  // namespace ropescope

namespace ropescope::figures {
namespace {

/// A state is known by its pass with RoPE and by what it is compared with.
struct StateKey {
    PassKey pass;
    AttentionCompare compare = AttentionCompare::none;

    bool operator==(const StateKey&) const = default;
};
StateKey state_key(const Scene& scene, const Engine& engine) {
    return {pass_key(scene, engine.kind()), scene.attention_compare};
}

struct KnownStates {
    Memo<StateKey, AttentionState> memo{6};
};

Tokens tokens_of(const Scene& scene, const AttentionModel& model) {
    const EncoderConfig& config = model.config;
    const TokenCount count{scene.attention_tokens,
                           std::min(kMostAttentionTokens, config.max_positions)};
    Tokens tokens =
        model.vocabulary
            ? with_mask_at(tokens_by_vocabulary(scene.attention_text, count, *model.vocabulary),
                           scene.attention_masked)
            : tokens_by_spelling(scene.attention_text, count, config.vocab_size);
    return with_padding(std::move(tokens), scene.attention_padding);
}

void refuse_a_twin_of_another_model(const Scene& scene) {
    if (scene.attention_compare == AttentionCompare::no_position &&
        scene.attention_source != AttentionSource::demo &&
        scene.attention_source != AttentionSource::no_position) {
        throw InputError(
            "attention_compare: no_position is the twin of the trained RoFormer in the box and has "
            "its vocabulary; give attention_source=demo, or compare with rope_off or "
            "other_layout");
    }
}

/// The largest change of the scores and probabilities between the same two words, where the words
/// of `b` stand in the given order. Empty if a cell of the maps is more than one pair of tokens.
std::optional<MapChange> change_in_order(const AttentionPass& a, const AttentionPass& b,
                                         const std::vector<Index>& order, Index seen) {
    const Index count = std::ssize(order);
    MapChange most;
    for (Index head = 0; head < std::ssize(a.maps); ++head) {
        const HeadMap &one = a.maps[head], &two = b.maps[head];
        if (one.block > 1) {
            return std::nullopt;
        }
        for (Index query = 0; query < count; ++query) {
            for (Index key = 0; key < count; ++key) {
                const Index there = query * count + key;
                const Index here = order[query] * count + order[key];
                most.score =
                    std::max<double>(most.score, std::abs(one.scores[here] - two.scores[there]));
                if (key < seen) {  // as largest_change() counts them
                    most.prob =
                        std::max<double>(most.prob, std::abs(one.probs[here] - two.probs[there]));
                }
            }
        }
    }
    return most;
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

MapScale scale_of(const AttentionPass& pass, const AttentionPass& unrotated, MapScale most = {}) {
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

/// The state before any pass has run, without what it is compared with.
AttentionState plain_state(const Scene& scene, const AttentionModel& model) {
    AttentionState state;
    state.model = model.name;
    state.config = model.config;
    state.vocabulary = model.vocabulary;
    state.tokens = tokens_of(scene, model);
    state.query_step = query_step(state.tokens.count());
    state.seen = state.tokens.seen(scene.attention_padding);
    state.order.resize(state.tokens.ids.size());
    std::iota(state.order.begin(), state.order.end(), 0);
    state.other_tokens = state.tokens;
    return state;
}

/// The state with the second pass's tokens in the opposite order.
AttentionState with_words_reversed(AttentionState state) {
    state.order = reversed_order(state.tokens, state.seen);
    state.other_tokens = in_order(state.tokens, state.order);
    return state;
}

/// The state before any pass has run.
AttentionState begun_state(const Scene& scene, const AttentionModel& model) {
    AttentionState state = plain_state(scene, model);
    return scene.attention_compare == AttentionCompare::reversed
               ? with_words_reversed(std::move(state))
               : state;
}

/// The state without a shift.
AttentionState resting_state(AttentionState state, std::shared_ptr<const AttentionPass> pass,
                             std::shared_ptr<const AttentionPass> unrotated) {
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

std::string name_of(AttentionCompare with) {
    switch (with) {
        case AttentionCompare::rope_off:
            return "RoPE switched off";
        case AttentionCompare::other_layout:
            return "the other layout";
        case AttentionCompare::fast_still:
            return "its fast pairs held still";
        case AttentionCompare::slow_still:
            return "its slow pairs held still";
        case AttentionCompare::no_position:
            return "its twin without positions";
        case AttentionCompare::reversed:
            return "the words in opposite order";
        case AttentionCompare::none:
            break;
    }
    return "";
}

/// The state with a second pass beside the first.
AttentionState compared_state(AttentionState state, AttentionCompare with,
                              std::shared_ptr<const AttentionPass> other, const Work& work) {
    state.scale = scale_of(*other, *state.unrotated, state.scale);
    state.engine_seconds += other->engine_seconds;
    ComparedPass compared{name_of(with), std::move(other), {}};
    for (Index layer = 0; layer < std::ssize(compared.pass->layers); ++layer) {
        const MapChange change = layer_change(state.pass->layers[layer],
                                              compared.pass->layers[layer], state.seen, work.stop);
        const MapChange before = compared.largest.value_or(MapChange{});
        compared.largest = {std::max(before.score, change.score),
                            std::max(before.prob, change.prob)};
    }
    state.other = std::move(compared);
    return state;
}

/// The state with the same words in the opposite order beside it.
AttentionState reversed_state(AttentionState state, std::shared_ptr<const AttentionPass> other,
                              std::shared_ptr<const AttentionPass> unrotated) {
    state = with_words_reversed(std::move(state));
    state.scale = scale_of(*other, *unrotated, state.scale);
    state.engine_seconds += other->engine_seconds + unrotated->engine_seconds;
    const auto largest = change_in_order(*state.pass, *other, state.order, state.seen);
    state.other = ComparedPass{name_of(AttentionCompare::reversed), std::move(other), largest,
                               std::move(unrotated)};
    return state;
}

/// How the scene's state is put together of passes, each run only if it is not known.
class StateMaker {
  public:
    StateMaker(const Scene& scene, Engine& engine, const Work& work)
        : key_(state_key(scene, engine)),
          work_(work),
          states_(work.cache->results<KnownStates>().memo),
          begun_(plain_state(scene, *attention_model(scene, *work.cache))),
          tokens_{begun_.tokens, with_words_reversed(begun_).other_tokens},
          runner_(scene, tokens_, begun_.config, engine, work, planned()) {}

    std::shared_ptr<const AttentionState> make() {
        if (key_.compare == AttentionCompare::none) {
            return moved();
        }
        return states_.get(key_, [&] {
            const auto state = moved();
            if (key_.compare == AttentionCompare::reversed) {
                const PassKey reversed = key_.pass.with_words_reversed();
                auto other = runner_.run(reversed);
                return reversed_state(*state, std::move(other),
                                      runner_.run(reversed.without_rope()));
            }
            return compared_state(*state, key_.compare,
                                  runner_.run(key_.pass.compared(key_.compare)), work_);
        });
    }

  private:
    std::vector<PassKey> planned() const {
        std::vector<PassKey> passes;
        if (!states_.find({key_.pass.at_rest()})) {
            passes = {key_.pass.at_rest(), key_.pass.without_rope()};
        }
        if (moves() && !states_.find({key_.pass})) {
            passes.push_back(key_.pass);
        }
        if (key_.compare != AttentionCompare::none) {
            passes.push_back(key_.pass.compared(key_.compare));
        }
        if (key_.compare == AttentionCompare::reversed) {
            passes.push_back(key_.pass.with_words_reversed().without_rope());
        }
        return passes;
    }
    bool moves() const { return key_.pass != key_.pass.at_rest(); }

    std::shared_ptr<const AttentionState> resting() {
        const PassKey rest = key_.pass.at_rest();
        return states_.get({rest}, [&] {
            auto pass = runner_.run(rest);
            return resting_state(begun_, std::move(pass), runner_.run(rest.without_rope()));
        });
    }
    std::shared_ptr<const AttentionState> moved() {
        const auto rest = resting();
        return moves() ? states_.get({key_.pass},
                                     [&] {
                                         return moved_state(*rest, runner_.run(key_.pass),
                                                            key_.pass.rotation->shift, work_);
                                     })
                       : rest;
    }

    StateKey key_;
    const Work& work_;
    Memo<StateKey, AttentionState>& states_;
    AttentionState begun_;
    BothOrders tokens_;
    PassRunner runner_;
};

}  // namespace

OpenedHead opened_head(const Scene& scene, const EncoderConfig& config) {
    return {std::min(scene.attention_layer, config.n_layers - 1),
            std::min(scene.attention_head, config.n_heads - 1)};
}

std::optional<LabelledRole> AttentionState::role(const AttentionPass& of, Index layer,
                                                 Index head) const {
    if (of.roles.empty()) {
        return std::nullopt;
    }
    return label_head(of.roles[layer * config.n_heads + head], role_tokens(tokens, seen));
}

std::shared_ptr<const AttentionState> make_attention_state(const Scene& scene, Engine& engine,
                                                           const Work& work) {
    return work.result(
        work.cache->results<KnownStates>().memo, state_key(scene, engine),
        [&] { return begun_state(scene, *attention_model(scene, *work.cache)); },
        [&] {
            refuse_a_twin_of_another_model(scene);
            auto state = StateMaker(scene, engine, work).make();
            work.tell(1);
            return state;
        });
}

std::shared_ptr<const AttentionState> known_attention_state(const Scene& scene,
                                                            const Engine& engine,
                                                            FigureCache& cache) {
    return cache.results<KnownStates>().memo.find(state_key(scene, engine));
}

std::shared_ptr<const AttentionState> nearest_attention_state(const Scene& scene,
                                                              const Engine& engine,
                                                              FigureCache& cache) {
    auto& states = cache.results<KnownStates>().memo;
    const StateKey key = state_key(scene, engine);
    const StateKey nearby[] = {
        key, {key.pass}, {key.pass.at_rest(), key.compare}, {key.pass.at_rest()}};
    for (const StateKey& wanted : nearby) {
        if (auto state = states.find(wanted)) {
            return state;
        }
    }
    for (StateKey wanted : nearby) {
        auto state = states.find_if([&](const StateKey& known) {
            wanted.pass.engine = known.pass.engine;
            return known == wanted;
        });
        if (state) {
            return state;
        }
    }
    return nullptr;
}

bool is_quick(const Scene& scene, const Engine& engine) {
    constexpr Index kQuickTokens = 64;
    // A piece has at least one byte; most have several.
    const Index tokens =
        scene.attention_tokens > 0 ? scene.attention_tokens : std::ssize(scene.attention_text) / 2;
    return scene.attention_source != AttentionSource::full &&
           scene.attention_source != AttentionSource::folder && tokens <= kQuickTokens &&
           engine.kind() == EngineKind::cpu;
}

}  // namespace ropescope::figures
