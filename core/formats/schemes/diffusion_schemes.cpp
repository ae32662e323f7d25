// Reads the models of diffusers that make images and videos, by their class.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

#include "core/base/characters.h"
#include "core/formats/limits.h"
#include "core/formats/schemes/diffusers_classes.h"
#include "core/formats/schemes/scheme_reader.h"
#include "core/formats/schemes/schemes.h"
#include "core/schemes/diffusion.h"

namespace ropescope {
namespace {

/// The channels of each axis. They must add up to attention_head_dim.
std::vector<Index> axis_channels(const SchemeReader& file, std::string_view key,
                                 const std::vector<Index>& usual) {
    const auto stated =
        file.integers(key, 2, kMaxHeadDim, usual.size(), "the channels of each axis");
    if (!stated) {
        file.assumptions.push_back(fmt::format("{} is missing: [{}]", key, fmt::join(usual, ", ")));
    }
    const std::vector<Index> channels = stated.value_or(usual);
    const Index sum = std::accumulate(channels.begin(), channels.end(), Index{0});
    const Index head_dim = file.integer("attention_head_dim", sum);
    if (sum != head_dim) {
        file.config.fail(key, fmt::format("[{}] make {} channels; attention_head_dim is {}, give "
                                          "channels that add up to it",
                                          fmt::join(channels, ", "), sum, head_dim));
    }
    return channels;
}

RotaryScheme read_flux1(const SchemeReader& file) {
    return flux1(axis_channels(file, "axes_dims_rope", {16, 56, 56}));
}
RotaryScheme read_flux2(const SchemeReader& file) {
    const auto channels = axis_channels(file, "axes_dims_rope", {32, 32, 32, 32});
    return flux2(channels, file.base(2000.0));
}
RotaryScheme read_qwen_image(const SchemeReader& file) {
    return qwen_image(axis_channels(file, "axes_dims_rope", {16, 56, 56}));
}
/// diffusers states the channels of a head, and Wan's own repository (WanModel) those of all heads.
RotaryScheme read_wan(const SchemeReader& file) {
    const bool of_all_heads = !file.config.has("attention_head_dim") && file.config.has("dim");
    return wan(of_all_heads ? file.head_dim({"dim"}, {"num_heads"})
                            : file.integer("attention_head_dim", 128));
}
RotaryScheme read_hunyuan(const SchemeReader& file) {
    const auto channels = axis_channels(file, "rope_axes_dim", {16, 56, 56});
    return hunyuan_video(channels, file.base(256.0));
}

RotaryScheme read_cogvideox(const SchemeReader& file) {
    if (!file.config.boolean("use_rotary_positional_embeddings").value_or(false)) {
        file.config.fail("use_rotary_positional_embeddings",
                         "this model has no rotary embedding; true is expected");
    }
    const Index head_dim = file.integer("attention_head_dim", 64);
    if (file.config.has("patch_size_t")) {  // version 1.5 takes indices
        return cogvideox(head_dim, std::nullopt);
    }
    const Index patch = file.integer("patch_size", 2);
    return cogvideox(head_dim, PatchGrid{1, file.integer("sample_height", 60) / patch,
                                         file.integer("sample_width", 90) / patch});
}

/// A number for each of three axes.
std::array<double, 3> for_axes(const SchemeReader& file, std::string_view key,
                               const std::array<double, 3>& usual) {
    const auto numbers = file.config.numbers(key, 3);
    if (!numbers) {
        file.assumptions.push_back(fmt::format("{} is missing: [{}]", key, fmt::join(usual, ", ")));
        return usual;
    }
    if (numbers->size() != 3) {
        file.config.fail(key, "three numbers are expected, one for each axis");
    }
    return {(*numbers)[0], (*numbers)[1], (*numbers)[2]};
}

RotaryScheme read_cosmos(const SchemeReader& file) {
    return cosmos({.head_dim = file.integer("attention_head_dim", 128),
                   .scale = for_axes(file, "rope_scale", {2.0, 1.0, 1.0}),
                   .base_fps = file.config.positive("base_fps", kMaxFactor).value_or(24.0),
                   .fps = file.config.positive("fps", kMaxFactor).value_or(0.0)});
}

/// The pipeline passes rope_interpolation_scale: the compression of the VAE, in time by frame_rate.
RotaryScheme read_ltx(const SchemeReader& file) {
    const std::array<double, 3> scale =
        for_axes(file, "rope_interpolation_scale", {8.0 / 25.0, 32.0, 32.0});
    const double patch = file.config.positive("patch_size", 64).value_or(1.0);
    const double patch_t = file.config.positive("patch_size_t", 64).value_or(1.0);
    const auto base_size = [&](std::string_view key, double usual) {
        return file.config.positive(key, 1e9).value_or(usual);
    };
    return ltx({.head_dim = file.integer("attention_head_dim", 64),
                .heads = file.integer("num_attention_heads", 32),
                .base = file.config.positive("rope_theta", kMaxBase).value_or(10000.0),
                .unit = {scale[0] * patch_t / base_size("base_num_frames", 20.0),
                         scale[1] * patch / base_size("base_height", 2048.0),
                         scale[2] * patch / base_size("base_width", 2048.0)}});
}

struct DiffusionModel {
    std::string_view begins;  ///< of _class_name
    RotaryScheme (*read)(const SchemeReader& file);
};

constexpr std::array kModels = {DiffusionModel{"Flux2Transformer", read_flux2},
                                DiffusionModel{"FluxTransformer", read_flux1},
                                DiffusionModel{"QwenImageTransformer", read_qwen_image},
                                DiffusionModel{"Wan", read_wan},
                                DiffusionModel{"HunyuanVideoTransformer", read_hunyuan},
                                DiffusionModel{"CogVideoXTransformer", read_cogvideox},
                                DiffusionModel{"CosmosTransformer", read_cosmos},
                                DiffusionModel{"LTXVideoTransformer", read_ltx}};

/// The classes that were looked at. Another whose name begins alike may do otherwise.
constexpr std::array<std::string_view, 12> kLookedAt = {
    "Flux2Transformer2DModel",        "FluxTransformer2DModel",
    "QwenImageTransformer2DModel",    "WanTransformer3DModel",
    "WanVACETransformer3DModel",      "WanAnimateTransformer3DModel",
    "WanAnimate2Transformer3DModel",  "WanModel",
    "HunyuanVideoTransformer3DModel", "CogVideoXTransformer3DModel",
    "CosmosTransformer3DModel",       "LTXVideoTransformer3DModel"};

}  // namespace

std::optional<Part> diffusion_scheme(const ConfigObject& config) {
    const std::string name = config.text("_class_name").value_or("");
    for (const DiffusionModel& model : kModels) {
        if (!name.empty() && name.starts_with(model.begins)) {
            Part read{.kind = "vision"};
            read.scheme = model.read({config, read.assumptions});
            if (std::ranges::find(kLookedAt, name) == kLookedAt.end()) {
                read.inferred = fmt::format(
                    "class {} is not known; inferred: as the known class whose name begins with {}",
                    in_quotes(name), model.begins);
            }
            return read;
        }
    }
    if (name.empty()) {
        return std::nullopt;
    }
    std::optional<Part> listed = diffusers_class(config, name);
    if (!listed) {
        config.fail("_class_name",
                    fmt::format("{} is not a known model of diffusers, and no key says which "
                                "channels each axis turns; a class that is known is expected, or "
                                "axes_dims_rope, rope_axes_dim or axes_dim",
                                in_quotes(name)));
    }
    return listed;
}

}  // namespace ropescope
