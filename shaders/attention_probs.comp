// Held to 2^-21 relative, beyond the errors of scores and sums: turns scores into probabilities,
// which may be in the same buffer.
#include "shaders/attention_common.glsl"

layout(local_size_x = 256) in;

layout(std430, binding = 1) readonly buffer Scores { float scores[]; };
layout(std430, binding = 2) readonly buffer Added { float added_scores[]; };
layout(std430, binding = 3) readonly buffer Stats { vec2 stats[]; };
layout(std430, binding = 4) writeonly buffer Probs { float probs[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= count * positions) {
        return;
    }
    uint row = first_map_row + i / positions;
    uint key = i % positions;
    uint place = added_place(row / positions / heads, row / positions % heads, row % positions);
    float more = added != 0 ? added_scores[place + key] : 0.0;
    vec2 largest_and_inverse = stats[row];
    probs[i] = exponential(scores[i] + more - largest_and_inverse.x) * largest_and_inverse.y;
}
