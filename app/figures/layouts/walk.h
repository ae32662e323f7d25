// The permutation between the two layouts, walked by one vector: what the panels of the layouts
// view draw and say about it.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/base/index.h"
#include "core/engine/engine.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {

/// Up to here every channel of a head has a cell with its number.
inline constexpr Index kMostNumberedChannels = 16;

/// One query and one key, laid out both ways and rotated each way by the engine. Vectors are in
/// fp32, scores q_m . k_n are summed in double.
struct Walk {
    RopeSpec spec;            ///< the scene's, unscaled; its layout is the model's own
    std::vector<Index> p;     ///< half_split[c] = interleaved[p[c]]
    std::vector<Index> slot;  ///< where channel c of the interleaved vector goes; slot[p[c]] == c
    double walked = 0;        ///< 0: interleaved .. 1: half split
    std::int64_t m = 0, n = 0;
    std::vector<float> q, k;        ///< interleaved, before the rotation, [head_dim]
    std::vector<float> rotated;     ///< R_m q, interleaved: the vector that walks
    double largest_difference = 0;  ///< of P R_m q and R'_m P q, over all channels
    double score = 0, half_split_score = 0;
    double score_without_p = 0;  ///< half-split rotation of vectors in interleaved order
    double rounding = 0;         ///< what the two scores may differ by, from fp32 alone

    bool same_score() const { return std::abs(score - half_split_score) <= rounding; }
};
Walk make_walk(const Scene& scene, Engine& engine);

/// How far a channel of the interleaved vector has gone, 0 .. 1: pair by pair, the first pair
/// first; channels that are not rotated with the last.
double walked(const Walk& walk, Index channel);
/// The slot where it is now, between its first and its last.
double slot_now(const Walk& walk, Index channel);

/// "2i goes to i, 2i + 1 to i + 64 (i < 64)", and back, and what stays.
std::string permutation_words(const Walk& walk);
std::string inverse_words(const Walk& walk);

/// P in words, and what it leaves alone.
plot::Panel permutation_panel(const Scene& scene, const Walk& walk);
/// Scores against the distance: both layouts, and half split without P.
plot::Panel walk_score_panel(const Scene& scene, const Walk& walk, Engine& engine);

std::string walk_report(const Walk& walk);

}  // namespace ropescope::figures
