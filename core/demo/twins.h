// What the script counted of the twins of the demo model, which know positions by other means, as
// encoders and as decoders: assets/demo-roformer/twins.json, tools/train-demo/score_twins.py.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/index.h"
#include "core/demo/demo_scores.h"

namespace ropescope::demo {

/// One training. A decoder names the next piece of the text, an encoder a hidden one.
struct Twin {
    std::string position;  ///< as tools/train-demo/positions.py names it: "alibi", "partial"
    bool causal = false;
    int seed = 1;
    /// On held_out_text(), in texts of kTrainedLength tokens; 0 of 0 if the script did not count.
    ScriptCount sample;
    struct AtLength {
        Index length = 0;
        ScriptCount count;
        /// How often a decoder held the end of the text for likelier than every piece of it.
        Index ended = 0;
    };
    /// On all of the held-out text, lengths ascending. Some trainings were only measured at the
    /// length of the training, as those with learned positions, which have no others.
    std::vector<AtLength> held_out;
    /// Of a decoder: the probability that queries from `sink_from()` on give to the first token of
    /// a text of kTrainedLength tokens, [layers][heads], a mean over the sample.
    std::vector<std::vector<double>> first_token_shares;
    /// Of T5's bias: what is added for each range of distances, [kT5Buckets][heads].
    std::vector<std::vector<double>> bias;

    /// Null if the script did not count at this length.
    const ScriptCount* at(Index length) const;
};

/// Encoders before decoders, then by the name of the position, then by the seed.
const std::vector<Twin>& demo_twins();
/// Null if no such training was measured.
const Twin* find_twin(std::string_view position, bool causal, int seed);
/// The seed of the trainings whose weights lie in the box.
inline constexpr int kShippedSeed = 2;
/// The first query whose share for the first token counts.
Index sink_from();

}  // namespace ropescope::demo
