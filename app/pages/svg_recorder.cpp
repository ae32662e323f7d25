// Writes what a figure draws as SVG elements.
#include "app/pages/svg_recorder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "app/pages/png.h"
#include "app/plot/svg_text.h"

namespace ropescope::pages {
namespace {

using plot::Color;
using plot::Pixel;
using plot::Rect;

/// Half a pixel of a screen with two pixels for each unit is 0.25; nobody sees less than that.
constexpr double kTolerance = 0.15;

/// A tenth of a pixel is less than anybody sees.
std::string short_number(double pixels) {
    return plot::svg_number(pixels, 1);
}

std::string style_class(char kind) {
    return fmt::format("class=\"{}{}\"", kColorMark, kind);
}

double distance_to_line(Pixel p, Pixel from, Pixel to) {
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double length = std::hypot(dx, dy);
    if (length == 0) {
        return std::hypot(p.x - from.x, p.y - from.y);
    }
    return std::abs(dy * (p.x - from.x) - dx * (p.y - from.y)) / length;
}

std::string point_list(std::span<const Pixel> points) {
    std::string list;
    for (const Pixel& p : points) {
        list +=
            fmt::format("{}{},{}", list.empty() ? "" : " ", short_number(p.x), short_number(p.y));
    }
    return list;
}

std::string_view face_class(plot::Face face) {
    switch (face) {
        case plot::Face::bold:
            return " b";
        case plot::Face::mono:
            return " m";
        default:
            return "";
    }
}

}  // namespace

SvgRecorder::SvgRecorder()
    : surface_(cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, nullptr)),
      context_(cairo_create(surface_.get())),
      text_(context_.get()) {}

void SvgRecorder::line(Pixel from, Pixel to, Color color, double width) {
    const Pixel both[] = {from, to};
    polyline(both, color, width);
}

void SvgRecorder::polyline(std::span<const Pixel> points, Color color, double width) {
    elements.push_back(
        {fmt::format("<polyline {} stroke-width=\"{}\" points=\"{}\"/>", style_class('s'),
                     short_number(width), point_list(simplified(points, kTolerance))),
         {color}});
}

void SvgRecorder::polygon(std::span<const Pixel> points, Color fill) {
    elements.push_back(
        {fmt::format("<polygon {} points=\"{}\"/>", style_class('f'), point_list(points)), {fill}});
}

// A dot is a line of no length with round ends, so that many of one colour make one element.
void SvgRecorder::circle(Pixel center, double radius, Color fill) {
    constexpr int kStep = 32;  // of opacity: a fading trail then has eight colours
    const int opacity = (fill.a + kStep / 2) / kStep * kStep;
    fill.a = static_cast<std::uint8_t>(std::min(opacity, 255));
    const std::string head = fmt::format("<path class=\"{}s d\" stroke-width=\"{}\" d=\"",
                                         kColorMark, short_number(2 * std::max(radius, 0.0)));
    const std::string dot = fmt::format("M{} {}h0", short_number(center.x), short_number(center.y));
    constexpr std::string_view kEnd = "\"/>";
    if (!elements.empty() && elements.back().text.starts_with(head) &&
        elements.back().colors.front() == fill) {
        std::string& path = elements.back().text;
        path.insert(path.size() - kEnd.size(), dot);
        return;
    }
    elements.push_back({head + dot + std::string(kEnd), {fill}});
}

void SvgRecorder::fill_rect(Rect r, Color fill, double corner) {
    elements.push_back(
        {fmt::format("<rect {} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>", style_class('f'),
                     short_number(r.x), short_number(r.y), short_number(std::max(r.width, 0.0)),
                     short_number(std::max(r.height, 0.0)),
                     corner > 0 ? fmt::format(" rx=\"{}\"", short_number(corner)) : ""),
         {fill}});
}

void SvgRecorder::stroke_rect(Rect r, Color color, double width, double corner) {
    const double inset = width / 2;
    elements.push_back(
        {fmt::format("<rect {} stroke-width=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
                     "rx=\"{}\"/>",
                     style_class('s'), short_number(width), short_number(r.x + inset),
                     short_number(r.y + inset), short_number(std::max(r.width - width, 0.0)),
                     short_number(std::max(r.height - width, 0.0)),
                     short_number(std::max(corner - inset, 0.0))),
         {color}});
}

void SvgRecorder::text(Pixel at, std::string_view text, const plot::TextStyle& style) {
    text_.set(text, style);
    // A browser without our fonts sets other glyphs, but keeps the width. Letters on whole pixels
    // look the same and take fewer bytes.
    const auto whole = [](double pixels) { return plot::svg_number(pixels, 0); };
    elements.push_back(
        {fmt::format(
             "<text class=\"{}f{}\" x=\"{}\" y=\"{}\" font-size=\"{}\" textLength=\"{}\">{}</text>",
             kColorMark, face_class(style.face), whole(at.x), whole(at.y + text_.baseline()),
             short_number(style.size_px), whole(text_.size().x), plot::escaped(text)),
         {style.color}});
}

Pixel SvgRecorder::text_size(std::string_view text, const plot::TextStyle& style) {
    text_.set(text, style);
    return text_.size();
}

void SvgRecorder::image(Rect r, const plot::ImageView& image) {
    if (image.width <= 0 || image.height <= 0 || !(r.width > 0) || !(r.height > 0)) {
        return;
    }
    elements.push_back({fmt::format("<image {} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
                                    "preserveAspectRatio=\"none\"/>",
                                    kImageMark, short_number(r.x), short_number(r.y),
                                    short_number(r.width), short_number(r.height)),
                        {},
                        png_bytes(image)});
}

// A clip is a nested drawing with a window of its own: it needs no identifier.
void SvgRecorder::push_clip(Rect r) {
    elements.push_back(
        {fmt::format("<svg x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" "
                     "viewBox=\"{0} {1} {2} {3}\">",
                     short_number(r.x), short_number(r.y), short_number(std::max(r.width, 0.01)),
                     short_number(std::max(r.height, 0.01))),
         {}});
}

void SvgRecorder::pop_clip() {
    elements.push_back({"</svg>", {}});
}

std::vector<Pixel> simplified(std::span<const Pixel> points, double tolerance) {
    if (points.size() < 3) {
        return {points.begin(), points.end()};
    }
    std::vector<bool> kept(points.size(), false);
    kept.front() = kept.back() = true;
    std::vector<std::pair<std::size_t, std::size_t>> open = {{0, points.size() - 1}};
    while (!open.empty()) {
        const auto [first, last] = open.back();
        open.pop_back();
        std::size_t farthest = first;
        double most = tolerance;
        for (std::size_t i = first + 1; i < last; ++i) {
            const double away = distance_to_line(points[i], points[first], points[last]);
            if (away > most) {
                most = away;
                farthest = i;
            }
        }
        if (farthest != first) {
            kept[farthest] = true;
            open.emplace_back(first, farthest);
            open.emplace_back(farthest, last);
        }
    }
    std::vector<Pixel> result;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (kept[i]) {
            result.push_back(points[i]);
        }
    }
    return result;
}

}  // namespace ropescope::pages
