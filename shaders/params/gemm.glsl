// Mirrored by GemmParameters in core/gpu/parameters.h.
layout(std140, binding = 0) uniform Parameters {
    uint rows;
    uint columns;
    uint depth;
    uint first_column;
    uint out_columns;
    uint has_bias;
    uint row_tiles;
    uint activation;
};
