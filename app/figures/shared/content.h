// The content of q and k before any rotation, and the scores that they make: what several views
// rotate.
#pragma once

#include <vector>

#include "app/scene/scene.h"
#include "core/base/index.h"
#include "core/engine/engine.h"

namespace ropescope::figures {

/// In every pair q and k are vectors at these angles, [pairs]; channels that are not rotated hold
/// 0.
struct Content {
    std::vector<double> q_rad;
    std::vector<double> k_rad;
    /// |q_i| |k_i| / (|q| |k|): a pair's part of the largest cosine that there is. 1 / pairs if all
    /// vectors are unit vectors.
    std::vector<double> weight;

    /// From q's unit vector to k's.
    double between_rad(Index pair) const { return k_rad[pair] - q_rad[pair]; }
};
/// Unit vectors, drawn by the scene's seed, k within +-content_angle_deg of q. Pair i depends on
/// the seed and i alone, so it keeps its content when others come and go.
Content make_content(const Scene& scene);

/// A head vector [head_dim] of unit vectors at `angles_rad` in the layout's channels.
std::vector<double> head_vector(const RopeSpec& spec, const std::vector<double>& angles_rad);

/// One pair's part of the score at a distance n - m: the cosine of the angle between its two
/// arrows, times its weight.
double score_part(const Content& content, const Spectrum& spectrum, Index pair, Index distance);

/// q_m . k_n / (|q| |k|): the weighted mean over the pairs of the cosine between the arrows. It is
/// 1 only if all pairs agree. With unit vectors q_m . k_n / sqrt(head_dim) is pairs /
/// sqrt(head_dim) times this mean.
double score_cosine(const Content& content, const Spectrum& spectrum, Index distance);

/// The scene with its key at the distance nearest to `distance` from its query, inside the valid
/// positions; the scene itself if `distance` is not finite.
Scene with_key_at_distance(Scene scene, double distance);

/// Scores are drawn for the distances -range .. range: the scene's range, doubled until `distance`
/// lies inside.
Index drawn_range(const Scene& scene, Index distance);
/// Positions between two samples of a score curve: a power of two, so that the sampled angles are
/// exact; at least 1/8, and at most 512 samples to a side.
double sample_step(Index range);

/// The score at the distances i * step, i = 0 .. half, in its two parts, [half + 1] each: the cos
/// part is even in the distance, the sin part odd. From one call to the engine.
struct ScoreHalves {
    std::vector<double> even, odd;
};
ScoreHalves score_halves(const Content& content, const Spectrum& spectrum, double step, Index half,
                         Engine& engine);

/// The score at the distances i * step, i = -half .. half, [2 * half + 1], from one call to the
/// engine. step may be a fraction: between whole distances the rotation is as well defined.
std::vector<double> score_curve(const Content& content, const Spectrum& spectrum, double step,
                                Index half, Engine& engine);

}  // namespace ropescope::figures
