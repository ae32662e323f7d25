// Held to (keys + 4) 2^-23 of the sum: finds the largest score + added of every row and the sum of
// e^(score + added - largest), and stores the inverse and the logarithm of the sum. A thread has a row.
#include "shaders/attention_common.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = 1) readonly buffer Scores { float scores[]; };
layout(std430, binding = 2) readonly buffer Added { float added_scores[]; };
layout(std430, binding = 3) writeonly buffer Stats { vec2 stats[]; };
layout(std430, binding = 4) writeonly buffer LogSums { float log_sums[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= count) {
        return;
    }
    uint row = first_map_row + i;
    uint added_of_row =
        added_place(row / positions / heads, row / positions % heads, row % positions);
    float largest = kLowest;
    for (uint key = 0; key < positions; ++key) {
        float more = added != 0 ? added_scores[added_of_row + key] : 0.0;
        largest = max(largest, scores[i * positions + key] + more);
    }
    float sum = 0.0;
    for (uint key = 0; key < positions; ++key) {
        float more = added != 0 ? added_scores[added_of_row + key] : 0.0;
        sum += exponential(scores[i * positions + key] + more - largest);
    }
    stats[row] = vec2(largest, 1.0 / sum);
    log_sums[row] = largest + log(sum);
}
