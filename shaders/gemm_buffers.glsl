// Shared by the matrix products y = activation(x W^T + b): x [rows, depth], W [columns, depth], and
// some columns of y [rows, out_columns]. WIDTH 4: depth is a multiple of 4, so a thread reads four
// values at a time.
#include "shaders/params/gemm.glsl"

#include "shaders/activation.glsl"

#if WIDTH == 4
#define FLOATS vec4
#else
#define FLOATS float
#endif

layout(std430, binding = 1) readonly buffer X { FLOATS x[]; };
layout(std430, binding = 2) readonly buffer W { FLOATS w[]; };
layout(std430, binding = 3) readonly buffer Bias { float bias[]; };
layout(std430, binding = 4) writeonly buffer Y { float y[]; };

// Four values of row `row` from column k on; zeros outside the matrix.
#if WIDTH == 4
vec4 x_at(uint row, uint k) {
    return row < rows && k < depth ? x[(row * depth + k) / 4] : vec4(0.0);
}
vec4 w_at(uint row, uint k) {
    return row < columns && k < depth ? w[(row * depth + k) / 4] : vec4(0.0);
}
#else
vec4 x_at(uint row, uint k) {
    vec4 v = vec4(0.0);
    for (uint c = 0; c < 4; ++c) {
        if (row < rows && k + c < depth) {
            v[c] = x[row * depth + k + c];
        }
    }
    return v;
}
vec4 w_at(uint row, uint k) {
    vec4 v = vec4(0.0);
    for (uint c = 0; c < 4; ++c) {
        if (row < columns && k + c < depth) {
            v[c] = w[row * depth + k + c];
        }
    }
    return v;
}
#endif

// Stores four sums of a row, in columns column .. column + 3 of this part.
void write_out(uint row, uint column, vec4 sums) {
    for (uint c = 0; c < 4; ++c) {
        if (row < rows && column + c < columns) {
            uint target = first_column + column + c;
            float value = sums[c] + (has_bias != 0 ? bias[target] : 0.0);
            y[row * out_columns + target] = activated(value);
        }
    }
}
