// The scenes that cost the views most.
#pragma once

#include "app/scene/scene.h"

namespace ropescope::bench {

inline Scene sixteen_pairs() {
    Scene scene;
    scene.pairs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    scene.query_position = scene.key_position = kMaxPosition;
    return scene;
}

inline Scene longest_table() {
    Scene scene;
    scene.position_count = kMaxPosition + 1;
    return scene;
}

inline Scene widest_head() {
    Scene scene;
    scene.head_dim = scene.rotary_dim = kMaxHeadDim;
    return scene;
}

/// A model with heads of 128 channels, or two, on a grid of 64 x 64 patches.
inline Scene patches_64x64() {
    Scene scene;
    scene.axes_grid = "64x64";
    return scene;
}
inline Scene two_models_64x64() {
    Scene scene = patches_64x64();
    scene.axes_other = "qwen3-vl-8b";
    return scene;
}

/// 1616 tokens, of which a video has most, counted rightly and wrongly.
inline Scene many_tokens() {
    Scene scene;
    scene.positions_family = "qwen2_5_vl";
    scene.positions_layout = "text 40, video 24x16x16 1s, text 40";
    scene.positions_compare = "ids.interval_missing";
    return scene;
}

}  // namespace ropescope::bench
