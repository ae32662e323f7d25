// The painter for the window: draws the same primitives as Cairo's painter into an ImGui draw list.
#pragma once

#include "app/gui/toolkit/fonts.h"
#include "app/gui/toolkit/live_canvas.h"
#include "app/gui/toolkit/textures.h"
#include "app/plot/painter.h"

struct ImDrawList;

namespace ropescope::gui {

class ImGuiPainter final : public plot::Painter {
  public:
    ImGuiPainter(ImDrawList* list, Fonts& fonts, Textures& textures, LiveCanvas& live)
        : list_(list), fonts_(&fonts), textures_(&textures), live_(&live) {}

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
    void live_map(const plot::RasterPlan& plan, const plot::LiveCells& cells) override;
    void live_dots(const plot::LivePoints& points, const plot::Placement& placement, double radius,
                   plot::Color first, plot::Color last) override;
    void live_arrow(plot::Pixel from, const plot::LivePoints& to, const plot::Placement& placement,
                    plot::Color color, plot::ArrowSize size) override;

  private:
    ImDrawList* list_;
    Fonts* fonts_;
    Textures* textures_;
    LiveCanvas* live_;
};

}  // namespace ropescope::gui
