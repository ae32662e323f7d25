// Held to 4 units of 2^-24 of |scaled| and of |bias|: y = (x - mean) / sqrt(variance + eps) weight +
// bias for each row (Ba, Kiros and Hinton, arXiv:1607.06450), with mean and variance summed in double.
// LANES threads share a row: many on hardware, 1 in software, where shared memory is slow.
#include "shaders/params/layer_norm.glsl"

#define THREADS 128
layout(local_size_x = THREADS) in;

layout(std430, binding = 1) readonly buffer X { float x[]; };
layout(std430, binding = 2) readonly buffer Weight { float weight[]; };
layout(std430, binding = 3) readonly buffer Bias { float bias[]; };
layout(std430, binding = 4) writeonly buffer Y { float y[]; };

#if LANES > 1
// Doubles by their bits: llvmpipe loses doubles in shared memory.
shared uvec2 partial[THREADS];

// Returns the sum over the lanes of a row to each of them. Every thread of the group must call it.
double sum_of_lanes(double value) {
    uint thread = gl_LocalInvocationID.x;
    double sum = value;
    for (uint step_of = LANES / 2; step_of > 0; step_of /= 2) {
        partial[thread] = unpackDouble2x32(sum);
        barrier();
        sum += packDouble2x32(partial[thread ^ step_of]);
        barrier();
    }
    return sum;
}
#else
double sum_of_lanes(double value) {
    return value;
}
#endif

void main() {
    uint row = gl_GlobalInvocationID.x / LANES;
    uint lane = gl_GlobalInvocationID.x % LANES;
    uint begin = row * columns;
    uint end = row < rows ? columns : 0;
    double sum = 0.0;
    for (uint c = lane; c < end; c += LANES) {
        sum += double(x[begin + c]);
    }
    double mean = sum_of_lanes(sum) / double(columns);
    double squares = 0.0;
    for (uint c = lane; c < end; c += LANES) {
        double off = double(x[begin + c]) - mean;
        squares += off * off;
    }
    float scale = float(1.0 / sqrt(sum_of_lanes(squares) / double(columns) + eps));
    for (uint c = lane; c < end; c += LANES) {
        float centred = float(double(x[begin + c]) - mean);
        y[begin + c] = centred * scale * weight[c] + bias[c];
    }
}
