// Held to half an ulp of the sum: out = a + b.
#include "shaders/params/rows.glsl"

layout(local_size_x = 256) in;

#if WIDTH == 4
#define FLOATS vec4
#else
#define FLOATS float
#endif

layout(std430, binding = 1) readonly buffer A { FLOATS a[]; };
layout(std430, binding = 2) readonly buffer B { FLOATS b[]; };
layout(std430, binding = 3) writeonly buffer Out { FLOATS result[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) {
        result[i] = a[i] + b[i];
    }
}
