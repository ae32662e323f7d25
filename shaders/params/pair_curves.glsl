// Mirrored by PairCurvesParameters in core/gpu/parameters.h.
layout(std140, binding = 0) uniform Parameters {
    uint first;
    uint count;
    uint pairs;
    uint blocks;
    uint offsets;
};
