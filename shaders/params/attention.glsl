// Mirrored by AttentionParameters in core/gpu/parameters.h.
layout(std140, binding = 0) uniform Parameters {
    uint positions;
    uint heads;
    uint head_dim;
    uint mask_rows;
    uint first;
    uint count;
    uint first_map_row;
    uint map_skip;
    float scale;
};
