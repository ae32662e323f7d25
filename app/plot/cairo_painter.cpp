// Paints figures with Cairo and Pango, and encodes them as PNG, SVG or PDF.
#include "app/plot/cairo_painter.h"

#include <algorithm>
#include <array>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <numbers>
#include <pango/pangocairo.h>
#include <stdexcept>
#include <vector>

#include "app/plot/draw_figure.h"
#include "app/plot/faces.h"
#include "app/plot/figure_file.h"
#include "core/base/error.h"

namespace ropescope::plot {
namespace {

template <auto free_function>
struct Deleter {
    template <typename T>
    void operator()(T* object) const {
        free_function(object);
    }
};
using Surface = std::unique_ptr<cairo_surface_t, Deleter<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Deleter<cairo_destroy>>;
using Pattern = std::unique_ptr<cairo_pattern_t, Deleter<cairo_pattern_destroy>>;
using Layout = std::unique_ptr<PangoLayout, Deleter<g_object_unref>>;
using Font = std::unique_ptr<PangoFontDescription, Deleter<pango_font_description_free>>;
using FontOptions = std::unique_ptr<cairo_font_options_t, Deleter<cairo_font_options_destroy>>;

/// More cells than this are drawn as one picture, because each rectangle takes about 180 bytes of
/// SVG.
constexpr Index kMostRectangles = 4096;

class CairoPainter : public Painter {
  public:
    CairoPainter(cairo_t* context, bool vector) : context_(context), vector_(vector) {
        cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
        layout_.reset(pango_cairo_create_layout(context_));
        // Unhinted outlines in grey give the same glyphs at every place and on every machine.
        const FontOptions options(cairo_font_options_create());
        cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
        cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
        cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
        PangoContext* pango = pango_layout_get_context(layout_.get());
        pango_cairo_context_set_font_options(pango, options.get());
        pango_cairo_context_set_resolution(pango, 96);
        pango_context_set_round_glyph_positions(pango, FALSE);
        pango_layout_set_single_paragraph_mode(layout_.get(), TRUE);
    }

    void line(Pixel from, Pixel to, Color color, double width) override {
        const std::array<Pixel, 2> points = {from, to};
        polyline(points, color, width);
    }

    void polyline(std::span<const Pixel> points, Color color, double width) override {
        trace(points);
        set_color(color);
        cairo_set_line_width(context_, width);
        cairo_stroke(context_);
    }

    void polygon(std::span<const Pixel> points, Color fill) override {
        trace(points);
        cairo_close_path(context_);
        set_color(fill);
        cairo_fill(context_);
    }

    void circle(Pixel center, double radius, Color fill) override {
        cairo_new_path(context_);
        cairo_arc(context_, center.x, center.y, std::max(radius, 0.0), 0, 2 * std::numbers::pi);
        set_color(fill);
        cairo_fill(context_);
    }

    void fill_rect(Rect rect, Color fill, double corner) override {
        trace(rect, corner);
        set_color(fill);
        cairo_fill(context_);
    }

    void stroke_rect(Rect rect, Color color, double width, double corner) override {
        const double inset = width / 2;
        trace({rect.x + inset, rect.y + inset, rect.width - width, rect.height - width},
              corner - inset);
        set_color(color);
        cairo_set_line_width(context_, width);
        cairo_stroke(context_);
    }

    void text(Pixel at, std::string_view text, const TextStyle& style) override {
        lay_out(text, style);
        set_color(style.color);
        if (vector_) {
            cairo_move_to(context_, at.x, at.y);
            pango_cairo_show_layout(context_, layout_.get());
            return;
        }
        // Cairo 1.16 puts each glyph of an image on a whole pixel, which spaces letters unevenly;
        // outlines keep their places. Baselines on whole pixels keep rows of text alike.
        const double baseline = pango_units_to_double(pango_layout_get_baseline(layout_.get()));
        cairo_new_path(context_);
        cairo_move_to(context_, at.x, std::round(at.y + baseline) - baseline);
        pango_cairo_layout_path(context_, layout_.get());
        cairo_fill(context_);
    }

    Pixel text_size(std::string_view text, const TextStyle& style) override {
        lay_out(text, style);
        int width = 0;
        int height = 0;
        pango_layout_get_size(layout_.get(), &width, &height);
        return {pango_units_to_double(width), pango_units_to_double(height)};
    }

    void image(Rect rect, const ImageView& image) override {
        if (image.width <= 0 || image.height <= 0 || !(rect.width > 0) || !(rect.height > 0)) {
            return;
        }
        if (vector_ && image.width * image.height <= kMostRectangles) {
            fill_cells(rect, image);
        } else {
            paint_nearest(rect, image);
        }
    }

    void push_clip(Rect rect) override {
        cairo_save(context_);
        trace(rect, 0);
        cairo_clip(context_);
    }

    void pop_clip() override { cairo_restore(context_); }

  private:
    void set_color(Color c) {
        cairo_set_source_rgba(context_, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
    }

    void trace(std::span<const Pixel> points) {
        cairo_new_path(context_);
        for (const Pixel& p : points) {
            cairo_line_to(context_, p.x, p.y);
        }
    }

    void trace(Rect rect, double corner) {
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

    void lay_out(std::string_view text, const TextStyle& style) {
        const Font font(pango_font_description_new());
        pango_font_description_set_family_static(font.get(), pango_family(style.face));
        pango_font_description_set_weight(
            font.get(), style.face == Face::bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
        pango_font_description_set_absolute_size(font.get(), style.size_px * PANGO_SCALE);
        pango_layout_set_font_description(layout_.get(), font.get());
        pango_layout_set_text(layout_.get(), text.data(), narrow<int>(text.size()));
    }

    /// Draws rectangles and joins neighbours of one colour. Each reaches under its right and lower
    /// neighbours, which are drawn later, because viewers would show the background through the
    /// seams.
    void fill_cells(Rect rect, const ImageView& image) {
        const double cell_width = rect.width / to_double(image.width);
        const double cell_height = rect.height / to_double(image.height);
        const double under = 0.6;
        for (Index row = 0; row < image.height; ++row) {
            for (Index begin = 0; begin < image.width;) {
                const auto at = [&](Index column) {
                    return image.pixels[row * image.width + column];
                };
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

    void paint_nearest(Rect rect, const ImageView& image) {
        // Viewers of vector formats smooth pictures when they enlarge them; cells of 8 x 8 pixels
        // keep sharp edges.
        const Index room = Index{1} << 22;
        const bool enlarge = vector_ && image.width * image.height <= room / 64;
        const int zoom = enlarge ? 8 : 1;
        const int width = narrow<int>(image.width) * zoom;
        const int height = narrow<int>(image.height) * zoom;
        const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height));
        unsigned char* bytes = cairo_image_surface_get_data(surface.get());
        if (bytes == nullptr) {
            return;  // beyond what Cairo can hold; the context carries the error
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
        cairo_save(context_);
        cairo_translate(context_, rect.x, rect.y);
        cairo_scale(context_, rect.width / width, rect.height / height);
        cairo_set_source_surface(context_, surface.get(), 0, 0);
        cairo_pattern_set_filter(cairo_get_source(context_), CAIRO_FILTER_NEAREST);
        cairo_rectangle(context_, 0, 0, width, height);
        cairo_fill(context_);
        cairo_restore(context_);
    }

    static std::uint32_t premultiplied(Color c) {
        const auto scaled = [&c](std::uint32_t v) { return (v * c.a + 127) / 255; };
        return std::uint32_t{c.a} << 24U | scaled(c.r) << 16U | scaled(c.g) << 8U | scaled(c.b);
    }

    cairo_t* context_;
    bool vector_;
    Layout layout_;
};

cairo_status_t append(void* closure, const unsigned char* data, unsigned length) {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

void require_success(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS) {
        throw std::runtime_error(
            fmt::format("figure: Cairo cannot draw it: {}", cairo_status_to_string(status)));
    }
}

/// Points in a pixel: a PDF page has the size of the picture at 96 pixels per inch.
constexpr double kPointsPerPixel = 0.75;

Surface make_surface(ImageFormat format, Pixel size, std::string& bytes, const Figure& figure) {
    if (format == ImageFormat::svg) {
        Surface surface(cairo_svg_surface_create_for_stream(append, &bytes, size.x, size.y));
        cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
        return surface;
    }
    if (format == ImageFormat::pdf) {
        Surface surface(cairo_pdf_surface_create_for_stream(
            append, &bytes, size.x * kPointsPerPixel, size.y * kPointsPerPixel));
        const auto set = [&](cairo_pdf_metadata_t key, const char* value) {
            cairo_pdf_surface_set_metadata(surface.get(), key, value);
        };
        // With a fixed date the same figure gives the same bytes.
        set(CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
        set(CAIRO_PDF_METADATA_CREATOR, "ropescope");
        set(CAIRO_PDF_METADATA_TITLE, figure.title.c_str());
        return surface;
    }
    return Surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(size.x),
                                              static_cast<int>(size.y)));
}

void require_size(const ExportOptions& options) {
    constexpr int kLargest = 16384;
    const double largest = std::max(options.width_px, options.height_px) * options.scale;
    if (std::min(options.width_px, options.height_px) < 16 || !(largest <= kLargest) ||
        !(options.scale >= 0.1)) {
        throw InputError(fmt::format(
            "size: {}x{} at scale {} cannot be drawn; give 16 to {} pixels a side in all and a "
            "scale of at least 0.1",
            options.width_px, options.height_px, options.scale, kLargest));
    }
}

}  // namespace

std::string render_figure(const Figure& figure, ImageFormat format, const ExportOptions& options) {
    require_size(options);
    const bool vector = format != ImageFormat::png;
    const double scale = vector ? 1 : options.scale;
    const Pixel size{std::round(options.width_px * scale), std::round(options.height_px * scale)};
    std::string bytes;
    const Surface surface = make_surface(format, size, bytes, figure);
    {
        const Context context(cairo_create(surface.get()));
        if (format == ImageFormat::pdf) {
            cairo_scale(context.get(), kPointsPerPixel, kPointsPerPixel);
        }
        CairoPainter painter(context.get(), vector);
        const Rect area{0, 0, size.x, size.y};
        painter.fill_rect(area, options.theme[Role::background], 0);
        draw_figure(figure, area, options.theme, scale, painter);
        require_success(cairo_status(context.get()));
    }
    if (vector) {
        cairo_surface_finish(surface.get());
    } else {
        require_success(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
    }
    require_success(cairo_surface_status(surface.get()));
    return format == ImageFormat::svg ? with_local_ids(bytes) : bytes;
}

}  // namespace ropescope::plot
