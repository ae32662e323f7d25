#include "app/figures/absolute/state.h"

#include <algorithm>
#include <cmath>

#include "app/figures/content.h"
#include "core/analysis/turns.h"

namespace ropescope::figures {
namespace {

constexpr std::int64_t kMostScores = 256;
constexpr std::int64_t kScoreCost = 1 << 15;  ///< scores times channels

/// What does not change with the position.
class Contents {
  public:
    explicit Contents(const Scene& scene)
        : spec_(unscaled_rope_spec(scene)),
          spectrum_(make_spectrum(spec_)),
          query_map_(size(), 2 * static_cast<std::uint64_t>(scene.content_seed) + 1),
          key_map_(size(), 2 * static_cast<std::uint64_t>(scene.content_seed) + 2) {
        // Embeddings as wide as the table: no channel passes through here.
        RopeSpec whole = spec_;
        whole.head_dim = spec_.rotary_dim;
        const Content content = make_content(scene);
        x_ = query_map_.apply(head_vector(whole, content.q_rad));
        y_ = key_map_.apply(head_vector(whole, content.k_rad));
    }

    AbsoluteScores scores(std::int64_t m, std::int64_t n) const {
        return {m, n,
                additive_terms(x_, query_map_.apply(sinusoidal_row(spectrum_, m)), y_,
                               key_map_.apply(sinusoidal_row(spectrum_, n))),
                rope(m, n)};
    }

  private:
    std::size_t size() const { return static_cast<std::size_t>(spec_.rotary_dim); }

    /// Both rotated, then multiplied: nothing here assumes that only n - m is left.
    double rope(std::int64_t m, std::int64_t n) const {
        const Turn at_m = make_turn(spectrum_, m), at_n = make_turn(spectrum_, n);
        double sum = 0;
        for (int i = 0; i < spec_.pairs(); ++i) {
            const ChannelPair channels = pair_channels(spec_.layout, spec_.rotary_dim, i);
            const auto a = static_cast<std::size_t>(channels.first);
            const auto b = static_cast<std::size_t>(channels.second);
            const auto pair = static_cast<std::size_t>(i);
            const double q_a = x_[a] * at_m.cos[pair] - x_[b] * at_m.sin[pair];
            const double q_b = x_[a] * at_m.sin[pair] + x_[b] * at_m.cos[pair];
            const double k_a = y_[a] * at_n.cos[pair] - y_[b] * at_n.sin[pair];
            const double k_b = y_[a] * at_n.sin[pair] + y_[b] * at_n.cos[pair];
            sum += q_a * k_a + q_b * k_b;
        }
        return sum / std::sqrt(static_cast<double>(spec_.rotary_dim));
    }

    RopeSpec spec_;
    Spectrum spectrum_;
    Projection query_map_, key_map_;
    std::vector<double> x_, y_;  ///< projected
};

}  // namespace

AbsoluteScores absolute_scores(const Scene& scene, std::int64_t m) {
    return Contents(scene).scores(m, m + scene.key_position - scene.query_position);
}

AbsoluteState make_absolute_state(const Scene& scene) {
    AbsoluteState state;
    state.spec = unscaled_rope_spec(scene);
    state.spectrum = make_spectrum(state.spec);
    state.shift = scene.shift;
    state.delta = scene.key_position - scene.query_position;
    state.count = scene.position_count;
    const Contents contents(scene);
    const std::int64_t first = std::max<std::int64_t>(0, -state.delta);
    const std::int64_t most =
        std::clamp<std::int64_t>(kScoreCost / state.spec.rotary_dim, 16, kMostScores);
    const std::int64_t step = std::max<std::int64_t>(1, (state.count + most - 1) / most);
    for (std::int64_t m = first; m < first + state.count; m += step) {
        state.scores.push_back(contents.scores(m, m + state.delta));
    }
    const auto sum = [](const AbsoluteScores& at) { return at.additive.sum(); };
    const auto [low, high] = std::ranges::minmax_element(state.scores, {}, sum);
    state.additive_least = sum(*low);
    state.additive_most = sum(*high);
    const auto [rope_low, rope_high] =
        std::ranges::minmax_element(state.scores, {}, &AbsoluteScores::rope);
    state.rope_least = rope_low->rope;
    state.rope_most = rope_high->rope;
    return state;
}

}  // namespace ropescope::figures
