// The parameter blocks of the shaders (shaders/params/*.glsl), as the program fills them: std140,
// scalars of four bytes one after the other.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ropescope::gpu {

/// shaders/params/table.glsl
struct TableParameters {
    std::uint32_t first_row;
    std::uint32_t rows;
    std::uint32_t pairs;
    std::uint32_t unused;
};
static_assert(sizeof(TableParameters) == 16 && offsetof(TableParameters, pairs) == 8);

/// shaders/params/pair_curves.glsl
struct PairCurvesParameters {
    std::uint32_t first;  ///< distance, what the bound ranges of the curves begin with
    std::uint32_t count;  ///< distances of the range
    std::uint32_t pairs;
    std::uint32_t blocks;   ///< of the table of blocks
    std::uint32_t offsets;  ///< of the table of places in a block
    std::uint32_t unused[3];
};
static_assert(sizeof(PairCurvesParameters) == 32 && offsetof(PairCurvesParameters, offsets) == 16);

/// shaders/params/rotate.glsl
struct RotateParameters {
    std::uint32_t first_row;   ///< of the tensor, what the bound range begins with
    std::uint32_t rows;        ///< of the range
    std::uint32_t heads;       ///< side by side in a row
    std::uint32_t head_dim;    ///< channels
    std::uint32_t pairs;       ///< of the table
    std::uint32_t units;       ///< steps of one thread in a head
    std::uint32_t table_rows;  ///< row r takes row r modulo this
    std::uint32_t indexed;     ///< 1: row r takes row table_row[r] instead
    float sign;                ///< -1 turns backwards
    std::uint32_t unused[3];
};
static_assert(sizeof(RotateParameters) == 48 && offsetof(RotateParameters, pairs) == 16 &&
              offsetof(RotateParameters, sign) == 32);

/// shaders/params/gemm.glsl
struct GemmParameters {
    std::uint32_t rows;          ///< of x
    std::uint32_t columns;       ///< rows of the part of W
    std::uint32_t depth;         ///< columns of both
    std::uint32_t first_column;  ///< of y, where the part of W begins
    std::uint32_t out_columns;   ///< of y in all
    std::uint32_t has_bias;
    std::uint32_t row_tiles;  ///< work groups down a column of tiles
    std::uint32_t unused;
};
static_assert(sizeof(GemmParameters) == 32 && offsetof(GemmParameters, out_columns) == 16);

/// shaders/params/layer_norm.glsl
struct LayerNormParameters {
    double eps;
    std::uint32_t rows;
    std::uint32_t columns;
};
static_assert(sizeof(LayerNormParameters) == 16 && offsetof(LayerNormParameters, rows) == 8);

/// shaders/params/heat_map.glsl
struct HeatMapParameters {
    double low;
    double high;
    std::uint32_t first;  ///< number, where cell (0, 0) is
    std::uint32_t row_step;
    std::uint32_t column_step;
    std::uint32_t angle;    ///< 1: the angle of the vector (number, next number)
    std::uint32_t largest;  ///< 1: a cell is the largest of its values, not their mean
    std::uint32_t block;    ///< a cell is block by block values
    std::uint32_t value_rows;
    std::uint32_t value_columns;
    std::uint32_t first_row;  ///< of the picture, what the bound range begins with
    std::uint32_t count;      ///< rows of the range
    std::uint32_t width;
    std::uint32_t shades;
};
static_assert(sizeof(HeatMapParameters) == 64 && offsetof(HeatMapParameters, first) == 16 &&
              offsetof(HeatMapParameters, shades) == 60);

/// shaders/params/live_points.glsl
struct LivePointsParameters {
    float display_origin[2];  ///< pixels
    float display_size[2];
    float origin[2];  ///< pixel = origin + number * unit
    float unit[2];
    float from[2];  ///< where an arrow begins
    float extent;   ///< a dot's radius, an arrow's head
    float width;    ///< of an arrow's shaft
    float color_first[4];
    float color_last[4];
    std::uint32_t count;
    std::uint32_t unused[3];
};
static_assert(sizeof(LivePointsParameters) == 96 && offsetof(LivePointsParameters, extent) == 40 &&
              offsetof(LivePointsParameters, color_first) == 48 &&
              offsetof(LivePointsParameters, count) == 80);

/// shaders/params/rows.glsl
struct RowsParameters {
    std::uint32_t count;      ///< units of the result: one value, or four
    std::uint32_t row_units;  ///< of a row
    std::uint32_t first_row;  ///< of a table that is worked off in parts
    std::uint32_t last_row;
};
static_assert(sizeof(RowsParameters) == 16 && offsetof(RowsParameters, last_row) == 12);

/// shaders/params/attention.glsl
struct AttentionParameters {
    std::uint32_t positions;
    std::uint32_t heads;
    std::uint32_t head_dim;
    std::uint32_t mask_rows;      ///< of a sample: 0 none, 1 for all queries, or one each
    std::uint32_t first;          ///< block of 64 queries, counted over all heads
    std::uint32_t count;          ///< rows of the maps
    std::uint32_t first_map_row;  ///< what the bound range of a map begins with
    std::uint32_t map_skip;       ///< floats at the beginning of that range that are not of the row
    float scale;
    std::uint32_t unused[3];
};
static_assert(sizeof(AttentionParameters) == 48 && offsetof(AttentionParameters, first) == 16 &&
              offsetof(AttentionParameters, scale) == 32);

}  // namespace ropescope::gpu
