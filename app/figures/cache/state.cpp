// Computes the state of the view cache.
#include <algorithm>
#include <cmath>

#include "app/figures/cache/cache.h"
#include "core/demo/demo_models.h"
#include "core/demo/twins.h"
#include "core/scaling/scaling.h"

namespace ropescope::figures {
namespace {

constexpr Index kLongestStored = 131072;
constexpr double kStoredRatio = 1.3;  ///< from one position of the curves to the next

/// A unit arrow at an angle, rounded to a format.
plot::Point rounded_arrow(double angle_rad, NumberFormat format) {
    return {round_to(format, std::cos(angle_rad)), round_to(format, std::sin(angle_rad))};
}

/// Turned by an exact angle, and rounded once more.
plot::Point turned_arrow(plot::Point arrow, double angle_rad, NumberFormat format) {
    const double c = std::cos(angle_rad), s = std::sin(angle_rad);
    return {round_to(format, c * arrow.x - s * arrow.y),
            round_to(format, s * arrow.x + c * arrow.y)};
}

/// Root mean square over the pairs of what `error(pair)` says.
template <typename Error>
double over_pairs(const Spectrum& spectrum, Error error) {
    double sum = 0;
    for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
        const double of = error(pair);
        sum += of * of;
    }
    return std::sqrt(sum / to_double(spectrum.pairs()));
}

double format_error(const CacheState& state, Index position, NumberFormat format) {
    return over_pairs(state.spectrum, [&](Index pair) {
        const double speed = state.spectrum.inv_freq_rad[pair];
        const plot::Point moved =
            turned_arrow(rounded_arrow(reduced_angle_rad(position, speed), format),
                         reduced_angle_rad(-state.shift, speed), format);
        const double right = reduced_angle_rad(position - state.shift, speed);
        return std::hypot(moved.x - std::cos(right), moved.y - std::sin(right));
    });
}

/// The encoding after its base has grown, as NTK scaling by 2 makes it.
Spectrum grown_spectrum(RopeSpec spec) {
    spec.scaling = NtkScaling{.factor = 2};
    return make_spectrum(spec);
}

/// Stored by the old speeds and moved by the new ones: the chord of the angle that is wrong.
double speeds_error(const CacheState& state, const Spectrum& grown, Index position) {
    return over_pairs(state.spectrum, [&](Index pair) {
        const double wrong = reduced_angle_rad(position, state.spectrum.inv_freq_rad[pair]) -
                             reduced_angle_rad(position, grown.inv_freq_rad[pair]);
        return 2 * std::abs(std::sin(wrong / 2));
    });
}

std::vector<ShiftError> shift_errors(const CacheState& state) {
    std::vector<ShiftError> errors;
    if (state.spec.rotary_dim <= 2) {
        return errors;  // a single pair has no base
    }
    const Spectrum grown = grown_spectrum(state.spec);
    Index last = 0;
    for (double at = 1; at <= to_double(kLongestStored) * 1.001; at *= kStoredRatio) {
        const Index position = round_to_index(at);
        if (position != last) {
            errors.push_back({to_double(position),
                              format_error(state, position, NumberFormat::fp32),
                              format_error(state, position, NumberFormat::fp16),
                              format_error(state, position, NumberFormat::bf16),
                              speeds_error(state, grown, position)});
            last = position;
        }
    }
    return errors;
}

}  // namespace

const std::vector<CachedModel>& cached_models() {
    // Two vectors, key and value, of head_dim 128 for each key head; MLA keeps one vector for all
    // heads, and beside it the shared channels that turn.
    static const std::vector<CachedModel> models = {
        {"Llama 2 7B", 32, 2 * 32 * 128, "32 key heads", "config.json of meta-llama/Llama-2-7b-hf"},
        {"Llama 3 8B", 32, 2 * 8 * 128, "8 key heads for 32 query heads",
         "config.json of meta-llama/Meta-Llama-3-8B"},
        {"Llama 3 70B", 80, 2 * 8 * 128, "8 key heads for 64 query heads",
         "config.json of meta-llama/Meta-Llama-3-70B"},
        {"DeepSeek-V3", 61, 512 + 64, "512 numbers that do not turn and 64 that do",
         "config.json of deepseek-ai/DeepSeek-V3: kv_lora_rank, qk_rope_head_dim"},
        {"DeepSeek-V3 unpacked", 61, 128 * (128 + 64 + 128),
         "keys of 192 and values of 128 channels for 128 heads",
         "config.json of deepseek-ai/DeepSeek-V3: num_attention_heads, v_head_dim"},
    };
    return models;
}

Index CacheState::kept() const {
    return count() - std::ranges::count(tokens, CachedToken::dropped);
}

double CacheState::angle_rad(Index token) const {
    return rotated ? reduced_angle_rad(token - shift, spectrum.inv_freq_rad[pair]) : 0.0;
}

CacheState make_cache_state(const Scene& scene) {
    CacheState state;
    state.spec = unscaled_rope_spec(scene);
    state.spectrum = make_spectrum(state.spec);
    state.pair = scene.selected_pair;
    state.rotated = scene.cache_rotated;
    state.key_heads = std::stoll(scene.cache_key_heads);
    state.shift = scene.cache_shift;
    state.window = scene.cache_window;
    for (Index token = 0; token < scene.cache_tokens; ++token) {
        const bool near = state.window == 0 || token >= scene.cache_tokens - state.window;
        state.tokens.push_back(near                        ? CachedToken::kept
                               : token < scene.cache_sinks ? CachedToken::first
                                                           : CachedToken::dropped);
    }
    state.errors = shift_errors(state);
    return state;
}

double even_first_share() {
    double sum = 0;
    for (Index query = demo::sink_from(); query < demo::kTrainedLength; ++query) {
        sum += 1 / to_double(query + 1);
    }
    return sum / to_double(demo::kTrainedLength - demo::sink_from());
}

}  // namespace ropescope::figures
