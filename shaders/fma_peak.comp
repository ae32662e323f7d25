// Measures the peak of multiply-adds; the result has no use. Each thread runs eight independent chains
// in registers, for `count` rounds of 64 multiply-adds (8 vectors of 4, twice).
#include "shaders/params/rows.glsl"

layout(local_size_x = 256) in;

layout(std430, binding = 1) writeonly buffer Out { vec4 result[]; };

void main() {
    vec4 factor = vec4(0.999, 0.998, 0.997, 0.996);
    vec4 start = factor * float(gl_GlobalInvocationID.x);
    vec4 chains[8];
    for (uint i = 0; i < 8; ++i) {
        chains[i] = start + float(i);
    }
    for (uint turn = 0; turn < count; ++turn) {
        for (uint i = 0; i < 8; ++i) {
            chains[i] = chains[i] * factor + start;
        }
        for (uint i = 0; i < 8; ++i) {
            chains[i] = chains[i] * start + factor;
        }
    }
    vec4 sum = vec4(0.0);
    for (uint i = 0; i < 8; ++i) {
        sum += chains[i];
    }
    result[gl_GlobalInvocationID.x] = sum;
}
