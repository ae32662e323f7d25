// Draws the contents of q and k from a seed, and computes the scores that they make.
#include "app/figures/shared/content.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>
#include <utility>

#include "app/plot/pick.h"
#include "core/base/uniform.h"

namespace ropescope::figures {

Content make_content(const Scene& scene) {
    constexpr double kTurn = 2 * std::numbers::pi;
    const std::uint64_t seed = scene.content_seed + 1;
    const double widest = to_double(scene.content_angle_deg) / 360 * kTurn;
    Content content;
    for (Index i = 0; i < scene.rotary_dim / 2; ++i) {
        content.q_rad.push_back(kTurn * uniform(seed, 2 * i));
        content.k_rad.push_back(content.q_rad.back() + widest * (2 * uniform(seed, 2 * i + 1) - 1));
    }
    content.weight.assign(content.q_rad.size(), 1 / to_double(std::ssize(content.q_rad)));
    return content;
}

std::vector<double> head_vector(const RopeSpec& spec, const std::vector<double>& angles_rad) {
    std::vector<double> vector(spec.head_dim, 0.0);
    for (int i = 0; i < spec.pairs(); ++i) {
        const ChannelPair channels = pair_channels(spec.layout, spec.rotary_dim, i);
        vector[channels.first] = std::cos(angles_rad[i]);
        vector[channels.second] = std::sin(angles_rad[i]);
    }
    return vector;
}

double score_part(const Content& content, const Spectrum& spectrum, Index pair, Index distance) {
    const double turned = reduced_angle_rad(distance, spectrum.inv_freq_rad[pair]);
    return std::cos(content.between_rad(pair) + turned) * content.weight[pair];
}

double score_cosine(const Content& content, const Spectrum& spectrum, Index distance) {
    double sum = 0;
    for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
        sum += score_part(content, spectrum, pair, distance);
    }
    return sum;
}

Scene with_key_at_distance(Scene scene, double distance) {
    if (std::isfinite(distance)) {
        const double key = to_double(scene.query_position) + std::round(distance);
        scene.key_position = plot::pick_whole(key, 0, kMaxPosition);
    }
    return scene;
}

Index drawn_range(const Scene& scene, Index distance) {
    Index range = std::max<Index>(1, scene.distance_range);
    while (range < std::abs(distance)) {
        range *= 2;
    }
    return range;
}

double sample_step(Index range) {
    double step = 0.125;
    while (to_double(range) / step > 512) {
        step *= 2;
    }
    return step;
}

ScoreHalves score_halves(const Content& content, const Spectrum& spectrum, double step, Index half,
                         Engine& engine) {
    Spectrum stepped{.inv_freq_rad = spectrum.inv_freq_rad, .attention_factor = 1.0};
    for (double& inv_freq : stepped.inv_freq_rad) {
        inv_freq *= step;
    }
    const Index pairs = spectrum.pairs();
    std::vector<double> cos_part(pairs), sin_part(pairs);
    for (Index pair = 0; pair < pairs; ++pair) {
        const double between = content.between_rad(pair);
        cos_part[pair] = std::cos(between) * content.weight[pair];
        sin_part[pair] = -std::sin(between) * content.weight[pair];
    }
    std::vector<Index> steps(half + 1);
    std::iota(steps.begin(), steps.end(), 0);
    PairCurves curves = engine.pair_curves(stepped, steps, {cos_part, sin_part});
    return {std::move(curves.even), std::move(curves.odd)};
}

std::vector<double> score_curve(const Content& content, const Spectrum& spectrum, double step,
                                Index half, Engine& engine) {
    const ScoreHalves halves = score_halves(content, spectrum, step, half, engine);
    std::vector<double> curve(2 * half + 1);
    for (Index row = 0; row <= half; ++row) {
        curve[half - row] = halves.even[row] - halves.odd[row];
        curve[half + row] = halves.even[row] + halves.odd[row];
    }
    return curve;
}

}  // namespace ropescope::figures
