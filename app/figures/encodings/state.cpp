// Computes what each encoding adds to the same scores.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

#include "app/figures/encodings/encodings.h"
#include "core/analysis/absolute.h"
#include "core/demo/demo_models.h"
#include "core/encoder/position_encoding.h"
#include "core/encoder/tensor_names.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {
namespace {

/// Tokens of a longer text that are drawn.
constexpr Index kMostDrawnTokens = 48;
/// The share of a head's channels that turns in the partial encoding, as in GPT-NeoX.
constexpr double kPartialShare = 0.25;

/// q_m . k_n / sqrt(d) for all pairs of tokens, with both turned by their positions. Channels
/// beyond 2 * inv_freq.size() stay as they are.
std::vector<double> turned_scores(const UnrotatedHead& of,
                                  const std::vector<double>& inv_freq_rad) {
    std::vector<double> scores;
    const auto pairs = std::ssize(inv_freq_rad);
    for (Index m = 0; m < of.tokens; ++m) {
        for (Index n = 0; n < of.tokens; ++n) {
            const double* q = &of.q[static_cast<std::size_t>(m * of.channels)];
            const double* k = &of.k[static_cast<std::size_t>(n * of.channels)];
            double sum = 0;
            for (Index i = 0; i < pairs; ++i) {
                // Only the difference of both angles is left in the product of a pair.
                const double angle = reduced_angle_rad(n - m, inv_freq_rad[i]);
                const double dot = q[2 * i] * k[2 * i] + q[2 * i + 1] * k[2 * i + 1];
                const double cross = q[2 * i + 1] * k[2 * i] - q[2 * i] * k[2 * i + 1];
                sum += std::cos(angle) * dot + std::sin(angle) * cross;
            }
            for (Index c = 2 * pairs; c < of.channels; ++c) {
                sum += q[c] * k[c];
            }
            scores.push_back(sum / std::sqrt(to_double(of.channels)));
        }
    }
    return scores;
}

std::vector<double> minus(std::vector<double> a, const std::vector<double>& b) {
    std::ranges::transform(a, b, a.begin(), std::minus{});
    return a;
}

/// A number for each pair of tokens by their distance, key minus query.
template <typename Bias>
std::vector<double> biases(Index tokens, Bias bias) {
    std::vector<double> added;
    for (Index query = 0; query < tokens; ++query) {
        for (Index key = 0; key < tokens; ++key) {
            added.push_back(bias(key - query));
        }
    }
    return added;
}

/// Softmax of each row, over the keys that the mask leaves.
std::vector<double> probabilities(const EncodingsState& state, const std::vector<double>& added) {
    const Index tokens = state.tokens();
    std::vector<double> probability(added.size(), 0.0);
    for (Index query = 0; query < tokens; ++query) {
        const Index seen = state.causal ? query + 1 : tokens;
        double largest = -INFINITY, sum = 0;
        for (Index i = query * tokens; i < query * tokens + seen; ++i) {
            largest = std::max(largest, state.content[i] + added[i]);
        }
        for (Index i = query * tokens; i < query * tokens + seen; ++i) {
            probability[i] = std::exp(state.content[i] + added[i] - largest);
            sum += probability[i];
        }
        for (Index i = query * tokens; i < query * tokens + seen; ++i) {
            probability[i] /= sum;
        }
    }
    return probability;
}

/// Means at the distances 1 - tokens, ..., tokens - 1, or up to 0 behind a causal mask.
std::vector<double> by_distance(const EncodingsState& state, const std::vector<double>& values) {
    const Index tokens = state.tokens();
    std::vector<double> sum(state.causal ? tokens : 2 * tokens - 1), count(sum.size());
    for (Index query = 0; query < tokens; ++query) {
        for (Index key = 0; key < (state.causal ? query + 1 : tokens); ++key) {
            sum[key - query + tokens - 1] += values[query * tokens + key];
            count[key - query + tokens - 1] += 1;
        }
    }
    std::ranges::transform(sum, count, sum.begin(), std::divides{});
    return sum;
}

void add_encoding(EncodingsState& state, std::string_view id, std::vector<double> added) {
    ComparedEncoding made{encoding_look(id), std::move(added), {}, {}, {}, {}};
    made.probability = probabilities(state, made.added);
    made.mean_added = by_distance(state, made.added);
    std::vector<double> scores = state.content;
    std::ranges::transform(scores, made.added, scores.begin(), std::plus{});
    made.mean_score = by_distance(state, scores);
    made.mean_probability = by_distance(state, made.probability);
    state.encodings.push_back(std::move(made));
}

/// The bias of the twin that was trained with T5's, for the opened head.
std::vector<double> t5_added(const EncodingsState& state) {
    const demo::Twin& twin = *demo::find_twin("t5", false, demo::kShippedSeed);
    const auto head = static_cast<std::size_t>(state.at.head);
    return biases(state.tokens(), [&](Index distance) {
        return twin.bias[static_cast<std::size_t>(t5_bucket(distance, false))][head];
    });
}

/// W p for the sinusoids of the first positions, with the rows of a head of a linear layer W.
std::vector<double> mapped_sinusoids(std::span<const float> weight, const EncodingsState& state,
                                     const Spectrum& of_hidden, Index channels) {
    const Index hidden = 2 * of_hidden.pairs();
    std::vector<double> mapped;
    for (Index token = 0; token < state.tokens(); ++token) {
        const std::vector<double> p = sinusoidal_row(of_hidden, token);
        for (Index channel = 0; channel < channels; ++channel) {
            const auto row = weight.subspan((state.at.head * channels + channel) * hidden, hidden);
            mapped.push_back(std::inner_product(row.begin(), row.end(), p.begin(), 0.0));
        }
    }
    return mapped;
}

/// What the score gains when sinusoids are added to the layer's input, which its norm has brought
/// to entries of size 1 as theirs are: (q + W_q p_m) . (k + W_k p_n) in place of q . k.
std::vector<double> sinusoids_added(const EncodingsState& state, const UnrotatedHead& vectors,
                                    const EncoderConfig& config) {
    const EncoderFiles files = demo::demo_model(demo::DemoModel::rope);
    const LayerTensorNames names = encoder_names(config).layers[state.at.layer];
    const Spectrum of_hidden = make_spectrum({.head_dim = config.hidden_size});
    UnrotatedHead moved = vectors;
    const auto move = [&](std::vector<double>& x, const std::string& layer) {
        const HostFloats weight = files.weights.floats(layer + ".weight");
        const std::vector<double> p =
            mapped_sinusoids(weight.values, state, of_hidden, vectors.channels);
        std::ranges::transform(x, p, x.begin(), std::plus{});
    };
    move(moved.q, names.query);
    move(moved.k, names.key);
    return minus(turned_scores(moved, {}), state.content);
}

}  // namespace

const ComparedEncoding& EncodingsState::encoding(std::string_view id) const {
    return *std::ranges::find_if(
        encodings, [&](const ComparedEncoding& encoding) { return encoding.look.id == id; });
}

EncodingsState make_encodings_state(const Scene& scene, const AttentionState& encoder) {
    const EncoderConfig& config = encoder.config;
    const RopeSpec spec = config.rope();
    const Spectrum spectrum = make_spectrum(spec);
    EncodingsState state;
    state.model = encoder.model;
    state.at = opened_head(scene, config);
    state.causal = scene.encodings_causal;
    state.all_tokens = encoder.tokens.count();
    const UnrotatedHead vectors = unrotated_vectors(encoder, spectrum, state.at, kMostDrawnTokens);
    state.words.assign(encoder.tokens.words.begin(), encoder.tokens.words.begin() + vectors.tokens);
    state.content = turned_scores(vectors, {});
    add_encoding(state, "rope",
                 minus(turned_scores(vectors, spectrum.inv_freq_rad), state.content));
    RopeSpec partial = spec;
    partial.rotary_dim = round_to_index(kPartialShare * to_double(spec.head_dim));
    add_encoding(state, "partial",
                 minus(turned_scores(vectors, make_spectrum(partial).inv_freq_rad), state.content));
    const double slope = alibi_slopes(config.n_heads)[static_cast<std::size_t>(state.at.head)];
    add_encoding(state, "alibi", biases(state.tokens(), [&](Index distance) {
                     return distance == 0 ? 0.0 : -slope * to_double(std::abs(distance));
                 }));
    add_encoding(state, "t5", t5_added(state));
    add_encoding(state, "sinusoidal", sinusoids_added(state, vectors, config));
    add_encoding(state, "none", std::vector<double>(state.content.size(), 0.0));
    return state;
}

}  // namespace ropescope::figures
