// Held to (depth + 2) 2^-24 sum |x| |w|, the bias and the activation: a product on hardware. A group
// of THREADS (256 or 64) threads computes a tile of TILE x TILE (128 or 64); each thread has 8 x 8 of
// it in registers. Slabs of 16 of the depth go through shared memory, and the next one is fetched
// while the last one is used.
#include "shaders/gemm_buffers.glsl"

#define ACROSS (TILE / 8)
#define QUADS (TILE / 4)
#define SLAB 16
// A slab of an operand is TILE patches of 4 rows x 4 of the depth.
#define PATCHES_A_THREAD (2 * TILE / THREADS)

layout(local_size_x = THREADS) in;  // ACROSS * ACROSS, as a number

// [buffer][operand][k][4 rows]: one read gets all that a thread multiplies. 32 KiB for TILE 128.
shared vec4 slabs[2 * 2 * SLAB * QUADS];

// The exclusive-or spreads the four depths that neighbouring threads write over the banks.
uint slab_place(uint buffer_of, uint operand, uint k, uint quad) {
    return ((buffer_of * 2 + operand) * SLAB + k) * QUADS + (quad ^ (((k >> 2) & 3) << 1));
}

vec4 fetched[PATCHES_A_THREAD][4];

void fetch(uint first_row, uint first_weight, uint first_k) {
    for (uint i = 0; i < PATCHES_A_THREAD; ++i) {
        uint patch_of = gl_LocalInvocationID.x + i * THREADS;
        uint operand = patch_of / TILE;
        uint quad = patch_of % TILE / 4;
        uint k = first_k + patch_of % 4 * 4;
        for (uint r = 0; r < 4; ++r) {
            fetched[i][r] = operand == 0 ? x_at(first_row + quad * 4 + r, k)
                                         : w_at(first_weight + quad * 4 + r, k);
        }
    }
}

void put(uint buffer_of) {
    for (uint i = 0; i < PATCHES_A_THREAD; ++i) {
        uint patch_of = gl_LocalInvocationID.x + i * THREADS;
        uint operand = patch_of / TILE;
        uint quad = patch_of % TILE / 4;
        mat4 turned = transpose(mat4(fetched[i][0], fetched[i][1], fetched[i][2], fetched[i][3]));
        for (uint c = 0; c < 4; ++c) {
            slabs[slab_place(buffer_of, operand, patch_of % 4 * 4 + c, quad)] = turned[c];
        }
    }
}

// Rows 4 across .. + 3 of either half of the tile, and the same of columns.
vec4 sums[8][2];

void multiply(uint buffer_of, uint down, uint across) {
    for (uint k = 0; k < SLAB; ++k) {
        vec4 a0 = slabs[slab_place(buffer_of, 0, k, down)];
        vec4 a1 = slabs[slab_place(buffer_of, 0, k, down + ACROSS)];
        vec4 b0 = slabs[slab_place(buffer_of, 1, k, across)];
        vec4 b1 = slabs[slab_place(buffer_of, 1, k, across + ACROSS)];
        for (uint r = 0; r < 4; ++r) {
            sums[r][0] += a0[r] * b0;
            sums[r][1] += a0[r] * b1;
            sums[r + 4][0] += a1[r] * b0;
            sums[r + 4][1] += a1[r] * b1;
        }
    }
}

void main() {
    uint first_row = gl_WorkGroupID.x % row_tiles * TILE;
    uint first_weight = gl_WorkGroupID.x / row_tiles * TILE;
    uint down = gl_LocalInvocationID.x / ACROSS;
    uint across = gl_LocalInvocationID.x % ACROSS;
    for (uint r = 0; r < 8; ++r) {
        sums[r][0] = vec4(0.0);
        sums[r][1] = vec4(0.0);
    }
    uint slabs_in_all = (depth + SLAB - 1) / SLAB;
    fetch(first_row, first_weight, 0);
    put(0);
    barrier();
    for (uint slab = 0; slab < slabs_in_all; ++slab) {
        bool more = slab + 1 < slabs_in_all;
        if (more) {
            fetch(first_row, first_weight, (slab + 1) * SLAB);
        }
        multiply(slab % 2, down, across);
        if (more) {
            put((slab + 1) % 2);
        }
        barrier();
    }
    for (uint r = 0; r < 8; ++r) {
        uint row = first_row + r / 4 * (TILE / 2) + down * 4 + r % 4;
        write_out(row, first_weight + across * 4, sums[r][0]);
        write_out(row, first_weight + TILE / 2 + across * 4, sums[r][1]);
    }
}
