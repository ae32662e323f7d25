// The primitives that a figure is drawn with. Coordinates are pixels with y down, and colours are
// already chosen.
#pragma once

#include <span>
#include <string_view>

#include "app/plot/color.h"
#include "app/plot/live.h"
#include "core/base/index.h"

namespace ropescope::plot {

struct Pixel {
    double x = 0, y = 0;
};
struct Rect {
    double x = 0, y = 0, width = 0, height = 0;
    bool operator==(const Rect&) const = default;
    bool contains(Pixel p) const {
        return p.x >= x && p.x < x + width && p.y >= y && p.y < y + height;
    }
};

enum class Face { regular, bold, mono };
struct TextStyle {
    Face face = Face::regular;
    double size_px = 15;
    Color color;
};

/// RGBA8, row-major, top row first.
struct ImageView {
    Index width = 0, height = 0;
    std::span<const Color> pixels;
};

/// How numbers become pixels, for each coordinate by itself: origin + number * unit.
struct Placement {
    Pixel origin, unit;
};

struct ArrowSize {
    double head = 0, width = 0;  ///< pixels: length of the head, width of the shaft
};

struct RasterPlan;

/// Coordinates count from the edges of pixels, not from their centres: fill_rect({0, 0, 1, 1})
/// fills the first pixel, and a 1 px line is sharp at x.5.
class Painter {
  public:
    virtual ~Painter() = default;
    virtual void line(Pixel from, Pixel to, Color color, double width) = 0;
    virtual void polyline(std::span<const Pixel> points, Color color, double width) = 0;
    /// Convex, and clockwise on the screen.
    virtual void polygon(std::span<const Pixel> points, Color fill) = 0;
    virtual void circle(Pixel center, double radius, Color fill) = 0;
    virtual void fill_rect(Rect rect, Color fill, double corner = 0) = 0;
    /// The stroke lies inside the rectangle.
    virtual void stroke_rect(Rect rect, Color color, double width, double corner = 0) = 0;
    /// Puts the top left of the line of text at `at`.
    virtual void text(Pixel at, std::string_view text, const TextStyle& style) = 0;
    virtual Pixel text_size(std::string_view text, const TextStyle& style) = 0;
    /// Enlarges without smoothing, so that cells keep their edges.
    virtual void image(Rect rect, const ImageView& image) = 0;
    virtual void push_clip(Rect rect) = 0;
    virtual void pop_clip() = 0;

    // Draw tensors that an engine keeps on the same device. Only the painter of a window can;
    // calling another is a mistake of the program (std::logic_error).
    virtual void live_map(const RasterPlan& plan, const LiveCells& cells);
    /// The colour goes from `first` at the first point to `last` at the last.
    virtual void live_dots(const LivePoints& points, const Placement& placement, double radius,
                           Color first, Color last);
    virtual void live_arrow(Pixel from, const LivePoints& to, const Placement& placement,
                            Color color, ArrowSize size);
};

}  // namespace ropescope::plot
