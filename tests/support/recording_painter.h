// A painter that draws nothing and remembers everything, with text of known size.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/plot/painter.h"

namespace ropescope::test {

struct RecordingPainter : plot::Painter {
    struct Text {
        plot::Rect place;
        std::string text;
        plot::TextStyle style;
    };
    struct Image {
        plot::Rect place;
        std::int64_t width = 0, height = 0;
        std::vector<plot::Color> pixels;
    };
    std::vector<Text> texts;
    std::vector<Image> images;
    std::vector<double> radii;  ///< of circles
    std::vector<std::vector<plot::Pixel>> polylines;
    std::vector<plot::Rect> rects;
    int circles = 0, polygons = 0, clip_depth = 0;
    bool finite = true;           ///< every coordinate so far was
    double largest_polyline = 0;  ///< coordinate

    void line(plot::Pixel from, plot::Pixel to, plot::Color color, double width) override {
        const std::vector<plot::Pixel> both = {from, to};
        polyline(both, color, width);
    }
    void polyline(std::span<const plot::Pixel> points, plot::Color, double) override {
        for (const plot::Pixel& p : points) {
            note(p);
            largest_polyline = std::max({largest_polyline, std::abs(p.x), std::abs(p.y)});
        }
        polylines.emplace_back(points.begin(), points.end());
    }
    void polygon(std::span<const plot::Pixel> points, plot::Color) override {
        std::for_each(points.begin(), points.end(), [this](plot::Pixel p) { note(p); });
        ++polygons;
    }
    void circle(plot::Pixel center, double radius, plot::Color) override {
        note(center);
        note(plot::Pixel{radius, radius});
        ++circles;
        radii.push_back(radius);
    }
    void fill_rect(plot::Rect rect, plot::Color, double) override {
        note(rect);
        rects.push_back(rect);
    }
    void stroke_rect(plot::Rect rect, plot::Color, double, double) override { note(rect); }
    void text(plot::Pixel at, std::string_view text, const plot::TextStyle& style) override {
        note(at);
        const plot::Pixel size = text_size(text, style);
        texts.push_back({{at.x, at.y, size.x, size.y}, std::string(text), style});
    }
    /// Every character is 0.6 em wide, every line 1.16 em high, as in DejaVu Sans Mono.
    plot::Pixel text_size(std::string_view text, const plot::TextStyle& style) override {
        const auto characters = std::count_if(text.begin(), text.end(), [](char c) {
            return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
        });
        return {0.6 * style.size_px * static_cast<double>(characters), 1.16 * style.size_px};
    }
    void image(plot::Rect rect, const plot::ImageView& image) override {
        note(rect);
        images.push_back(
            {rect, image.width, image.height, {image.pixels.begin(), image.pixels.end()}});
    }
    void push_clip(plot::Rect rect) override {
        note(rect);
        ++clip_depth;
    }
    void pop_clip() override { --clip_depth; }

    const Text* find(std::string_view text) const {
        const auto found =
            std::find_if(texts.begin(), texts.end(), [&](const Text& t) { return t.text == text; });
        return found == texts.end() ? nullptr : &*found;
    }

  private:
    void note(plot::Pixel p) { finite = finite && std::isfinite(p.x) && std::isfinite(p.y); }
    void note(plot::Rect r) {
        note(plot::Pixel{r.x, r.y});
        note(plot::Pixel{r.width, r.height});
        finite = finite && r.width >= 0 && r.height >= 0;
    }
};

inline bool overlap(plot::Rect a, plot::Rect b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

/// `a` lies within `b`, to within half a pixel.
inline bool within(plot::Rect a, plot::Rect b) {
    constexpr double kSlack = 0.5;
    return a.x >= b.x - kSlack && a.y >= b.y - kSlack && a.x + a.width <= b.x + b.width + kSlack &&
           a.y + a.height <= b.y + b.height + kSlack;
}

}  // namespace ropescope::test
