// Held to (depth + 2) 2^-24 sum |x| |w|, the bias and the activation: a product in software
// (is_software()), where shared memory is slow. Each thread computes 4 x 4 of the output in registers.
#include "shaders/gemm_buffers.glsl"

layout(local_size_x = 64) in;

void main() {
    uint row_quads = (rows + 3) / 4;
    uint column = gl_GlobalInvocationID.x / row_quads * 4;
    uint row = gl_GlobalInvocationID.x % row_quads * 4;
    if (column >= columns) {
        return;
    }
    vec4 sums[4];
    for (uint r = 0; r < 4; ++r) {
        sums[r] = vec4(0.0);
    }
    for (uint k = 0; k < depth; k += 4) {
        mat4 b = transpose(
            mat4(w_at(column, k), w_at(column + 1, k), w_at(column + 2, k), w_at(column + 3, k)));
        for (uint r = 0; r < 4; ++r) {
            vec4 a = x_at(row + r, k);
            sums[r] += a.x * b[0] + a.y * b[1] + a.z * b[2] + a.w * b[3];
        }
    }
    for (uint r = 0; r < 4; ++r) {
        write_out(row + r, column, sums[r]);
    }
}
