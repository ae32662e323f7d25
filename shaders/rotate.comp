// Held to sqrt(2) (e + 2^-23) |x| for each head vector, e the error of the given cos and sin:
//   x' = x cos - y sin,  y' = x sin + y cos      (RoFormer, eq. 34)
// in place. HALF_SPLIT 1: channels (i, i + pairs) form a pair, 0: (2i, 2i + 1). WIDTH is the number of
// pairs in one step: 4 or 1 if half-split, 2 or 1 if interleaved. MAPPED 1: the channels of each pair
// are listed, one pair in a step.
#include "shaders/params/rotate.glsl"

layout(local_size_x = 256) in;

#if WIDTH == 4
#define CHANNELS vec4
#define ANGLES vec4
#elif WIDTH == 2
#define CHANNELS vec4
#define ANGLES vec2
#else
#define CHANNELS float
#define ANGLES float
#endif

layout(std430, binding = 1) buffer X { CHANNELS x[]; };
layout(std430, binding = 2) readonly buffer Cos { ANGLES table_cos[]; };
layout(std430, binding = 3) readonly buffer Sin { ANGLES table_sin[]; };
layout(std430, binding = 4) readonly buffer TableRows { uint table_row[]; };
#if MAPPED
layout(std430, binding = 5) readonly buffer Channels { uvec2 channels[]; };
#endif

/// In place of a row of the table: the token does not turn.
const uint STILL = 0xffffffffu;

#if MAPPED
void rotate(uint head, uint unit, ANGLES c, ANGLES s) {
    uint first = head + channels[unit].x;
    uint second = head + channels[unit].y;
    float a = x[first];
    float b = x[second];
    x[first] = a * c - b * s;
    x[second] = a * s + b * c;
}
#elif HALF_SPLIT
void rotate(uint head, uint unit, ANGLES c, ANGLES s) {
    uint first = head / WIDTH + unit;
    uint second = first + pairs / WIDTH;
    CHANNELS a = x[first];
    CHANNELS b = x[second];
    x[first] = a * c - b * s;
    x[second] = a * s + b * c;
}
#elif WIDTH == 2
void rotate(uint head, uint unit, ANGLES c, ANGLES s) {
    uint at = head / 4 + unit;
    vec4 a = x[at];
    x[at] = vec4(a.xz * c - a.yw * s, a.xz * s + a.yw * c).xzyw;
}
#else
void rotate(uint head, uint unit, ANGLES c, ANGLES s) {
    uint at = head + 2 * unit;
    float a = x[at];
    float b = x[at + 1];
    x[at] = a * c - b * s;
    x[at + 1] = a * s + b * c;
}
#endif

void main() {
    uint index = gl_GlobalInvocationID.x;
    if (index >= rows * heads * units) {
        return;
    }
    uint unit = index % units;
    uint head = index / units;
    uint row = first_row + head / heads;
    uint first = indexed != 0 ? table_row[row] : row % table_rows;
    if (first == STILL) {
        return;
    }
    uint angles = (first + head % heads * head_rows) * units + unit;
    rotate(head * head_dim, unit, table_cos[angles], sign_of_angle * table_sin[angles]);
}
