// Held to the errors of the sums and the exponential, see tests/gpu/attention_test.cpp: attention in
// one pass, on hardware. A group takes 64 queries of a head through all keys, 64 at a time. For each
// query it keeps the largest score, the sum of e^(score - largest) and the weighted values, and
// corrects them when a larger score comes (Milakov and Gimelshein, arXiv:1805.02867; Dao et al.,
// arXiv:2205.14135). A thread has 4 queries x 4 keys of the scores and 4 queries x VALUES x 4 channels
// of the result.
#include "shaders/attention_common.glsl"

layout(local_size_x = 256) in;

layout(std430, binding = 1) readonly buffer Q { FLOATS q[]; };
layout(std430, binding = 2) readonly buffer K { FLOATS k[]; };
layout(std430, binding = 3) readonly buffer V { FLOATS v[]; };
layout(std430, binding = 4) readonly buffer Added { float added_scores[]; };
layout(std430, binding = 5) writeonly buffer Context { float context[]; };
layout(std430, binding = 6) writeonly buffer Scores { float scores[]; };
layout(std430, binding = 7) writeonly buffer Stats { vec2 stats[]; };
layout(std430, binding = 8) writeonly buffer LogSums { float log_sums[]; };

#define SLAB 16
// How many keys' values fit the stage.
#define KEYS (64 / VALUES)

// [key][4 queries]. Threads that share rows also exchange their maxima and sums here.
shared vec4 weights[64 * 16];
// Either two slabs of q and k, [operand][channel][4 vectors], or values, [key][4 channels].
shared vec4 stage[1024];

#if WIDTH == 4
#define FOUR_AT(values, place, channel) values[((place) + (channel)) / 4]
#else
#define FOUR_AT(values, place, channel)                                       \
    vec4(values[(place) + (channel)],                                         \
         (channel) + 1 < head_dim ? values[(place) + (channel) + 1] : 0.0,    \
         (channel) + 2 < head_dim ? values[(place) + (channel) + 2] : 0.0,    \
         (channel) + 3 < head_dim ? values[(place) + (channel) + 3] : 0.0)
#endif

uint batch;
uint head;

vec4 query_at(uint position, uint channel) {
    return position < positions && channel < head_dim
               ? FOUR_AT(q, vector_place(batch, position, head), channel)
               : vec4(0.0);
}
vec4 key_at(uint position, uint channel) {
    return position < positions && channel < head_dim
               ? FOUR_AT(k, vector_place(batch, position, head), channel)
               : vec4(0.0);
}
vec4 value_at(uint position, uint channel) {
    return position < positions && channel < head_dim
               ? FOUR_AT(v, vector_place(batch, position, head), channel)
               : vec4(0.0);
}

// The exclusive-or spreads the writes of neighbouring threads over the banks.
uint slab_place(uint slab, uint operand, uint channel, uint quad) {
    return ((slab % 2 * 2 + operand) * SLAB + channel) * 16 + (quad ^ (((channel >> 2) & 3) << 1));
}
uint weight_place(uint key, uint quad) {
    return key * 16 + (quad ^ (key >> 2));
}

vec4 fetched[4];

// Half of the threads fetch a patch of 4 vectors x 4 channels each.
void fetch(uint first_query, uint first_key, uint slab) {
    uint thread = gl_LocalInvocationID.x;
    uint quad = thread % 64 / 4;
    uint channel = slab * SLAB + thread % 4 * 4;
    for (uint i = 0; i < 4; ++i) {
        fetched[i] = thread < 64    ? query_at(first_query + quad * 4 + i, channel)
                     : thread < 128 ? key_at(first_key + quad * 4 + i, channel)
                                    : vec4(0.0);
    }
}

void put(uint slab) {
    uint thread = gl_LocalInvocationID.x;
    if (thread < 128) {
        mat4 turned = transpose(mat4(fetched[0], fetched[1], fetched[2], fetched[3]));
        for (uint c = 0; c < 4; ++c) {
            stage[slab_place(slab, thread / 64, thread % 4 * 4 + c, thread % 64 / 4)] = turned[c];
        }
    }
}

// block[r]: query 4 down + r by the keys 4 across .. + 3.
vec4 block[4];

void multiply_queries_by_keys(uint first_query, uint first_key, uint down, uint across) {
    for (uint r = 0; r < 4; ++r) {
        block[r] = vec4(0.0);
    }
    uint slabs = (head_dim + SLAB - 1) / SLAB;
    fetch(first_query, first_key, 0);
    put(0);
    barrier();
    for (uint slab = 0; slab < slabs; ++slab) {
        bool more = slab + 1 < slabs;
        if (more) {
            fetch(first_query, first_key, slab + 1);
        }
        for (uint c = 0; c < SLAB; ++c) {
            vec4 a = stage[slab_place(slab, 0, c, down)];
            vec4 b = stage[slab_place(slab, 1, c, across)];
            for (uint r = 0; r < 4; ++r) {
                block[r] += a[r] * b;
            }
        }
        if (more) {
            put(slab + 1);
        }
        barrier();
    }
}

// Scales the scores, stores them if wanted, and adds what is to be added. Keys beyond the last get the lowest
// number.
void finish_scores(uint first_query, uint first_key, uint down, uint across) {
    for (uint r = 0; r < 4; ++r) {
        uint query = first_query + down * 4 + r;
        for (uint c = 0; c < 4; ++c) {
            uint key = first_key + across * 4 + c;
            if (query >= positions || key >= positions) {
                block[r][c] = kLowest;
                continue;
            }
            float score = block[r][c] * scale;
#if SCORES
            uint row = (batch * heads + head) * positions + query;
            scores[map_skip + (row - first_map_row) * positions + key] = score;
#endif
            uint place = added_place(batch, head, query) + key;
            block[r][c] = score + (added != 0 ? added_scores[place] : 0.0);
        }
    }
}

// Reduces four rows over the 16 threads that share them.
vec4 largest_of_rows(vec4 own, uint down, uint across) {
    weights[down * 16 + across] = own;
    barrier();
    vec4 largest = own;
    for (uint i = 0; i < 16; ++i) {
        largest = max(largest, weights[down * 16 + i]);
    }
    barrier();
    return largest;
}
vec4 sum_of_rows(vec4 own, uint down, uint across) {
    weights[down * 16 + across] = own;
    barrier();
    vec4 sum = vec4(0.0);
    for (uint i = 0; i < 16; ++i) {
        sum += weights[down * 16 + i];
    }
    barrier();
    return sum;
}

vec4 result[4][VALUES];

void add_weighted_values(uint first_key, uint down, uint across) {
    for (uint first = 0; first < 64; first += KEYS) {
        for (uint i = gl_LocalInvocationID.x; i < KEYS * VALUES * 16; i += 256) {
            stage[i] = value_at(first_key + first + i / (VALUES * 16), i % (VALUES * 16) * 4);
        }
        barrier();
        for (uint key = 0; key < KEYS; ++key) {
            vec4 weight = weights[weight_place(first + key, down)];
            for (uint j = 0; j < VALUES; ++j) {
                vec4 value = stage[(key * VALUES + j) * 16 + across];
                for (uint r = 0; r < 4; ++r) {
                    result[r][j] += weight[r] * value;
                }
            }
        }
        barrier();
    }
}

void main() {
    uint down = gl_LocalInvocationID.x / 16;
    uint across = gl_LocalInvocationID.x % 16;
    uint blocks = (positions + 63) / 64;
    uint unit = first + gl_WorkGroupID.x;
    batch = unit / blocks / heads;
    head = unit / blocks % heads;
    uint first_query = unit % blocks * 64;

    vec4 largest = vec4(kLowest);
    vec4 own_sums = vec4(0.0);
    for (uint r = 0; r < 4; ++r) {
        for (uint j = 0; j < VALUES; ++j) {
            result[r][j] = vec4(0.0);
        }
    }
    for (uint first_key = 0; first_key < positions; first_key += 64) {
        multiply_queries_by_keys(first_query, first_key, down, across);
        finish_scores(first_query, first_key, down, across);
        vec4 own_largest;
        for (uint r = 0; r < 4; ++r) {
            own_largest[r] = max(max(block[r].x, block[r].y), max(block[r].z, block[r].w));
        }
        vec4 now_largest = max(largest, largest_of_rows(own_largest, down, across));
        for (uint r = 0; r < 4; ++r) {
            float correction = exponential(largest[r] - now_largest[r]);
            own_sums[r] *= correction;
            for (uint j = 0; j < VALUES; ++j) {
                result[r][j] *= correction;
            }
            for (uint c = 0; c < 4; ++c) {
                bool there = first_key + across * 4 + c < positions;
                block[r][c] = there ? exponential(block[r][c] - now_largest[r]) : 0.0;
                own_sums[r] += block[r][c];
            }
        }
        largest = now_largest;
#if CONTEXT
        mat4 turned = transpose(mat4(block[0], block[1], block[2], block[3]));
        for (uint c = 0; c < 4; ++c) {
            weights[weight_place(across * 4 + c, down)] = turned[c];
        }
        add_weighted_values(first_key, down, across);
#endif
    }
    vec4 sums = sum_of_rows(own_sums, down, across);
    for (uint r = 0; r < 4; ++r) {
        uint query = first_query + down * 4 + r;
        if (query >= positions) {
            continue;
        }
        if (across == 0) {
            uint row = (batch * heads + head) * positions + query;
            stats[row] = vec2(largest[r], 1.0 / sums[r]);
            log_sums[row] = largest[r] + log(sums[r]);
        }
#if CONTEXT
        uint place = vector_place(batch, query, head);
        for (uint j = 0; j < VALUES; ++j) {
            for (uint c = 0; c < 4; ++c) {
                uint channel = (j * 16 + across) * 4 + c;
                if (channel < head_dim) {
                    context[place + channel] = result[r][j][c] / sums[r];
                }
            }
        }
#endif
    }
}
