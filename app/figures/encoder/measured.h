// q, k and attention of the opened head of the encoder, for the views that draw random content
// otherwise.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/figures/encoder/state.h"
#include "app/figures/picture.h"
#include "app/figures/shared/content.h"
#include "app/figures/view.h"

namespace ropescope::figures {

/// For a view that reads content_source: what it reads only of the encoder, and what only of drawn
/// content.
View::OnlyWhen read_of_encoder();
View::OnlyWhen read_of_drawn_content();

/// The scene with the encoder's head, base and layout in place of its own, without scaling. Throws
/// InputError for a model that was trained without positions.
Scene on_encoder(const Scene& scene, FigureCache& cache);

/// The encoder's pass over the scene's text at positions 0, 1, ... Null if it is not known and a
/// frame has no time for it (Work::may_draft). Throws InputError for a text of which not every
/// query is kept.
std::shared_ptr<const AttentionState> measured_state(const Scene& scene, Engine& engine,
                                                     const Work& work);
/// Shown in the view of this id while measured_state() is null.
Picture waiting_for_encoder(const std::string& view);

/// q of one token and k of another before their rotation: that of their positions is taken back.
/// Tokens beyond the last one count as the last.
Content measured_content(const AttentionState& state, const Spectrum& spectrum, OpenedHead at,
                         Index query, Index key);
/// q and k of a head before their rotation, [tokens, channels] each.
struct UnrotatedHead {
    Index tokens = 0, channels = 0;
    std::vector<double> q, k;
};
/// Of the first tokens, `most` at most: the rotation of their positions is taken back.
UnrotatedHead unrotated_vectors(const AttentionState& state, const Spectrum& spectrum,
                                OpenedHead at, Index most);

/// "q of “who” (3), k of “person” (2): layer 0, head 1 of RoFormer trained on WordNet"
plot::Text measured_name(const AttentionState& state, const Scene& scene);

/// What the tokens of the text show by their distance |n - m| = 0, 1, ..., [tokens]: means over the
/// pairs of tokens that are so far apart.
struct MeasuredDecay {
    std::vector<double> cosine;  ///< q_m . k_n / (|q| |k|) of the opened head
    /// Probability that a query gives to a key, of every head, [layer * heads + head][tokens].
    /// Empty if the text is too long to keep every probability.
    std::vector<std::vector<double>> probability;
};
MeasuredDecay measured_decay(const AttentionState& state, OpenedHead at);

}  // namespace ropescope::figures
