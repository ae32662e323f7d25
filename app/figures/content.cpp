#include "app/figures/content.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/base/uniform.h"

namespace ropescope::figures {
Content make_content(const Scene& scene) {
    constexpr double kTurn = 2 * std::numbers::pi;
    const auto seed = static_cast<std::uint64_t>(scene.content_seed) + 1;
    const double widest = static_cast<double>(scene.content_angle_deg) / 360 * kTurn;
    Content content;
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(scene.rotary_dim / 2); ++i) {
        content.q_rad.push_back(kTurn * uniform(seed, 2 * i));
        content.k_rad.push_back(content.q_rad.back() + widest * (2 * uniform(seed, 2 * i + 1) - 1));
    }
    return content;
}

std::vector<double> head_vector(const RopeSpec& spec, const std::vector<double>& angles_rad) {
    std::vector<double> vector(static_cast<std::size_t>(spec.head_dim), 0.0);
    for (int i = 0; i < spec.pairs(); ++i) {
        const ChannelPair channels = pair_channels(spec.layout, spec.rotary_dim, i);
        const double angle = angles_rad[static_cast<std::size_t>(i)];
        vector[static_cast<std::size_t>(channels.first)] = std::cos(angle);
        vector[static_cast<std::size_t>(channels.second)] = std::sin(angle);
    }
    return vector;
}

double score_part(const Content& content, const Spectrum& spectrum, int pair, std::int64_t delta) {
    const auto i = static_cast<std::size_t>(pair);
    const double between = content.k_rad[i] - content.q_rad[i];
    return std::cos(between + reduced_angle_rad(delta, spectrum.inv_freq_rad[i])) /
           spectrum.pairs();
}

double score_cosine(const Content& content, const Spectrum& spectrum, std::int64_t delta) {
    double sum = 0;
    for (int pair = 0; pair < spectrum.pairs(); ++pair) {
        sum += score_part(content, spectrum, pair, delta);
    }
    return sum;
}

std::int64_t drawn_range(const Scene& scene, std::int64_t delta) {
    std::int64_t range = std::max<std::int64_t>(1, scene.distance_range);
    while (range < std::abs(delta)) {
        range *= 2;
    }
    return range;
}

double sample_step(std::int64_t range) {
    double step = 0.125;
    while (static_cast<double>(range) / step > 512) {
        step *= 2;
    }
    return step;
}

ScoreHalves score_halves(const Content& content, const Spectrum& spectrum, double step, int half,
                         Engine& engine) {
    Spectrum stepped{.inv_freq_rad = spectrum.inv_freq_rad, .attention_factor = 1.0};
    for (double& inv_freq : stepped.inv_freq_rad) {
        inv_freq *= step;
    }
    const auto pairs = static_cast<std::size_t>(spectrum.pairs());
    std::vector<double> cos_part(pairs), sin_part(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
        const double between = content.k_rad[i] - content.q_rad[i];
        cos_part[i] = std::cos(between) / static_cast<double>(pairs);
        sin_part[i] = -std::sin(between) / static_cast<double>(pairs);
    }
    std::vector<std::int64_t> steps(static_cast<std::size_t>(half) + 1);
    std::iota(steps.begin(), steps.end(), 0);
    PairCurves curves = engine.pair_curves(stepped, steps, {cos_part, sin_part});
    return {std::move(curves.even), std::move(curves.odd)};
}

std::vector<double> score_curve(const Content& content, const Spectrum& spectrum, double step,
                                int half, Engine& engine) {
    const ScoreHalves halves = score_halves(content, spectrum, step, half, engine);
    std::vector<double> curve(2 * static_cast<std::size_t>(half) + 1);
    for (std::size_t row = 0; row <= static_cast<std::size_t>(half); ++row) {
        curve[static_cast<std::size_t>(half) - row] = halves.even[row] - halves.odd[row];
        curve[static_cast<std::size_t>(half) + row] = halves.even[row] + halves.odd[row];
    }
    return curve;
}

}  // namespace ropescope::figures
