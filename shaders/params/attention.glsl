// Mirrored by AttentionParameters in core/gpu/parameters.h.
layout(std140, binding = 0) uniform Parameters {
    uint positions;
    uint heads;
    uint head_dim;
    uint added;
    uint first;
    uint count;
    uint first_map_row;
    uint map_skip;
    float scale;
    uint added_sample;
    uint added_head;
    uint added_query;
};
