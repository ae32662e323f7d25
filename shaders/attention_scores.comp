// Held to (head_dim + 2) 2^-24 scale sum |q| |k|: the scores, in software (is_software()). A thread
// computes 4 scores of a query.
#include "shaders/attention_common.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = 1) readonly buffer Q { FLOATS q[]; };
layout(std430, binding = 2) readonly buffer K { FLOATS k[]; };
layout(std430, binding = 3) writeonly buffer Scores { float scores[]; };

void main() {
    uint key_quads = (positions + 3) / 4;
    uint i = gl_GlobalInvocationID.x;
    if (i >= count * key_quads) {
        return;
    }
    uint row = first_map_row + i / key_quads;
    uint key = i % key_quads * 4;
    uint batch = row / positions / heads;
    uint head = row / positions % heads;
    uint query_place = vector_place(batch, row % positions, head);
    uint key_place = vector_place(batch, key, head);
    uint step_to_next = heads * head_dim;
    // Beyond the last key we read the last one again; those scores are not stored.
    uvec4 key_places =
        key_place + min(uvec4(0, 1, 2, 3), uvec4(positions - 1 - key)) * step_to_next;
    vec4 sums = vec4(0.0);
#if WIDTH == 4
    for (uint c = 0; c < head_dim; c += 4) {
        vec4 a = q[(query_place + c) / 4];
        sums += vec4(dot(a, k[(key_places.x + c) / 4]), dot(a, k[(key_places.y + c) / 4]),
                     dot(a, k[(key_places.z + c) / 4]), dot(a, k[(key_places.w + c) / 4]));
    }
#else
    for (uint c = 0; c < head_dim; ++c) {
        sums += q[query_place + c] * vec4(k[key_places.x + c], k[key_places.y + c],
                                          k[key_places.z + c], k[key_places.w + c]);
    }
#endif
    uint place = (row - first_map_row) * positions + key;
    for (uint c = 0; c < 4; ++c) {
        if (key + c < positions) {
            scores[place + c] = scale * sums[c];
        }
    }
}
