// A painter that writes primitives as SVG elements, with real text, and keeps their colours apart:
// the same picture in two themes differs in colours alone, so a page holds the geometry once.
#pragma once

#include <string>
#include <vector>

#include "app/plot/painter.h"
#include "app/plot/text_line.h"

namespace ropescope::pages {

/// Where a colour's class goes into Element::text, before 'f' (fill) or 's' (stroke).
inline constexpr char kColorMark = '\x01';
/// Where the data of Element::image go.
inline constexpr char kImageMark = '\x02';

struct Element {
    std::string text;                 ///< SVG, with a kColorMark for each of `colors`
    std::vector<plot::Color> colors;  ///< in the order of the marks
    std::string image = {};           ///< PNG bytes; empty for other elements
};

class SvgRecorder : public plot::Painter {
  public:
    SvgRecorder();

    std::vector<Element> elements;

    void line(plot::Pixel from, plot::Pixel to, plot::Color color, double width) override;
    void polyline(std::span<const plot::Pixel> points, plot::Color color, double width) override;
    void polygon(std::span<const plot::Pixel> points, plot::Color fill) override;
    void circle(plot::Pixel center, double radius, plot::Color fill) override;
    void fill_rect(plot::Rect rect, plot::Color fill, double corner) override;
    void stroke_rect(plot::Rect rect, plot::Color color, double width, double corner) override;
    void text(plot::Pixel at, std::string_view text, const plot::TextStyle& style) override;
    plot::Pixel text_size(std::string_view text, const plot::TextStyle& style) override;
    void image(plot::Rect rect, const plot::ImageView& image) override;
    void push_clip(plot::Rect rect) override;
    void pop_clip() override;

  private:
    plot::CairoSurface surface_;  ///< nothing is drawn on it: text is measured with it
    plot::Context context_;
    plot::TextLine text_;
};

/// Without the points that lie within `tolerance` pixels of the line that remains (Ramer, Douglas
/// and Peucker).
std::vector<plot::Pixel> simplified(std::span<const plot::Pixel> points, double tolerance);

}  // namespace ropescope::pages
