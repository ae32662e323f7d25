// Draws the rectangle around an arrow from `from` to the point; the fragment shader gives it its shape.
#include "shaders/params/live_points.glsl"

layout(location = 0) in vec2 point;

flat out vec2 tip;
out vec2 pixel;

void main() {
    tip = origin + point * unit;
    vec2 margin = vec2(extent + width + 1.0);
    vec2 low = min(from, tip) - margin, high = max(from, tip) + margin;
    pixel = mix(low, high, 0.5 + 0.5 * corner_of(gl_VertexID));
    gl_Position = on_display(pixel);
}
