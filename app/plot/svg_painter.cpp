// Paints figures as SVG.
#include "app/plot/svg_painter.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "app/plot/cell_png.h"
#include "app/plot/svg_text.h"
#include "core/base/base64.h"

namespace ropescope::plot {
namespace {

/// A hundredth of a pixel is less than any printer shows.
std::string number(double pixels) {
    return svg_number(pixels, 2);
}

/// Attributes that give `what` ("fill" or "stroke") its colour.
std::string paint(std::string_view what, Color c) {
    std::string text = fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"", what, c.r, c.g, c.b);
    if (c.a < 255) {
        text += fmt::format(" {}-opacity=\"{:.3g}\"", what, c.a / 255.0);
    }
    return text;
}

std::string places(std::span<const Pixel> points) {
    std::string text;
    for (const Pixel& p : points) {
        text += fmt::format("{}{},{}", text.empty() ? "" : " ", number(p.x), number(p.y));
    }
    return text;
}

std::string extent(Rect r) {
    return fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(r.x), number(r.y),
                       number(std::max(r.width, 0.0)), number(std::max(r.height, 0.0)));
}

std::string rounded(double corner) {
    return corner > 0 ? fmt::format(" rx=\"{}\"", number(corner)) : "";
}

std::string face_of(const TextStyle& style, bool own_faces) {
    return style.face == Face::mono && own_faces ? " font-family=\"DejaVu Sans Mono,monospace\""
           : style.face == Face::bold            ? " font-weight=\"bold\""
                                                 : "";
}

}  // namespace

SvgPainter::SvgPainter(Pixel size, std::string_view title, std::string_view description,
                       Letters letters, std::string_view font)
    : letters_(letters), text_(font), own_faces_(font == "sans") {
    svg_ = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
        "version=\"1.1\" role=\"img\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"{4}\" xml:space=\"preserve\">\n"
        "<title>{2}</title>\n<desc>{3}</desc>\n",
        number(size.x), number(size.y), escaped(title), escaped(description),
        escaped(text_.family()));
}

std::string SvgPainter::finish() {
    svg_ += "</svg>\n";
    return std::move(svg_);
}

void SvgPainter::line(Pixel from, Pixel to, Color color, double width) {
    fmt::format_to(std::back_inserter(svg_),
                   "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{} stroke-width=\"{}\"/>\n",
                   number(from.x), number(from.y), number(to.x), number(to.y),
                   paint("stroke", color), number(width));
}

void SvgPainter::polyline(std::span<const Pixel> points, Color color, double width) {
    fmt::format_to(std::back_inserter(svg_),
                   "<polyline points=\"{}\" fill=\"none\"{} stroke-width=\"{}\" "
                   "stroke-linejoin=\"round\"/>\n",
                   places(points), paint("stroke", color), number(width));
}

void SvgPainter::dashed(std::span<const Pixel> points, Color color, double width,
                        std::span<const double> lengths) {
    std::string pattern;
    for (const double length : lengths) {
        pattern += (pattern.empty() ? "" : ",") + number(length);
    }
    fmt::format_to(std::back_inserter(svg_),
                   "<polyline points=\"{}\" fill=\"none\"{} stroke-width=\"{}\" "
                   "stroke-linejoin=\"round\" stroke-dasharray=\"{}\"/>\n",
                   places(points), paint("stroke", color), number(width), pattern);
}

void SvgPainter::polygon(std::span<const Pixel> points, Color fill) {
    fmt::format_to(std::back_inserter(svg_), "<polygon points=\"{}\"{}/>\n", places(points),
                   paint("fill", fill));
}

void SvgPainter::circle(Pixel center, double radius, Color fill) {
    fmt::format_to(std::back_inserter(svg_), "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n",
                   number(center.x), number(center.y), number(std::max(radius, 0.0)),
                   paint("fill", fill));
}

void SvgPainter::fill_rect(Rect rect, Color fill, double corner) {
    fmt::format_to(std::back_inserter(svg_), "<rect {}{}{}/>\n", extent(rect), rounded(corner),
                   paint("fill", fill));
}

void SvgPainter::stroke_rect(Rect rect, Color color, double width, double corner) {
    const double inset = width / 2;
    fmt::format_to(
        std::back_inserter(svg_), "<rect {}{} fill=\"none\"{} stroke-width=\"{}\"/>\n",
        extent({rect.x + inset, rect.y + inset, rect.width - width, rect.height - width}),
        rounded(corner - inset), paint("stroke", color), number(width));
}

void SvgPainter::text(Pixel at, std::string_view text, const TextStyle& style) {
    if (text.empty()) {
        return;
    }
    text_.set(text, style);
    if (letters_ == Letters::outlines) {
        svg_ += fmt::format("<path d=\"{}\"{}/>\n", text_.outlines(at), paint("fill", style.color));
        return;
    }
    // With its length given, a line of text keeps its place in another font too.
    fmt::format_to(std::back_inserter(svg_),
                   "<text x=\"{}\" y=\"{}\" font-size=\"{}\" textLength=\"{}\"{}{}>{}</text>\n",
                   number(at.x), number(at.y + text_.baseline()), number(style.size_px),
                   number(text_.size().x), face_of(style, own_faces_), paint("fill", style.color),
                   escaped(text));
}

Pixel SvgPainter::text_size(std::string_view text, const TextStyle& style) {
    text_.set(text, style);
    return text_.size();
}

void SvgPainter::image(Rect rect, const ImageView& image) {
    if (image.width <= 0 || image.height <= 0 || !(rect.width > 0) || !(rect.height > 0)) {
        return;
    }
    fmt::format_to(std::back_inserter(svg_),
                   "<image {} preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" "
                   "style=\"image-rendering:pixelated\" "
                   "xlink:href=\"data:image/png;base64,{}\"/>\n",
                   extent(rect), base64(cell_png(image)));
}

void SvgPainter::push_clip(Rect rect) {
    // An inner picture shows what lies in its view alone, and needs no identifier.
    fmt::format_to(std::back_inserter(svg_), "<svg {} viewBox=\"{} {} {} {}\">\n", extent(rect),
                   number(rect.x), number(rect.y), number(std::max(rect.width, 0.0)),
                   number(std::max(rect.height, 0.0)));
}

void SvgPainter::pop_clip() {
    svg_ += "</svg>\n";
}

}  // namespace ropescope::plot
