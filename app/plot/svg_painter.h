// The painter for SVG (SVG 1.1, W3C 2011). Letters stay text, an image of cells is one embedded
// PNG, and no element has an identifier, so that several figures fit into one page.
#pragma once

#include <string>
#include <string_view>

#include "app/plot/painter.h"
#include "app/plot/svg_letters.h"
#include "app/plot/svg_text.h"

namespace ropescope::plot {

class SvgPainter : public Painter {
  public:
    /// `title` and `description` are what a screen reader says. Pixels are the units of the file.
    /// `font` as ExportOptions has it.
    SvgPainter(Pixel size, std::string_view title, std::string_view description, Letters letters,
               std::string_view font = "sans");

    /// The bytes of the file. Nothing can be drawn after it.
    std::string finish();

    void line(Pixel from, Pixel to, Color color, double width) override;
    void polyline(std::span<const Pixel> points, Color color, double width) override;
    void dashed(std::span<const Pixel> points, Color color, double width,
                std::span<const double> lengths) override;
    void polygon(std::span<const Pixel> points, Color fill) override;
    void circle(Pixel center, double radius, Color fill) override;
    void fill_rect(Rect rect, Color fill, double corner) override;
    void stroke_rect(Rect rect, Color color, double width, double corner) override;
    void text(Pixel at, std::string_view text, const TextStyle& style) override;
    Pixel text_size(std::string_view text, const TextStyle& style) override;
    void image(Rect rect, const ImageView& image) override;
    void push_clip(Rect rect) override;
    void pop_clip() override;

  private:
    std::string svg_;
    Letters letters_;
    SvgLetters text_;
    bool own_faces_;  ///< the compiled-in ones, of which one has letters of equal width
};

}  // namespace ropescope::plot
