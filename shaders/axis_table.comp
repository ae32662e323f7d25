// Held to half an fp32 ulp below 1 and 5 units of 2^-53 for each axis: cos and sin of a token from
// those of its coordinate in each axis, cis(a + b) = cis(a) cis(b), in double. The processor has
// reduced the angles; no sine is computed here.
#include "shaders/params/table.glsl"

layout(local_size_x = 256) in;

layout(std430, binding = 1) readonly buffer Coordinates { dvec2 coordinate_cis[]; };
layout(std430, binding = 2) readonly buffer Rows { uint token_coordinates[]; };
layout(std430, binding = 3) writeonly buffer Cos { float table_cos[]; };
layout(std430, binding = 4) writeonly buffer Sin { float table_sin[]; };

void main() {
    uint entry = gl_GlobalInvocationID.x;
    if (entry >= rows * pairs) {
        return;
    }
    uint pair = entry % pairs;
    uint token = (first_row + entry / pairs) * axes;
    dvec2 a = coordinate_cis[token_coordinates[token] * pairs + pair];
    for (uint axis = 1; axis < axes; ++axis) {
        dvec2 b = coordinate_cis[token_coordinates[token + axis] * pairs + pair];
        precise double c = a.x * b.x - a.y * b.y;
        precise double s = a.y * b.x + a.x * b.y;
        a = dvec2(c, s);
    }
    table_cos[entry] = float(a.x);
    table_sin[entry] = float(a.y);
}
