// Held to (keys + 2) 2^-24 sum p |v|: sums the values, weighted with their probabilities. A thread has
// 4 channels of a query, or 1 if head_dim is not a multiple of 4.
#include "shaders/attention_common.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = 1) readonly buffer Probs { float probs[]; };
layout(std430, binding = 2) readonly buffer V { FLOATS v[]; };
layout(std430, binding = 3) writeonly buffer Context { FLOATS context[]; };

void main() {
    uint units = head_dim / WIDTH;
    uint i = gl_GlobalInvocationID.x;
    if (i >= count * units) {
        return;
    }
    uint row = first_map_row + i / units;
    uint batch = row / positions / heads;
    uint head = row / positions % heads;
    uint unit = i % units;
    uint place = (row - first_map_row) * positions;
    uint value_place = vector_place(batch, 0, head) / WIDTH + unit;
    uint step_to_next = heads * head_dim / WIDTH;
    FLOATS sum = FLOATS(0.0);
    for (uint key = 0; key < positions; ++key) {
        sum += probs[place + key] * v[value_place + key * step_to_next];
    }
    context[vector_place(batch, row % positions, head) / WIDTH + unit] = sum;
}
