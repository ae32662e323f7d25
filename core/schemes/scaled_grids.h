// Vision models whose coordinates depend on the size of the grid: EVA-02 and timm, DINOv3.
#pragma once

#include <optional>

#include "core/schemes/rotary_scheme.h"

namespace ropescope {

/// Arguments of timm's RotaryEmbeddingCat. Source: huggingface/pytorch-image-models,
/// timm/layers/pos_embed_sincos.py, RotaryEmbeddingCat, build_fourier_pos_embed.
struct TimmGrid {
    Index head_dim = 64;
    bool columns_first = false;           ///< grid_indexing "xy" instead of "ij"
    Layout layout = Layout::interleaved;  ///< half_split with rotate_half
    Index still_before = 1;               ///< tokens before the patches, CLS and registers
};

/// temperature^(-4j / head_dim). A grid is stretched to `reference` patches a side (EVA-02: 16 x
/// 16); without a reference positions are indices + offset.
struct TimmLanguage {
    double temperature = 10000.0;
    double offset = 0.0;
    Index reference_rows = 0;  ///< 0: none
    Index reference_columns = 0;
};
RotaryScheme timm_language(const TimmGrid& grid, const TimmLanguage& frequencies);

/// Frequencies from pi to pi max_resolution / 2, in equal ratios or, if `linear`, in equal steps;
/// coordinates from -1 to 1.
struct TimmPixels {
    double max_resolution = 224.0;
    bool linear = false;
};
RotaryScheme timm_pixels(const TimmGrid& grid, const TimmPixels& frequencies);

/// Source: facebookresearch/dinov3, dinov3/layers/rope_position_encoding.py, RopePositionEmbedding.
struct Dinov3 {
    enum class Normalise { separate, max, min };

    Index head_dim = 64;
    double base = 100.0;  ///< periods base^(4j / head_dim), unless min and max are given
    struct Periods {
        double min = 0.0;
        double max = 0.0;
    };
    std::optional<Periods> periods = {};        ///< in equal ratios from min to max
    Normalise normalise = Normalise::separate;  ///< by which side coordinates are divided
    Index still_before = 5;                     ///< CLS and four registers
    Layout layout = Layout::half_split;
};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<Dinov3::Normalise> = {"separate", "max",
                                                                                  "min"};
RotaryScheme dinov3(const Dinov3& arguments);

/// Of each three pairs one is for time, where images do not turn, one for rows and one for columns,
/// as far as their numbers reach; half-split. Source: huggingface/pytorch-image-models,
/// timm/layers/pos_embed_sincos.py, RotaryEmbeddingMRope.
struct TimmMrope {
    Index head_dim = 64;
    Index rows = 12, columns = 12;  ///< pairs of each, of rope_mrope_section
    double temperature = 10000.0;
    Index still_before = 0;
};
RotaryScheme timm_mrope(const TimmMrope& arguments);

}  // namespace ropescope
