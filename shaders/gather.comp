// Exact: copies row ids[r] of the table into row r of the result. Only rows first_row .. last_row - 1
// of the table are bound; results with other ids stay as they are.
#include "shaders/params/rows.glsl"

layout(local_size_x = 256) in;

#if WIDTH == 4
#define FLOATS vec4
#else
#define FLOATS float
#endif

layout(std430, binding = 1) readonly buffer Table { FLOATS table[]; };
layout(std430, binding = 2) readonly buffer Ids { uint ids[]; };
layout(std430, binding = 3) writeonly buffer Out { FLOATS result[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= count) {
        return;
    }
    uint id = ids[i / row_units];
    if (id >= first_row && id < last_row) {
        result[i] = table[(id - first_row) * row_units + i % row_units];
    }
}
