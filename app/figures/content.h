// The content of q and k before any rotation, and the score they make: what the figures rotate.
#pragma once

#include <cstdint>
#include <vector>

#include "app/scene/scene.h"
#include "core/engine/engine.h"

namespace ropescope::figures {

/// In every pair q and k are unit vectors at these angles, [pairs]; channels that are not rotated
/// hold 0. Pair i depends on the seed and i alone, so it keeps its content when others come and go.
struct Content {
    std::vector<double> q_rad;
    std::vector<double> k_rad;  ///< within +-content_angle_deg of q_rad
};
Content make_content(const Scene& scene);

/// A head vector [head_dim] of unit vectors at `angles_rad` in the layout's channels.
std::vector<double> head_vector(const RopeSpec& spec, const std::vector<double>& angles_rad);

/// One pair's share of the score at distance delta = n - m: the cosine of the angle between its two
/// arrows, over the number of pairs.
double score_part(const Content& content, const Spectrum& spectrum, int pair, std::int64_t delta);

/// q_m . k_n / (|q| |k|): the mean over the pairs of the cosine between the arrows. 1 only when all
/// pairs agree. With this content q_m . k_n / sqrt(head_dim) is pairs / sqrt(head_dim) times it.
double score_cosine(const Content& content, const Spectrum& spectrum, std::int64_t delta);

/// The distances that scores are drawn for, -range .. range: the scene's, doubled until `delta`
/// lies inside.
std::int64_t drawn_range(const Scene& scene, std::int64_t delta);
/// Distances between two samples: a power of two, so that the sampled angles are exact; from 1/8
/// up, at most 512 samples to a side.
double sample_step(std::int64_t range);

/// The score at the distances i * step, i = 0 .. half, in its two parts, [half + 1] each: the cos
/// part is even in the distance, the sin part odd. From one call to the engine.
struct ScoreHalves {
    std::vector<double> even, odd;
};
ScoreHalves score_halves(const Content& content, const Spectrum& spectrum, double step, int half,
                         Engine& engine);

/// The score at the distances i * step, i = -half .. half, [2 * half + 1], from one call to the
/// engine. step may be a fraction: between whole distances the rotation is as well defined.
std::vector<double> score_curve(const Content& content, const Spectrum& spectrum, double step,
                                int half, Engine& engine);

}  // namespace ropescope::figures
