// The parameter blocks of the shaders (shaders/params/*.glsl), as the program fills them by name.
// The layout is std140: scalars of four bytes one after the other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/index.h"

namespace ropescope::gpu {

/// A count or an offset as a shader takes it.
constexpr std::uint32_t to_uint(Index n) {
    return narrow<std::uint32_t>(n);
}

/// shaders/params/table.glsl
struct TableParameters {
    std::uint32_t first_row = 0;
    std::uint32_t rows = 0;
    std::uint32_t pairs = 0;
    std::uint32_t axes = 1;  ///< coordinates of a token
};
static_assert(sizeof(TableParameters) == 16 && offsetof(TableParameters, axes) == 12);

/// shaders/params/pair_curves.glsl
struct PairCurvesParameters {
    std::uint32_t first = 0;  ///< distance, where the ranges of the curves begin
    std::uint32_t count = 0;  ///< distances of the range
    std::uint32_t pairs = 0;
    std::uint32_t blocks = 0;   ///< of the table of blocks
    std::uint32_t offsets = 0;  ///< of the table of places in a block
    std::uint32_t padding[3] = {};
};
static_assert(sizeof(PairCurvesParameters) == 32 && offsetof(PairCurvesParameters, offsets) == 16);

/// shaders/params/rotate.glsl
struct RotateParameters {
    std::uint32_t first_row = 0;   ///< of the tensor, where the range begins
    std::uint32_t rows = 0;        ///< of the range
    std::uint32_t heads = 0;       ///< side by side in a row
    std::uint32_t head_dim = 0;    ///< channels
    std::uint32_t pairs = 0;       ///< of the table
    std::uint32_t units = 0;       ///< steps of a thread in a head
    std::uint32_t table_rows = 0;  ///< row r takes row r modulo this
    std::uint32_t indexed = 0;     ///< 1: row r takes row table_row[r] instead
    float sign = 0;                ///< -1 rotates backwards
    std::uint32_t head_rows = 0;   ///< from the row of a head to that of the next
    std::uint32_t padding[2] = {};
};
static_assert(sizeof(RotateParameters) == 48 && offsetof(RotateParameters, pairs) == 16 &&
              offsetof(RotateParameters, sign) == 32);

/// shaders/params/gemm.glsl
struct GemmParameters {
    std::uint32_t rows = 0;          ///< of x
    std::uint32_t columns = 0;       ///< rows of the part of W
    std::uint32_t depth = 0;         ///< columns of both
    std::uint32_t first_column = 0;  ///< of y, where the part of W begins
    std::uint32_t out_columns = 0;   ///< all columns of y
    std::uint32_t has_bias = 0;
    std::uint32_t row_tiles = 0;   ///< work groups down a column of tiles
    std::uint32_t activation = 0;  ///< the enum Activation
};
static_assert(sizeof(GemmParameters) == 32 && offsetof(GemmParameters, out_columns) == 16);

/// shaders/params/layer_norm.glsl
struct LayerNormParameters {
    double eps = 0;
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
};
static_assert(sizeof(LayerNormParameters) == 16 && offsetof(LayerNormParameters, rows) == 8);

/// shaders/params/heat_map.glsl
struct HeatMapParameters {
    double low = 0;
    double high = 0;
    std::uint32_t first = 0;  ///< index of the number of value (0, 0)
    std::uint32_t row_step = 0;
    std::uint32_t column_step = 0;
    std::uint32_t angle = 0;    ///< 1: the angle of the vector (number, next number)
    std::uint32_t largest = 0;  ///< 1: a cell is the largest of its values, not their mean
    std::uint32_t block = 0;    ///< a cell is block by block values
    std::uint32_t value_rows = 0;
    std::uint32_t value_columns = 0;
    std::uint32_t first_row = 0;  ///< of the picture, where the range begins
    std::uint32_t count = 0;      ///< rows of the range
    std::uint32_t width = 0;
    std::uint32_t shades = 0;
};
static_assert(sizeof(HeatMapParameters) == 64 && offsetof(HeatMapParameters, first) == 16 &&
              offsetof(HeatMapParameters, shades) == 60);

/// shaders/params/live_points.glsl
struct LivePointsParameters {
    float display_origin[2] = {};  ///< pixels
    float display_size[2] = {};
    float origin[2] = {};  ///< pixel = origin + number * unit
    float unit[2] = {};
    float from[2] = {};  ///< where an arrow begins
    float extent = 0;    ///< a dot's radius, an arrow's head
    float width = 0;     ///< of an arrow's shaft
    float color_first[4] = {};
    float color_last[4] = {};
    std::uint32_t count = 0;
    std::uint32_t padding[3] = {};
};
static_assert(sizeof(LivePointsParameters) == 96 && offsetof(LivePointsParameters, extent) == 40 &&
              offsetof(LivePointsParameters, color_first) == 48 &&
              offsetof(LivePointsParameters, count) == 80);

/// shaders/params/rows.glsl
struct RowsParameters {
    std::uint32_t count = 0;      ///< units of the result; a unit is one value or four
    std::uint32_t row_units = 0;  ///< of a row
    std::uint32_t first_row = 0;  ///< of a table that is processed in parts
    std::uint32_t last_row = 0;
};
static_assert(sizeof(RowsParameters) == 16 && offsetof(RowsParameters, last_row) == 12);

/// shaders/params/attention.glsl
struct AttentionParameters {
    std::uint32_t positions = 0;
    std::uint32_t heads = 0;
    std::uint32_t head_dim = 0;
    std::uint32_t added = 0;          ///< 1 if something is added to the scores
    std::uint32_t first = 0;          ///< block of 64 queries, counted over all heads
    std::uint32_t count = 0;          ///< rows of the maps
    std::uint32_t first_map_row = 0;  ///< where the range of a map begins
    std::uint32_t map_skip = 0;       ///< floats in that range before the first row
    float scale = 0;
    std::uint32_t added_sample = 0;  ///< rows of what is added from one sample to the next
    std::uint32_t added_head = 0;
    std::uint32_t added_query = 0;
};
static_assert(sizeof(AttentionParameters) == 48 && offsetof(AttentionParameters, first) == 16 &&
              offsetof(AttentionParameters, scale) == 32);

}  // namespace ropescope::gpu
