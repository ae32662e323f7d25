// Makes the encoding that a scene describes, checks scenes, and puts a model into one.
#include "app/scene/scene.h"

#include <algorithm>
#include <fmt/format.h>

#include "app/scene/axes_grid.h"
#include "app/scene/parameters.h"
#include "app/scene/scene_scaling.h"
#include "core/base/error.h"
#include "core/scaling/method.h"

namespace ropescope {
namespace {

constexpr std::int64_t kSpreadPairs = 8;

/// An even spread over 0 .. pairs - 1 that begins with the fastest pair.
std::vector<std::int64_t> spread_pairs(std::int64_t pairs) {
    const std::int64_t count = std::min(kSpreadPairs, pairs);
    std::vector<std::int64_t> spread;
    for (std::int64_t i = 0; i < count; ++i) {
        spread.push_back(i * pairs / count);
    }
    return spread;
}

void check_pair(const char* name, Index pair, Index pairs) {
    if (pair < 0 || pair >= pairs) {
        throw InputError(fmt::format("{}: {} does not exist with rotary_dim {}; give 0 to {}", name,
                                     pair, 2 * pairs, pairs - 1));
    }
}

}  // namespace

RopeSpec unchecked_rope_spec(const Scene& scene) {
    return {.head_dim = scene.head_dim,
            .rotary_dim = scene.rotary_dim,
            .base = scene.base,
            .layout = scene.layout,
            .scaling = scene_scaling(scene),
            .seq_len = scene.seq_len};
}

RopeSpec rope_spec(const Scene& scene) {
    RopeSpec spec = unchecked_rope_spec(scene);
    validate(spec);
    return spec;
}

RopeSpec unscaled_rope_spec(const Scene& scene) {
    RopeSpec spec = rope_spec(scene);
    spec.scaling = NoScaling{};
    spec.seq_len = 0;
    return spec;
}

void validate(const Scene& scene) {
    const Index pairs = rope_spec(scene).pairs();
    if (scene.axis == kNoAxisChosen) {  // else the pairs are those of axes_model
        for (const std::int64_t pair : scene.pairs) {
            check_pair("pairs", pair, pairs);
        }
        check_pair("selected_pair", scene.selected_pair, pairs);
    }
    if (scene.first_position > largest_first_position(scene)) {
        throw InputError(fmt::format(
            "position_count: {} positions from {} on pass the last one, {}; give at most {}",
            scene.position_count, scene.first_position, kMaxPosition,
            kMaxPosition + 1 - scene.first_position));
    }
}

Scene with_existing_pairs(Scene scene) {
    const std::int64_t pairs = scene.rotary_dim / 2;
    if (pairs < 1) {
        return scene;
    }
    const auto missing = [pairs](std::int64_t pair) { return pair >= pairs; };
    if (std::ranges::any_of(scene.pairs, missing)) {
        scene.pairs = spread_pairs(pairs);
    }
    scene.selected_pair = std::min(scene.selected_pair, pairs - 1);
    return scene;
}

Scene with_followers(Scene scene, bool was_fully_rotary,
                     const std::vector<std::string_view>& changed) {
    const auto is_changed = [&](std::string_view name) {
        return std::ranges::find(changed, name) != changed.end();
    };
    if (was_fully_rotary && !is_changed("rotary_dim")) {
        scene.rotary_dim = scene.head_dim;
    }
    if (is_changed("axes_model") && !is_changed("axis")) {
        scene.axis = kNoAxisChosen;  // another model may not have it
    }
    if (is_changed("attention_text") && !is_changed("attention_masked") &&
        scene.attention_text.find("[MASK]") != std::string::npos) {
        scene.attention_masked = 0;  // the text says itself what is hidden
    }
    if (is_changed("axes_grid")) {
        scene = with_patches_inside(std::move(scene), changed);
    }
    if (is_changed("head_dim") || is_changed("rotary_dim") || is_changed("axis")) {
        Scene followed = with_existing_pairs(scene);
        scene.pairs = is_changed("pairs") ? scene.pairs : followed.pairs;
        scene.selected_pair =
            is_changed("selected_pair") ? scene.selected_pair : followed.selected_pair;
    }
    return scene;
}

std::int64_t largest_first_position(const Scene& scene) {
    return kMaxPosition + 1 - scene.position_count;
}

Scene with_model(Scene scene, const ModelConfig& model) {
    scene.model = model.id;
    scene.inferred = inference_of(model);
    scene.head_dim = model.rope.head_dim;
    scene.rotary_dim = model.rope.rotary_dim;
    scene.base = model.rope.base;
    scene.layout = model.rope.layout;
    if (model.max_positions > 0) {
        scene.context_length = model.max_positions;
        scene.original_length = model.max_positions;
    }
    scene = with_scaling(std::move(scene), model.rope.scaling);
    // A scaled model is extended already: to its context, or by its factor if the file names the
    // length before it.
    constexpr double kUsualExtension = 8;
    const double factor = extension_factor(model.rope.scaling);
    scene.target_length = scene.context_length > scene.original_length
                              ? scene.context_length
                              : std::min(floor_to_index((factor > 1 ? factor : kUsualExtension) *
                                                        to_double(scene.original_length)),
                                         static_cast<Index>(kLongestContext));
    return with_existing_pairs(std::move(scene));
}

}  // namespace ropescope
