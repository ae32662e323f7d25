// Collects the keys about the rotation from a parsed config.json.
#include "core/formats/runtimes/stated_keys.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace ropescope::runtimes {
namespace {

/// Keys that say something about the rotation, wherever they stand.
bool is_rotary(std::string_view key) {
    constexpr std::string_view kBeside[] = {"rope_theta",
                                            "rotary_emb_base",
                                            "rope_local_base_freq",
                                            "global_rope_theta",
                                            "local_rope_theta",
                                            "partial_rotary_factor",
                                            "rotary_pct",
                                            "rope_interleave",
                                            "no_rope_layers",
                                            "no_rope_layer_interval",
                                            "rotary_dim",
                                            "swa_rope_theta",
                                            "position_embedding_type",
                                            "mrope_section",
                                            "xdrope_section",
                                            "mrope_interleaved",
                                            "compress_rope_theta",
                                            "partial_rotary_factors"};
    return std::ranges::find(kBeside, key) != std::end(kBeside);
}

bool is_scaling(std::string_view key) {
    constexpr std::string_view kInside[] = {"rope_type",
                                            "type",
                                            "factor",
                                            "alpha",
                                            "short_factor",
                                            "long_factor",
                                            "beta_fast",
                                            "beta_slow",
                                            "mscale",
                                            "mscale_all_dim",
                                            "truncate",
                                            "low_freq_factor",
                                            "high_freq_factor",
                                            "attention_factor",
                                            "attn_factor",
                                            "extrapolation_factor",
                                            "short_mscale",
                                            "long_mscale",
                                            "original_max_position_embeddings"};
    return std::ranges::find(kInside, key) != std::end(kInside);
}

void collect(const nlohmann::json& object, const std::string& path, std::vector<Stated>& stated) {
    for (const auto& [key, value] : object.items()) {
        const std::string own = path + "." + key;
        if (value.is_object()) {
            collect(value, own, stated);
        } else if (!value.is_null() && (is_rotary(key) || is_scaling(key))) {
            stated.push_back({own, value});
        }
    }
}

}  // namespace

std::vector<Stated> stated_keys(const nlohmann::json& config) {
    std::vector<Stated> stated;
    for (const auto& [key, value] : config.items()) {
        if (is_rotary(key) && !value.is_null()) {
            stated.push_back({key, value});
        }
    }
    for (const char* key : {"rope_parameters", "rope_scaling", "swa_rope_parameters"}) {
        const auto object = config.find(key);
        if (object != config.end() && object->is_object()) {
            collect(*object, key, stated);
        }
    }
    return stated;
}

}  // namespace ropescope::runtimes
