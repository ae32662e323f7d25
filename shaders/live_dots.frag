// Fills a disc with an edge that is one pixel soft.
#include "shaders/params/live_points.glsl"

flat in vec2 middle;
flat in vec4 color;
in vec2 pixel;
out vec4 drawn;

void main() {
    float inside = extent - distance(pixel, middle);
    drawn = vec4(color.rgb, color.a * clamp(inside + 0.5, 0.0, 1.0));
}
