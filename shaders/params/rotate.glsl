// Mirrored by RotateParameters in core/gpu/parameters.h.
layout(std140, binding = 0) uniform Parameters {
    uint first_row;
    uint rows;
    uint heads;
    uint head_dim;
    uint pairs;
    uint units;
    uint table_rows;
    uint indexed;
    float sign_of_angle;
    uint head_rows;
};
