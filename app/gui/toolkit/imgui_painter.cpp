// Draws lines, shapes, text and pictures into an ImGui draw list.
#include "app/gui/toolkit/imgui_painter.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <imgui.h>
#include <vector>

namespace ropescope::gui {
namespace {

ImVec2 vec(plot::Pixel p) {
    return {static_cast<float>(p.x), static_cast<float>(p.y)};
}
ImVec2 top_left(plot::Rect r) {
    return vec({r.x, r.y});
}
ImVec2 bottom_right(plot::Rect r) {
    return vec({r.x + r.width, r.y + r.height});
}
ImU32 packed(plot::Color c) {
    return IM_COL32(c.r, c.g, c.b, c.a);
}

/// The middle of a line of this width that covers whole pixels: grid lines stay crisp.
double snapped(double at, double width) {
    return std::lround(width) % 2 == 1 ? std::floor(at) + 0.5 : std::round(at);
}

plot::Rect whole_pixels(plot::Rect r) {
    const double x = std::round(r.x), y = std::round(r.y);
    return {x, y, std::round(r.x + r.width) - x, std::round(r.y + r.height) - y};
}

/// Every n-th pixel, because a texture's side is limited.
std::vector<plot::Color> thinned(const plot::ImageView& image, std::int64_t width,
                                 std::int64_t height) {
    std::vector<plot::Color> pixels;
    pixels.reserve(width * height);
    for (std::int64_t y = 0; y < height; ++y) {
        for (std::int64_t x = 0; x < width; ++x) {
            const std::int64_t from =
                y * image.height / height * image.width + x * image.width / width;
            pixels.push_back(image.pixels[from]);
        }
    }
    return pixels;
}

/// An edge between two cells in the very middle of a pixel: a driver may round it to either. So the
/// cells are moved by a part of a pixel that nobody sees, and all drivers draw alike.
constexpr double kMove = 1.0 / 1024;

void add_texture(ImDrawList& list, std::uintptr_t name, plot::Rect rect) {
    const auto u = to_float(kMove / rect.width), v = to_float(kMove / rect.height);
    list.AddImage(std::bit_cast<ImTextureID>(name), top_left(rect), bottom_right(rect), {u, v},
                  {1 + u, 1 + v});
}

}  // namespace

void ImGuiPainter::line(plot::Pixel from, plot::Pixel to, plot::Color color, double width) {
    if (from.x == to.x) {
        from.x = to.x = snapped(from.x, width);
    } else if (from.y == to.y) {
        from.y = to.y = snapped(from.y, width);
    }
    list_->PathLineTo(vec(from));
    list_->PathLineTo(vec(to));
    list_->PathStroke(packed(color), 0, static_cast<float>(width));
}

void ImGuiPainter::polyline(std::span<const plot::Pixel> points, plot::Color color, double width) {
    for (const plot::Pixel& point : points) {
        list_->PathLineTo(vec(point));
    }
    list_->PathStroke(packed(color), 0, static_cast<float>(width));
}

void ImGuiPainter::polygon(std::span<const plot::Pixel> points, plot::Color fill) {
    for (const plot::Pixel& point : points) {
        list_->PathLineTo(vec(point));
    }
    list_->PathFillConvex(packed(fill));
}

void ImGuiPainter::circle(plot::Pixel center, double radius, plot::Color fill) {
    list_->AddCircleFilled(vec(center), static_cast<float>(radius), packed(fill));
}

void ImGuiPainter::fill_rect(plot::Rect rect, plot::Color fill, double corner) {
    const plot::Rect r = corner > 0 ? whole_pixels(rect) : rect;
    list_->AddRectFilled(top_left(r), bottom_right(r), packed(fill), static_cast<float>(corner));
}

void ImGuiPainter::stroke_rect(plot::Rect rect, plot::Color color, double width, double corner) {
    const plot::Rect r = whole_pixels(rect);
    list_->AddRect(top_left(r), bottom_right(r), packed(color), static_cast<float>(corner), 0,
                   static_cast<float>(width));
}

void ImGuiPainter::text(plot::Pixel at, std::string_view text, const plot::TextStyle& style) {
    // Whole pixels keep the letters sharp.
    const ImVec2 where(static_cast<float>(std::round(at.x)), static_cast<float>(std::round(at.y)));
    list_->AddText(fonts_->get(style.face, style.size_px),
                   static_cast<float>(fonts_->line_px(style.size_px)), where, packed(style.color),
                   text.data(), text.data() + text.size());
}

plot::Pixel ImGuiPainter::text_size(std::string_view text, const plot::TextStyle& style) {
    const ImVec2 size = fonts_->get(style.face, style.size_px)
                            ->CalcTextSizeA(static_cast<float>(fonts_->line_px(style.size_px)),
                                            FLT_MAX, 0.0F, text.data(), text.data() + text.size());
    return {size.x, fonts_->line_px(style.size_px)};
}

void ImGuiPainter::image(plot::Rect rect, const plot::ImageView& image) {
    if (image.width < 1 || image.height < 1) {
        return;
    }
    const std::int64_t most = textures_->largest();
    const std::int64_t width = std::min(image.width, most);
    const std::int64_t height = std::min(image.height, most);
    std::vector<plot::Color> fewer;
    plot::ImageView drawn = image;
    if (width < image.width || height < image.height) {
        fewer = thinned(image, width, height);
        drawn = {width, height, fewer};
    }
    add_texture(*list_, textures_->get(drawn), rect);
}

void ImGuiPainter::live_map(const plot::RasterPlan& plan, const plot::LiveCells& cells) {
    if (const std::uint32_t texture = live_->heat_map(plan, cells); texture != 0) {
        add_texture(*list_, texture, plan.place);
    }
}

void ImGuiPainter::live_dots(const plot::LivePoints& points, const plot::Placement& placement,
                             double radius, plot::Color first, plot::Color last) {
    live_->add(
        *list_,
        {.points = points, .placement = placement, .extent = radius, .first = first, .last = last});
}

void ImGuiPainter::live_arrow(plot::Pixel from, const plot::LivePoints& to,
                              const plot::Placement& placement, plot::Color color,
                              plot::ArrowSize size) {
    live_->add(*list_, {.points = to,
                        .placement = placement,
                        .arrow = true,
                        .from = from,
                        .extent = size.head,
                        .width = size.width,
                        .first = color,
                        .last = color});
}

void ImGuiPainter::push_clip(plot::Rect rect) {
    list_->PushClipRect(top_left(rect), bottom_right(rect), true);
}

void ImGuiPainter::pop_clip() {
    list_->PopClipRect();
}

}  // namespace ropescope::gui
