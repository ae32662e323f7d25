// The painter for PNG and PDF, through Cairo and Pango.
#pragma once

#include <span>
#include <string>

#include "app/plot/painter.h"
#include "app/plot/text_line.h"

namespace ropescope::plot {

class CairoPainter : public Painter {
  public:
    /// `vector`: the context writes a format of lines and letters, not of pixels. The context must
    /// live as long as this.
    /// `family`: ChosenFont::pango.
    CairoPainter(cairo_t* context, bool vector, std::string family = {});

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
    void set_color(Color color);
    void trace(std::span<const Pixel> points);
    void trace(Rect rect, double corner);
    void fill_cells(Rect rect, const ImageView& image);
    void paint_nearest(Rect rect, const ImageView& image);

    cairo_t* context_;
    bool vector_;
    TextLine text_;
};

// An image of cells as a surface of Cairo, for files.

/// Each cell becomes zoom x zoom pixels. What Cairo cannot hold (more than 32767 pixels a side)
/// gives a surface that carries the error.
CairoSurface cell_image(const ImageView& image, int zoom);

/// How many pixels a side a cell needs in a vector format, whose viewers smooth pictures when they
/// enlarge them: 8 keep sharp edges. 1 if that would be more than 2^22 pixels.
int sharp_zoom(const ImageView& image);

}  // namespace ropescope::plot
