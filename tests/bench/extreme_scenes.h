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

}  // namespace ropescope::bench
