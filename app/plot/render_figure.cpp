// Draws a figure into the bytes of a PNG, SVG or PDF.
#include "app/plot/render_figure.h"

#include <cairo-pdf.h>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

#include "app/plot/cairo_painter.h"
#include "app/plot/picture_layout.h"

namespace ropescope::plot {
namespace {

void require_success(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS) {
        throw std::runtime_error(
            fmt::format("figure: Cairo cannot draw it: {}", cairo_status_to_string(status)));
    }
}

CairoSurface make_surface(ImageFormat format, Pixel size, bool transparent, std::string& bytes,
                          const Figure& figure) {
    if (format == ImageFormat::png) {
        return CairoSurface(
            cairo_image_surface_create(transparent ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24,
                                       static_cast<int>(size.x), static_cast<int>(size.y)));
    }
    CairoSurface surface(cairo_pdf_surface_create_for_stream(
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

}  // namespace

const std::vector<std::string>& picture_formats() {
    static const std::vector<std::string> formats = {"svg", "png", "pdf"};
    return formats;
}

std::vector<std::string> left_out(const Figure& figure, const ExportOptions& options) {
    require_picture(options);
    const CairoSurface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1));
    const Context context(cairo_create(surface.get()));
    CairoPainter metrics(context.get(), false, chosen_font(options.font).pango);
    return left_out_of_picture(figure, options, metrics);
}

std::string render_figure(const Figure& figure, ImageFormat format, const ExportOptions& options) {
    require_picture(options);
    if (format == ImageFormat::svg) {
        return svg_of(figure, options);
    }
    const bool pdf = format == ImageFormat::pdf;
    const double scale = pdf ? 1 : options.scale;
    const Pixel asked{options.width_px * scale, options.height_px * scale};
    const Pixel size = pdf ? asked : Pixel{std::round(asked.x), std::round(asked.y)};
    std::string bytes;
    const CairoSurface surface =
        make_surface(format, size, options.ground == Ground::transparent, bytes, figure);
    {
        const Context context(cairo_create(surface.get()));
        if (pdf) {
            cairo_scale(context.get(), kPointsPerPixel, kPointsPerPixel);
        }
        CairoPainter painter(context.get(), pdf, chosen_font(options.font).pango);
        draw_picture(figure, size, scale, options, painter);
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
