// Builds a scaling from a scene's fields, and writes one into them.
#include "app/scene/scene_scaling.h"

#include <algorithm>

#include "app/scene/values.h"

namespace ropescope {
namespace {

/// A factor for each pair: the list, or `usual` for all if it is empty.
std::vector<double> factors(const std::vector<double>& list, std::int64_t pairs, double usual) {
    const std::int64_t count = std::clamp<std::int64_t>(pairs, 0, kMaxHeadDim / 2);
    return list.empty() ? std::vector<double>(static_cast<std::size_t>(count), usual) : list;
}

std::optional<double> given(double value) {
    return value == 0.0 ? std::nullopt : std::optional(value);
}

YarnScaling scene_yarn(const Scene& scene) {
    return {.factor = scene.scaling_factor,
            .original_positions = scene.original_length,
            .beta_fast = scene.yarn_beta_fast,
            .beta_slow = scene.yarn_beta_slow,
            .truncate = scene.yarn_truncate,
            .attention_factor = given(scene.attention_factor),
            .mscale = given(scene.yarn_mscale),
            .mscale_all_dim = given(scene.yarn_mscale_all_dim),
            .scales_softmax = scene.yarn_softmax};
}

LongRopeScaling scene_longrope(const Scene& scene) {
    const std::int64_t pairs = scene.rotary_dim / 2;
    return {.short_factor = factors(scene.longrope_short, pairs, 1.0),
            .long_factor = factors(scene.longrope_long, pairs, scene.scaling_factor),
            .original_positions = scene.original_length,
            .factor = scene.scaling_factor,
            .attention_factor = given(scene.attention_factor)};
}

/// Writes a method into a scene's fields.
struct Writer {
    Scene& scene;

    void operator()(const NoScaling&) const {}
    void operator()(const LinearScaling& linear) const { scene.scaling_factor = linear.factor; }
    void operator()(const NtkScaling& ntk) const { scene.scaling_factor = ntk.factor; }
    void operator()(const DynamicNtkScaling& ntk) const {
        scene.scaling_factor = ntk.factor;
        scene.original_length = ntk.original_positions;
    }
    void operator()(const YarnScaling& yarn) const {
        scene.scaling_factor = yarn.factor;
        scene.original_length = yarn.original_positions;
        scene.yarn_beta_fast = yarn.beta_fast;
        scene.yarn_beta_slow = yarn.beta_slow;
        scene.yarn_truncate = yarn.truncate;
        scene.attention_factor = yarn.attention_factor.value_or(0.0);
        scene.yarn_mscale = yarn.mscale.value_or(0.0);
        scene.yarn_mscale_all_dim = yarn.mscale_all_dim.value_or(0.0);
        scene.yarn_softmax = yarn.scales_softmax;
    }
    void operator()(const Llama3Scaling& llama) const {
        scene.scaling_factor = llama.factor;
        scene.original_length = llama.original_positions;
        scene.llama3_low_freq_factor = llama.low_freq_factor;
        scene.llama3_high_freq_factor = llama.high_freq_factor;
    }
    void operator()(const LongRopeScaling& longrope) const {
        scene.scaling_factor = longrope.factor;
        scene.original_length = longrope.original_positions;
        // A scene has one factor: that of the length at which it opens.
        scene.attention_factor =
            longrope.short_mscale.value_or(longrope.attention_factor.value_or(0.0));
        scene.longrope_short = longrope.short_factor;
        scene.longrope_long = longrope.long_factor;
    }
    void operator()(const ProportionalScaling& proportional) const {
        scene.scaling_factor = proportional.factor;
        scene.partial_rotary_factor = proportional.partial_rotary_factor;
    }
};

/// One model's mscale or lists of factors are not another's.
Scene without_method_fields(Scene scene) {
    const Scene usual;
    for (const Parameter& parameter : parameters()) {
        const bool shared =
            parameter.name == "scaling_factor" || parameter.name == "original_length";
        if (!parameter.methods.empty() && !shared) {
            scene = with_value(std::move(scene), parameter, get_value(usual, parameter), "");
        }
    }
    return scene;
}

}  // namespace

Scaling scene_scaling(const Scene& scene) {
    return scene_scaling(scene, scene.scaling);
}

Scaling scene_scaling(const Scene& scene, std::string_view method) {
    if (method == "linear") {
        return LinearScaling{scene.scaling_factor};
    }
    if (method == "ntk") {
        return NtkScaling{scene.scaling_factor};
    }
    if (method == "dynamic") {
        return DynamicNtkScaling{scene.scaling_factor, scene.original_length};
    }
    if (method == "yarn") {
        return scene_yarn(scene);
    }
    if (method == "llama3") {
        return Llama3Scaling{scene.scaling_factor, scene.llama3_low_freq_factor,
                             scene.llama3_high_freq_factor, scene.original_length};
    }
    if (method == "longrope") {
        return scene_longrope(scene);
    }
    if (method == "proportional") {
        return ProportionalScaling{scene.partial_rotary_factor, scene.scaling_factor};
    }
    return NoScaling{};
}

Scene with_scaling(Scene scene, const Scaling& scaling) {
    scene = without_method_fields(std::move(scene));
    scene.scaling = std::string(scaling_type(scaling));
    scene.seq_len = 0;
    std::visit(Writer{scene}, scaling);
    return scene;
}

bool is_used(const Scene& scene, const Parameter& parameter) {
    const auto counts = [&](const std::string& method) {
        // The calculator shows every method that needs no factors searched for the model.
        return method == scene.scaling || (scene.view == "context" && method != "longrope");
    };
    return parameter.methods.empty() || std::ranges::any_of(parameter.methods, counts);
}

std::vector<std::string> with_scaling_parameters(std::vector<std::string> names) {
    for (const Parameter& parameter : parameters()) {
        const bool there = std::ranges::find(names, parameter.name) != names.end();
        if (!there && (parameter.name == "scaling" || !parameter.methods.empty())) {
            names.push_back(parameter.name);
        }
    }
    return names;
}

}  // namespace ropescope
