// The primitives that a figure is drawn with. Coordinates are pixels with y down, and colours are
// already chosen.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

#include "app/plot/color.h"
#include "core/base/enum_names.h"
#include "core/base/index.h"
#include "core/engine/device_tensor.h"

namespace ropescope::plot {

// Numbers in an engine's memory from which a picture is drawn without copying them into the
// program. Only a painter on the same device can do so (Engine::drawable), and only with tensors
// that were published (TensorOps::publish).

/// The cells of a heat map.
struct LiveCells {
    DeviceTensor tensor = {};
    CellLayout layout = {};
};

/// Points: x of the i-th point is number first + i * step of the tensor, y is the next number.
struct LivePoints {
    DeviceTensor tensor = {};
    std::int64_t first = 0, step = 2, count = 0;
};

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
    /// `lengths`: pixels along the line that are drawn and left out in turn, as in dashes().
    /// Painters that know no broken lines draw each stroke as a polyline.
    virtual void dashed(std::span<const Pixel> points, Color color, double width,
                        std::span<const double> lengths);
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

/// Where the names of a figure's lines stand: in a legend above the panels, at the ends of the
/// lines if they have room there, or nowhere.
enum class LegendPlace { automatic, above, lines, none };

/// What is drawn around the marks of a figure.
struct Dress {
    bool title = true;  ///< and the line below it
    LegendPlace legend = LegendPlace::automatic;
    bool cards = true;      ///< surfaces and borders of the panels
    bool selection = true;  ///< marks of what is selected
};

// The painter, the theme, the scale and the dress, which every drawing function needs, as one
// value.

struct Pen {
    Painter& painter;
    const Theme& theme;
    double scale = 1;
    Dress dress = {};

    double px(double units) const { return units * scale; }
    /// Room between a panel's frame and what it holds. Without a card nothing shows the frame.
    double padding() const { return px(dress.cards ? 12 : 2); }
    /// A width in whole pixels, at least one, so that hairlines stay sharp.
    double hairline() const { return std::max(1.0, std::floor(theme.thin_px * scale)); }
    Color color(Role role) const { return theme[role]; }
    /// The role's colour for words.
    Color ink(Role role) const { return word_color(theme, role); }

    TextStyle title() const { return {Face::bold, px(theme.title_px), color(Role::text)}; }
    TextStyle panel_title() const { return {Face::bold, px(theme.caption_px), color(Role::text)}; }
    TextStyle caption(Role role = Role::dim) const {
        return {Face::regular, px(theme.caption_px), ink(role)};
    }
    TextStyle small(Role role = Role::dim) const {
        return {Face::regular, px(theme.small_px), ink(role)};
    }
    TextStyle mono(Role role = Role::dim) const {
        return {Face::mono, px(theme.small_px), ink(role)};
    }
    /// The style at this share of its size, for words that do not fit; down to the theme's least.
    TextStyle smaller(TextStyle style, double share) const {
        style.size_px =
            std::max(share * style.size_px, std::min(style.size_px, px(theme.least_px)));
        return style;
    }
    double line_height(const TextStyle& style) const { return painter.text_size("x", style).y; }
};

}  // namespace ropescope::plot

namespace ropescope {

// What lies behind the panels of a picture, and the names of where a legend stands.

namespace plot {

/// The theme's background, white paper, or nothing.
enum class Ground { theme, white, transparent };

}  // namespace plot

template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<plot::Ground> = {"theme", "white",
                                                                             "transparent"};
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<plot::LegendPlace> = {"auto", "above",
                                                                                  "lines", "none"};

}  // namespace ropescope
