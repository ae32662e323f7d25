// Mirrored by LayerNormParameters in core/gpu/parameters.h.
layout(std140, binding = 0) uniform Parameters {
    double eps;
    uint rows;
    uint columns;
};
