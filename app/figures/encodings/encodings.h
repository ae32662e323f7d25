// The view encodings: what RoPE and other ways to know positions make of the same q and k, and what
// models that were trained with each name rightly. Sources: state.cpp and figure.cpp of the former,
// trained.cpp of the latter.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/encoder/measured.h"
#include "app/figures/picture.h"
#include "app/figures/shared/encoding_look.h"
#include "app/figures/view.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/base/index.h"
#include "core/demo/twins.h"

namespace ropescope::figures {

/// What a way to know positions makes of the scores, [query, key] each.
struct ComparedEncoding {
    EncodingLook look;
    std::vector<double> added;        ///< to q . k / sqrt(head_dim)
    std::vector<double> probability;  ///< after the softmax; 0 where the mask hides the key
    /// Means over the pairs of tokens at each distance that the mask leaves, from
    /// EncodingsState::first_distance on.
    std::vector<double> mean_added, mean_score, mean_probability;
};

/// The scores of a head's q and k, with what each encoding adds to them.
struct EncodingsState {
    std::string model;  ///< for people
    OpenedHead at;
    std::vector<std::string> words;  ///< one for each token that is drawn
    Index all_tokens = 0;            ///< of the text
    bool causal = false;
    std::vector<double> content;  ///< q . k / sqrt(head_dim) without any position, [query, key]
    std::vector<ComparedEncoding> encodings;

    Index tokens() const { return std::ssize(words); }
    Index first_distance() const { return 1 - tokens(); }
    const ComparedEncoding& encoding(std::string_view id) const;
};
EncodingsState make_encodings_state(const Scene& scene, const AttentionState& encoder);

/// The right answers of one training by the length of the text, or of the trained RoFormer with a
/// scaling.
struct TrainedAnswers {
    EncodingLook look;
    int seed = demo::kShippedSeed;
    std::vector<demo::Twin::AtLength> at;
};

/// What an encoding costs the model in the box.
struct EncodingCost {
    EncodingLook look;
    std::string_view acts_on;
    Index parameters = 0;
    /// Multiplications and additions for the last token of a text of TrainedEncodings::length
    /// tokens, in all layers.
    Index operations = 0;
    /// Shares of right answers at that length, of seed 1 and seed 2; empty if not measured. The
    /// second is that of the only training if there is one.
    std::optional<double> first_seed = {}, second_seed = {};
};

/// What no engine computes: answers that were counted after the trainings, and costs.
struct TrainedEncodings {
    EncoderConfig config;
    bool causal = false;
    Index length = 0;  ///< of the texts whose answers the table shows
    std::vector<TrainedAnswers> answers;
    std::vector<EncodingCost> costs;

    /// Bytes that keys and values of a token take in all layers, at two bytes a number: the same
    /// for every encoding.
    Index cached_bytes() const { return 2 * 2 * config.n_layers * config.hidden_size; }
    const EncodingCost& cost(std::string_view id) const;
};
TrainedEncodings make_trained_encodings(const Scene& scene);
/// Adds the curves of right answers, the table of costs, the title and the report of the scene's
/// `trained`.
void show_trained(Picture& picture, const std::shared_ptr<const TrainedEncodings>& state);

/// The header of the table of costs, and the cells of a row.
std::vector<std::string> cost_header();
std::vector<std::string> cost_cells(const TrainedEncodings& state, const EncodingCost& cost);

View encodings_view();

}  // namespace ropescope::figures
