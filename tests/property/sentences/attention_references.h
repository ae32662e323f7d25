// What the sentences of the view attention are held to, by other routes than the view's.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/demo/demo_models.h"
#include "core/encoder/rope_options.h"

namespace ropescope::figures {

/// The words of the tokens, as they stand beside the map's rows.
std::vector<std::string> words_of_tokens(const plot::Figure& figure);

/// Probabilities of a map of single pairs of tokens, and which of the tokens are padding.
struct Probabilities {
    std::map<std::pair<Index, Index>, double> of;
    Index seen = 0;

    explicit Probabilities(const plot::Figure& figure, const std::string& column);
};

/// The share that the head's role has, by its definition. Empty for by distance (unit tests).
std::optional<double> share_of(const std::string& role, const Probabilities& probs,
                               const std::vector<std::string>& words);

/// The likeliest piece in the place of the first [MASK] of the scene's text, by the demo models,
/// and its probability.
struct Named {
    std::string piece;
    double percent = 0;
};
Named named_by_demo(const Scene& scene, demo::DemoModel which, EncoderRope rope);

}  // namespace ropescope::figures
