// softmax(scale q k^T + mask) v. A row of q, k, v is (batch, position), its columns (head, channel);
// a row of a map is (batch, head, query).
#include "shaders/exponential.glsl"
#include "shaders/params/attention.glsl"

#if WIDTH == 4
#define FLOATS vec4
#else
#define FLOATS float
#endif

const float kLowest = -3.402823466e38;

// Where the vector of a head at a position begins.
uint vector_place(uint batch, uint position, uint head) {
    return ((batch * positions + position) * heads + head) * head_dim;
}

// Of the row of the mask for a query, 0 .. positions - 1 are its keys.
uint mask_place(uint batch, uint query) {
    return (batch * mask_rows + (mask_rows == 1 ? 0 : query)) * positions;
}
