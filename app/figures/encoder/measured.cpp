// Takes q and k of an encoder's head apart, pair by pair, and averages them by distance.
#include "app/figures/encoder/measured.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>

#include "app/figures/shared/text.h"
#include "app/scene/scene_scaling.h"
#include "core/base/error.h"

namespace ropescope::figures {
namespace {

/// The vector of a token in a tensor [1, heads, positions, head_dim].
std::span<const float> row_of(const TraceTensor& tensor, Index head, Index token) {
    const Index positions = tensor.shape[2], head_dim = tensor.shape[3];
    return tensor.values().subspan((head * positions + token) * head_dim, head_dim);
}

double dot(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += static_cast<double>(a[i]) * b[i];
    }
    return sum;
}

double length(std::span<const float> a) {
    return std::sqrt(dot(a, a));
}

/// The scene of the pass that q and k are taken from.
Scene at_rest(Scene scene) {
    scene.attention_shift = scene.attention_padding = scene.attention_segment = 0;
    scene.attention_table = NumberFormat::fp32;
    scene.attention_compare = AttentionCompare::none;
    return scene;
}

struct PairVector {
    double size = 0, angle_rad = 0;
};

/// A pair of the head's vector, with the rotation of its position taken back.
PairVector unrotated_pair(std::span<const float> vector, ChannelPair channels, double turned_rad) {
    const double x = vector[channels.first], y = vector[channels.second];
    return {std::hypot(x, y), std::atan2(y, x) - turned_rad};
}

/// Mean of `value(query, key)` at each distance.
template <typename Value>
std::vector<double> mean_by_distance(Index tokens, Value value) {
    std::vector<double> sum(tokens), count(tokens);
    for (Index query = 0; query < tokens; ++query) {
        for (Index key = 0; key < tokens; ++key) {
            sum[std::abs(key - query)] += value(query, key);
            count[std::abs(key - query)] += 1;
        }
    }
    std::ranges::transform(sum, count, sum.begin(), std::divides{});
    return sum;
}

bool draws_content(const Scene& scene) {
    return !takes_content_of_encoder(scene);
}

}  // namespace

View::OnlyWhen read_of_encoder() {
    return {{"attention_layer", "attention_head", "attention_source", "attention_folder",
             "attention_text", "attention_masked", "attention_tokens"},
            takes_content_of_encoder};
}

View::OnlyWhen read_of_drawn_content() {
    return {{"content_angle_deg", "content_seed"}, draws_content};
}

Scene on_encoder(const Scene& scene, FigureCache& cache) {
    const auto model = attention_model(scene, cache);
    if (!model->has_rope) {
        throw InputError(
            "content_source: encoder takes q and k that RoPE rotates, and attention_source="
            "no_position was trained without it; give attention_source=demo");
    }
    const RopeSpec spec = model->config.rope();
    Scene shown = scene;
    shown.head_dim = spec.head_dim;
    shown.rotary_dim = spec.rotary_dim;
    shown.base = spec.base;
    shown.layout = spec.layout;
    shown.scaling = {};
    shown.selected_pair = std::min<Index>(scene.selected_pair, spec.pairs() - 1);
    return shown;
}

std::shared_ptr<const AttentionState> measured_state(const Scene& given, Engine& engine,
                                                     const Work& work) {
    const Scene scene = at_rest(given);
    if (work.may_draft && !is_quick(scene, engine) &&
        !known_attention_state(scene, engine, *work.cache)) {
        return nullptr;
    }
    auto state = make_attention_state(scene, engine, work);
    if (state->query_step > 1) {
        throw InputError(
            fmt::format("content_source: encoder keeps q of every token of at most 1024 tokens, "
                        "and the text has {}; give a smaller attention_tokens",
                        state->tokens.count()));
    }
    return state;
}

Picture waiting_for_encoder(const std::string& view) {
    Picture picture;
    picture.figure.view = view;
    picture.figure.title = "Not computed yet: q and k of the encoder";
    plot::Panel panel{.id = "waiting", .x = {.visible = false}, .y = {.visible = false}};
    panel.marks.emplace_back(plot::Label{.at = {0.5, 0.5},
                                         .text = "not computed yet",
                                         .role = plot::Role::dim,
                                         .anchor_x = 0.5,
                                         .anchor_y = 0.5});
    picture.figure.panels = {panel};
    picture.figure.row_weights = picture.figure.column_weights = {1.0};
    picture.figure.report = picture.figure.title + "\n";
    picture.draft = true;
    return picture;
}

Content measured_content(const AttentionState& state, const Spectrum& spectrum, OpenedHead at,
                         Index query, Index key) {
    const Index last = state.tokens.count() - 1;
    const Index m = std::min(query, last), n = std::min(key, last);
    const RopeSpec spec = state.config.rope();
    const LayerTrace& layer = state.pass->layers[at.layer];
    const auto q = row_of(layer.q_rot, at.head, m), k = row_of(layer.k_rot, at.head, n);
    const double lengths = length(q) * length(k);
    Content content;
    for (int pair = 0; pair < spec.pairs(); ++pair) {
        const ChannelPair channels = pair_channels(spec.layout, spec.rotary_dim, pair);
        const double speed_rad = spectrum.inv_freq_rad[pair];
        const PairVector a = unrotated_pair(q, channels, reduced_angle_rad(m, speed_rad));
        const PairVector b = unrotated_pair(k, channels, reduced_angle_rad(n, speed_rad));
        content.q_rad.push_back(a.angle_rad);
        content.k_rad.push_back(b.angle_rad);
        content.weight.push_back(lengths > 0 ? a.size * b.size / lengths : 0);
    }
    return content;
}

namespace {

/// The vectors of a tensor [1, heads, positions, head_dim], turned back by their positions.
std::vector<double> turned_back(const TraceTensor& tensor, const RopeSpec& spec,
                                const Spectrum& spectrum, Index head, Index tokens) {
    std::vector<double> vectors;
    for (Index token = 0; token < tokens; ++token) {
        const auto row = row_of(tensor, head, token);
        const std::size_t start = vectors.size();
        vectors.insert(vectors.end(), row.begin(), row.end());
        for (int pair = 0; pair < spec.pairs(); ++pair) {
            const ChannelPair channels = pair_channels(spec.layout, spec.rotary_dim, pair);
            const double angle = -reduced_angle_rad(token, spectrum.inv_freq_rad[pair]);
            double& x = vectors[start + static_cast<std::size_t>(channels.first)];
            double& y = vectors[start + static_cast<std::size_t>(channels.second)];
            const double before = x;
            x = std::cos(angle) * before - std::sin(angle) * y;
            y = std::sin(angle) * before + std::cos(angle) * y;
        }
    }
    return vectors;
}

}  // namespace

UnrotatedHead unrotated_vectors(const AttentionState& state, const Spectrum& spectrum,
                                OpenedHead at, Index most) {
    const RopeSpec spec = state.config.rope();
    const LayerTrace& layer = state.pass->layers[at.layer];
    const Index tokens = std::min(most, state.tokens.count());
    return {tokens, spec.head_dim, turned_back(layer.q_rot, spec, spectrum, at.head, tokens),
            turned_back(layer.k_rot, spec, spectrum, at.head, tokens)};
}

plot::Text measured_name(const AttentionState& state, const Scene& scene) {
    const OpenedHead at = opened_head(scene, state.config);
    const Index last = state.tokens.count() - 1;
    const Index query = std::min(scene.content_query, last),
                key = std::min(scene.content_key, last);
    return plot::say("q of “{}” ({}), k of “{}” ({}): layer {}, head {} of {}",
                     state.tokens.words[query], whole_text(query), state.tokens.words[key],
                     whole_text(key), at.layer, at.head, state.model);
}

MeasuredDecay measured_decay(const AttentionState& state, OpenedHead at) {
    const Index tokens = state.tokens.count();
    const LayerTrace& layer = state.pass->layers[at.layer];
    MeasuredDecay measured;
    measured.cosine = mean_by_distance(tokens, [&](Index query, Index key) {
        const auto q = row_of(layer.q_rot, at.head, query), k = row_of(layer.k_rot, at.head, key);
        const double lengths = length(q) * length(k);
        return lengths > 0 ? dot(q, k) / lengths : 0.0;
    });
    for (const HeadMap& map : state.pass->maps) {
        if (map.block > 1) {
            return measured;
        }
        measured.probability.push_back(mean_by_distance(
            tokens, [&](Index query, Index key) { return map.probs[query * map.cells + key]; }));
    }
    return measured;
}

}  // namespace ropescope::figures
