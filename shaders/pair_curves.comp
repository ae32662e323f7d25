// Held to pair_curves_error() of core/analysis/pair_curves.h: the curves, all in double. A thread has
// one distance and gets its cos and sin from those of the block and of the offset in the block. The
// processor has reduced the angles; no sine is computed here.
#include "shaders/params/pair_curves.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = 1) readonly buffer Blocks { dvec2 block_cis[]; };
layout(std430, binding = 2) readonly buffer Offsets { dvec2 offset_cis[]; };
layout(std430, binding = 3) readonly buffer Rows { uvec2 row_block_and_offset[]; };
layout(std430, binding = 4) readonly buffer Weights { dvec2 weight[]; };
layout(std430, binding = 5) writeonly buffer Even { double even_sum[]; };
layout(std430, binding = 6) writeonly buffer Odd { double odd_sum[]; };
layout(std430, binding = 7) writeonly buffer Moduli { double moduli_sum[]; };

void main() {
    uint row = gl_GlobalInvocationID.x;
    if (row >= count) {
        return;
    }
    uvec2 place = row_block_and_offset[first + row];
    dvec2 sum = dvec2(0.0);
    double moduli = 0.0;
    for (uint pair = 0u; pair < pairs; ++pair) {
        dvec2 a = block_cis[pair * blocks + place.x];
        dvec2 b = offset_cis[pair * offsets + place.y];
        sum += weight[pair] * dvec2(a.x * b.x - a.y * b.y, a.y * b.x + a.x * b.y);
        moduli += sqrt(sum.x * sum.x + sum.y * sum.y);
    }
    even_sum[row] = sum.x;
    odd_sum[row] = sum.y;
    moduli_sum[row] = moduli;
}
