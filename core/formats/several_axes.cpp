// Refuses models that turn in several axes: by their type, or by keys that only such models have.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/base/characters.h"
#include "core/formats/family_of.h"

namespace ropescope {
namespace {

constexpr std::string_view kExpected = "a model whose tokens have one position each is expected";
constexpr std::string_view kImage = "two axes, the height and the width of an image";

/// Keys of images, videos and axes, which no language model has at its own level.
constexpr std::array kVisionKeys = {
    "patch_size",      "patch_sizes",        "image_size",          "img_size",
    "axes_dims_rope",  "axes_dim",           "axes_dims",           "axes_lens",
    "rope_axes_dim",   "rope_axes",          "rope_dim_list",       "tubelet_size",
    "pos_embed_shift", "pos_embed_jitter",   "pos_embed_rescale",   "pos_embed_rope_base",
    "patch_size_t",    "spatial_merge_size", "temporal_patch_size", "spatial_patch_size",
    "crop_size",       "rope_max_grid_size", "position_encoding_2d"};

}  // namespace

void check_one_axis(const ConfigObject& config, const std::string& model_type) {
    if (const std::string_view axes = other_positions("several_axes", model_type); !axes.empty()) {
        config.fail("model_type",
                    fmt::format("{} turns in {}; {}", in_quotes(model_type), axes, kExpected));
    }
    // Qwen2-VL and GLM-4V call the part that sees by the name of the whole.
    if (config.has("patch_size") && config.has("depth") && !config.has("num_attention_heads")) {
        config.fail("patch_size", fmt::format("the part of {} that sees turns in {}; {}",
                                              in_quotes(model_type), kImage, kExpected));
    }
    // The later versions of ChatGLM-6B bear the same name, but their files have kv_channels.
    const bool first_chatglm =
        model_type == "chatglm" && !config.has("kv_channels") && config.has("inner_hidden_size");
    if (config.boolean("position_encoding_2d").value_or(first_chatglm)) {
        config.fail("position_encoding_2d",
                    fmt::format("this model turns in two axes, one half of each head by the "
                                "position in the text and the other by the position in the "
                                "answer; {}",
                                kExpected));
    }
}

void check_no_vision_keys(const ConfigObject& config, const std::string& model_type) {
    if (const auto class_name = config.text("_class_name")) {
        config.fail(
            "_class_name",
            fmt::format("{} is not a known model of diffusers, and models of diffusers turn "
                        "in several axes (an image has two); {}",
                        in_quotes(*class_name), kExpected));
    }
    const auto* const key =
        std::ranges::find_if(kVisionKeys, [&](std::string_view name) { return config.has(name); });
    if (key != kVisionKeys.end()) {
        config.fail(*key, fmt::format("model_type {} is not known, and a model with this key turns "
                                      "in several axes (an image has two); {}",
                                      in_quotes(model_type), kExpected));
    }
}

}  // namespace ropescope
