// Fills the shaft and the head of an arrow, as draw_arrow() in app/plot/shapes.cpp does, with an edge
// that is one pixel soft.
#include "shaders/params/live_points.glsl"

const float kHalfHead = 0.38;   // of the head's length
const float kIntoHead = 0.3;    // the shaft reaches into the head, so that no seam shows

flat in vec2 tip;
in vec2 pixel;
out vec4 drawn;

void main() {
    float reach = distance(from, tip);
    if (reach <= 0.0) {
        discard;
    }
    vec2 along = (tip - from) / reach;
    vec2 off = pixel - from;
    float forth = dot(off, along);                               // along the arrow
    float aside = abs(dot(off, vec2(-along.y, along.x)));        // from its middle
    float head = min(extent, reach);
    float shaft = min(min(forth, reach - head * (1.0 - kIntoHead) - forth), 0.5 * width - aside);
    // Inside the base of the triangle, and inside its slanted side.
    float slope = sqrt(1.0 + kHalfHead * kHalfHead);
    float triangle = min(forth - (reach - head), (kHalfHead * (reach - forth) - aside) / slope);
    float inside = max(shaft, triangle);
    drawn = vec4(color_first.rgb, color_first.a * clamp(inside + 0.5, 0.0, 1.0));
}
