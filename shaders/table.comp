// Held to half an fp32 ulp below 1 and 5 units of 2^-53: cos and sin of a position from those of
// its block and of its offset in the block, cis(a + b) = cis(a) cis(b), in double. The processor has
// reduced the angles; no sine is computed here.
#include "shaders/params/table.glsl"

layout(local_size_x = 256) in;

layout(std430, binding = 1) readonly buffer Blocks { dvec2 block_cis[]; };
layout(std430, binding = 2) readonly buffer Offsets { dvec2 offset_cis[]; };
layout(std430, binding = 3) readonly buffer Rows { uvec2 row_block_and_offset[]; };
layout(std430, binding = 4) writeonly buffer Cos { float table_cos[]; };
layout(std430, binding = 5) writeonly buffer Sin { float table_sin[]; };

void main() {
    uint entry = gl_GlobalInvocationID.x;
    if (entry >= rows * pairs) {
        return;
    }
    uint pair = entry % pairs;
    uvec2 place = row_block_and_offset[first_row + entry / pairs];
    dvec2 a = block_cis[place.x * pairs + pair];
    dvec2 b = offset_cis[place.y * pairs + pair];
    precise double c = a.x * b.x - a.y * b.y;
    precise double s = a.y * b.x + a.x * b.y;
    table_cos[entry] = float(c);
    table_sin[entry] = float(s);
}
