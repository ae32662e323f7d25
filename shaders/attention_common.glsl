// Shared by the shaders of attention, softmax(scale q k^T + added) v. A row of q, k, v is (batch,
// position), its columns are (head, channel); a row of a map is (batch, head, query).
#include "shaders/exponential.glsl"
#include "shaders/params/attention.glsl"

#if WIDTH == 4
#define FLOATS vec4
#else
#define FLOATS float
#endif

const float kLowest = -3.402823466e38;

// The offset of a head's vector at a position.
uint vector_place(uint batch, uint position, uint head) {
    return ((batch * positions + position) * heads + head) * head_dim;
}

// The offset of a query's row in what is added; a row has a number for each key.
uint added_place(uint batch, uint head, uint query) {
    return (batch * added_sample + head * added_head + query * added_query) * positions;
}
