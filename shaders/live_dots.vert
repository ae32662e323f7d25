// Draws a dot for each point; colours go from that of the first to that of the last.
#include "shaders/params/live_points.glsl"

layout(location = 0) in vec2 point;  // one for each instance

flat out vec2 middle;
flat out vec4 color;
out vec2 pixel;

void main() {
    middle = origin + point * unit;
    float share = count > 1u ? float(gl_InstanceID) / float(count - 1u) : 1.0;
    color = mix(color_first, color_last, share);
    pixel = middle + corner_of(gl_VertexID) * (extent + 1.0);  // room for the soft edge
    gl_Position = on_display(pixel);
}
