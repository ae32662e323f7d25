// Mirrored by RowsParameters in core/gpu/parameters.h.
layout(std140, binding = 0) uniform Parameters {
    uint count;
    uint row_units;
    uint first_row;
    uint last_row;
};
