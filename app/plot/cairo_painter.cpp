// Paints figures with Cairo and Pango.
#include "app/plot/cairo_painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

namespace ropescope::plot {
namespace {

/// More cells than this are drawn as one picture, because each rectangle takes about 180 bytes of
/// PDF.
constexpr Index kMostRectangles = 4096;

}  // namespace

CairoPainter::CairoPainter(cairo_t* context, bool vector, std::string family)
    : context_(context), vector_(vector), text_(context, std::move(family)) {
    cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
}

void CairoPainter::line(Pixel from, Pixel to, Color color, double width) {
    const std::array<Pixel, 2> points = {from, to};
    polyline(points, color, width);
}

void CairoPainter::polyline(std::span<const Pixel> points, Color color, double width) {
    trace(points);
    set_color(color);
    cairo_set_line_width(context_, width);
    cairo_stroke(context_);
}

void CairoPainter::dashed(std::span<const Pixel> points, Color color, double width,
                          std::span<const double> lengths) {
    if (!vector_) {  // as the window draws them
        return Painter::dashed(points, color, width, lengths);
    }
    cairo_set_dash(context_, lengths.data(), narrow<int>(std::ssize(lengths)), 0);
    polyline(points, color, width);
    cairo_set_dash(context_, nullptr, 0, 0);
}

void CairoPainter::polygon(std::span<const Pixel> points, Color fill) {
    trace(points);
    cairo_close_path(context_);
    set_color(fill);
    cairo_fill(context_);
}

void CairoPainter::circle(Pixel center, double radius, Color fill) {
    cairo_new_path(context_);
    cairo_arc(context_, center.x, center.y, std::max(radius, 0.0), 0, 2 * std::numbers::pi);
    set_color(fill);
    cairo_fill(context_);
}

void CairoPainter::fill_rect(Rect rect, Color fill, double corner) {
    trace(rect, corner);
    set_color(fill);
    cairo_fill(context_);
}

void CairoPainter::stroke_rect(Rect rect, Color color, double width, double corner) {
    const double inset = width / 2;
    trace({rect.x + inset, rect.y + inset, rect.width - width, rect.height - width},
          corner - inset);
    set_color(color);
    cairo_set_line_width(context_, width);
    cairo_stroke(context_);
}

void CairoPainter::text(Pixel at, std::string_view text, const TextStyle& style) {
    text_.set(text, style);
    set_color(style.color);
    if (vector_) {
        cairo_move_to(context_, at.x, at.y);
        pango_cairo_show_layout(context_, text_.layout());
        return;
    }
    // Cairo 1.16 puts each glyph of an image on a whole pixel, which spaces letters unevenly;
    // outlines keep their places. Baselines on whole pixels keep rows of text alike.
    const double baseline = text_.baseline();
    cairo_new_path(context_);
    cairo_move_to(context_, at.x, std::round(at.y + baseline) - baseline);
    pango_cairo_layout_path(context_, text_.layout());
    cairo_fill(context_);
}

Pixel CairoPainter::text_size(std::string_view text, const TextStyle& style) {
    text_.set(text, style);
    return text_.size();
}

void CairoPainter::image(Rect rect, const ImageView& image) {
    if (image.width <= 0 || image.height <= 0 || !(rect.width > 0) || !(rect.height > 0)) {
        return;
    }
    if (vector_ && image.width * image.height <= kMostRectangles) {
        fill_cells(rect, image);
    } else {
        paint_nearest(rect, image);
    }
}

void CairoPainter::push_clip(Rect rect) {
    cairo_save(context_);
    trace(rect, 0);
    cairo_clip(context_);
}

void CairoPainter::pop_clip() {
    cairo_restore(context_);
}

void CairoPainter::set_color(Color c) {
    cairo_set_source_rgba(context_, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
}

void CairoPainter::trace(std::span<const Pixel> points) {
    cairo_new_path(context_);
    for (const Pixel& p : points) {
        cairo_line_to(context_, p.x, p.y);
    }
}

void CairoPainter::trace(Rect rect, double corner) {
    cairo_new_path(context_);
    const double width = std::max(rect.width, 0.0);
    const double height = std::max(rect.height, 0.0);
    const double radius = std::min({corner, width / 2, height / 2});
    if (radius <= 0) {
        cairo_rectangle(context_, rect.x, rect.y, width, height);
        return;
    }
    constexpr double kQuarter = std::numbers::pi / 2;
    const std::array<Pixel, 4> centers = {{{rect.x + width - radius, rect.y + radius},
                                           {rect.x + width - radius, rect.y + height - radius},
                                           {rect.x + radius, rect.y + height - radius},
                                           {rect.x + radius, rect.y + radius}}};
    double angle = -kQuarter;
    for (const Pixel& center : centers) {
        cairo_arc(context_, center.x, center.y, radius, angle, angle + kQuarter);
        angle += kQuarter;
    }
    cairo_close_path(context_);
}

/// Draws rectangles and joins neighbours of one colour. Each reaches under its right and lower
/// neighbours, which are drawn later, because viewers would show the background through the
/// seams.
void CairoPainter::fill_cells(Rect rect, const ImageView& image) {
    const double cell_width = rect.width / to_double(image.width);
    const double cell_height = rect.height / to_double(image.height);
    const double under = 0.6;
    for (Index row = 0; row < image.height; ++row) {
        for (Index begin = 0; begin < image.width;) {
            const auto at = [&](Index column) { return image.pixels[row * image.width + column]; };
            Index end = begin + 1;
            while (end < image.width && at(end) == at(begin)) {
                ++end;
            }
            const double width =
                to_double(end - begin) * cell_width + (end < image.width ? under : 0);
            const double height = cell_height + (row + 1 < image.height ? under : 0);
            if (at(begin).a > 0) {
                fill_rect({rect.x + to_double(begin) * cell_width,
                           rect.y + to_double(row) * cell_height, width, height},
                          at(begin), 0);
            }
            begin = end;
        }
    }
}

void CairoPainter::paint_nearest(Rect rect, const ImageView& image) {
    const int zoom = vector_ ? sharp_zoom(image) : 1;
    const CairoSurface surface = cell_image(image, zoom);
    cairo_save(context_);
    cairo_translate(context_, rect.x, rect.y);
    cairo_scale(context_, rect.width / to_double(image.width * zoom),
                rect.height / to_double(image.height * zoom));
    cairo_set_source_surface(context_, surface.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(context_), CAIRO_FILTER_NEAREST);
    cairo_rectangle(context_, 0, 0, to_double(image.width * zoom), to_double(image.height * zoom));
    cairo_fill(context_);
    cairo_restore(context_);
}

// Copies the cells of an image into a surface of Cairo.

namespace {

std::uint32_t premultiplied(Color c) {
    const auto scaled = [&c](std::uint32_t v) { return (v * c.a + 127) / 255; };
    return std::uint32_t{c.a} << 24U | scaled(c.r) << 16U | scaled(c.g) << 8U | scaled(c.b);
}

}  // namespace

int sharp_zoom(const ImageView& image) {
    constexpr Index kRoom = Index{1} << 22;
    constexpr int kZoom = 8;
    return image.width * image.height <= kRoom / (kZoom * kZoom) ? kZoom : 1;
}

CairoSurface cell_image(const ImageView& image, int zoom) {
    const int width = narrow<int>(image.width) * zoom;
    const int height = narrow<int>(image.height) * zoom;
    CairoSurface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height));
    unsigned char* bytes = cairo_image_surface_get_data(surface.get());
    if (bytes == nullptr) {
        return surface;
    }
    const int stride = cairo_image_surface_get_stride(surface.get());
    for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
            const std::uint32_t pixel =
                premultiplied(image.pixels[row / zoom * image.width + column / zoom]);
            std::memcpy(bytes + Index{row} * stride + column * 4, &pixel, sizeof pixel);
        }
    }
    cairo_surface_mark_dirty(surface.get());
    return surface;
}

}  // namespace ropescope::plot
