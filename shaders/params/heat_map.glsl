// Mirrored by HeatMapParameters in core/gpu/parameters.h.
layout(std140, binding = 0) uniform Parameters {
    double low;
    double high;
    uint first;
    uint row_step;
    uint column_step;
    uint angle;
    uint largest;
    uint block;
    uint value_rows;
    uint value_columns;
    uint first_row;
    uint count;
    uint width;
    uint shades;
};
