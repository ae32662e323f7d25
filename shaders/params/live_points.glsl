// Mirrored by LivePointsParameters in core/gpu/parameters.h. Pixels count from the top left.
layout(std140, binding = 0) uniform Parameters {
    vec2 display_origin;  // pixels
    vec2 display_size;
    vec2 origin;  // pixel = origin + number * unit
    vec2 unit;
    vec2 from;  // where an arrow begins
    float extent;  // a dot's radius, an arrow's head
    float width;   // of an arrow's shaft
    vec4 color_first;
    vec4 color_last;
    uint count;
};

// OpenGL's coordinates of a pixel.
vec4 on_display(vec2 pixel) {
    vec2 share = (pixel - display_origin) / display_size;
    return vec4(2.0 * share.x - 1.0, 1.0 - 2.0 * share.y, 0.0, 1.0);
}

// Corner 0 .. 3 of a strip of two triangles: -1 or 1 each way.
vec2 corner_of(int vertex) {
    return vec2((vertex & 1) == 0 ? -1.0 : 1.0, (vertex & 2) == 0 ? -1.0 : 1.0);
}
