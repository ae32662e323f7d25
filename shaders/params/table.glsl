// Mirrored by TableParameters in core/gpu/parameters.h.
layout(std140, binding = 0) uniform Parameters {
    uint first_row;
    uint rows;
    uint pairs;
    uint axes;
};
