// Draws a figure into the bytes of a PNG, SVG or PDF.
#include "app/plot/render_figure.h"

#include <algorithm>
#include <cairo-pdf.h>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

#include "app/plot/cairo_painter.h"
#include "app/plot/draw_figure.h"
#include "app/plot/svg_painter.h"
#include "core/base/error.h"

namespace ropescope::plot {
namespace {

void require_success(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS) {
        throw std::runtime_error(
            fmt::format("figure: Cairo cannot draw it: {}", cairo_status_to_string(status)));
    }
}

/// Points in a pixel: a PDF page has the size of the picture at 96 pixels per inch.
constexpr double kPointsPerPixel = 0.75;

Surface make_surface(ImageFormat format, Pixel size, bool transparent, std::string& bytes,
                     const Figure& figure) {
    if (format == ImageFormat::png) {
        return Surface(
            cairo_image_surface_create(transparent ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24,
                                       static_cast<int>(size.x), static_cast<int>(size.y)));
    }
    Surface surface(cairo_pdf_surface_create_for_stream(
        append_bytes, &bytes, size.x * kPointsPerPixel, size.y * kPointsPerPixel));
    const auto set = [&](cairo_pdf_metadata_t key, const char* value) {
        cairo_pdf_surface_set_metadata(surface.get(), key, value);
    };
    // With a fixed date the same figure gives the same bytes.
    set(CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    set(CAIRO_PDF_METADATA_CREATOR, "ropescope");
    set(CAIRO_PDF_METADATA_TITLE, figure.title.c_str());
    return surface;
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
    if (options.font_pt && !(*options.font_pt >= 4 && *options.font_pt <= 40)) {
        throw InputError(fmt::format("font size: {} is not from 4 to 40 points", *options.font_pt));
    }
}

/// In a narrow picture letters and margins leave the plots their room.
double type_scale(const ExportOptions& options) {
    if (options.font_pt) {
        return *options.font_pt / kPointsPerPixel / options.theme.small_px;
    }
    return std::clamp(options.width_px / kNarrow, 0.75, 1.0);
}

void draw(const Figure& figure, Pixel size, double scale, const ExportOptions& options,
          Painter& painter) {
    const Rect area{0, 0, size.x, size.y};
    if (options.ground != Ground::transparent) {
        const bool white = options.ground == Ground::white;
        painter.fill_rect(area, white ? rgb(0xffffff) : options.theme[Role::background]);
    }
    draw_figure(figure, area, options.theme, scale * type_scale(options), painter,
                options.with_title);
}

std::string svg(const Figure& figure, const ExportOptions& options) {
    const Pixel size{to_double(options.width_px), to_double(options.height_px)};
    SvgPainter painter(size, figure.title, figure.subtitle, options.letters);
    draw(figure, size, 1, options, painter);
    return painter.finish();
}

}  // namespace

std::vector<std::string> left_out(const Figure& figure, const ExportOptions& options) {
    require_size(options);
    const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1));
    const Context context(cairo_create(surface.get()));
    CairoPainter metrics(context.get(), false);
    const Rect area{0, 0, std::round(options.width_px * options.scale),
                    std::round(options.height_px * options.scale)};
    return left_out(figure, area, options.theme, options.scale * type_scale(options), metrics,
                    options.with_title);
}

std::string render_figure(const Figure& figure, ImageFormat format, const ExportOptions& options) {
    require_size(options);
    if (format == ImageFormat::svg) {
        return svg(figure, options);
    }
    const bool pdf = format == ImageFormat::pdf;
    const double scale = pdf ? 1 : options.scale;
    const Pixel size{std::round(options.width_px * scale), std::round(options.height_px * scale)};
    std::string bytes;
    const Surface surface =
        make_surface(format, size, options.ground == Ground::transparent, bytes, figure);
    {
        const Context context(cairo_create(surface.get()));
        if (pdf) {
            cairo_scale(context.get(), kPointsPerPixel, kPointsPerPixel);
        }
        CairoPainter painter(context.get(), pdf);
        draw(figure, size, scale, options, painter);
        require_success(cairo_status(context.get()));
    }
    if (pdf) {
        cairo_surface_finish(surface.get());
    } else {
        require_success(cairo_surface_write_to_png_stream(surface.get(), append_bytes, &bytes));
    }
    require_success(cairo_surface_status(surface.get()));
    return bytes;
}

}  // namespace ropescope::plot
