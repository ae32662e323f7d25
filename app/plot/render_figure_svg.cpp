// In place of render_figure.cpp where there is no Cairo: everything is made of the SVG. The bytes
// of a PNG are an SVG with outlined letters, as large as the PNG shall be; who saves it has the
// pixels drawn, as a browser can.
#include <fmt/format.h>

#include "app/plot/picture_layout.h"
#include "app/plot/render_figure.h"
#include "app/plot/svg_painter.h"
#include "core/base/error.h"

namespace ropescope::plot {
namespace {

/// As SvgPainter writes it.
std::string size_text(double width, double height) {
    return fmt::format("width=\"{}\" height=\"{}\"", svg_number(width, 2), svg_number(height, 2));
}

}  // namespace

const std::vector<std::string>& picture_formats() {
    static const std::vector<std::string> formats = {"svg", "png"};
    return formats;
}

std::vector<std::string> left_out(const Figure& figure, const ExportOptions& options) {
    require_picture(options);
    SvgPainter metrics({16, 16}, "", "", options.letters, options.font);
    return left_out_of_picture(figure, options, metrics);
}

std::string render_figure(const Figure& figure, ImageFormat format, const ExportOptions& options) {
    require_picture(options);
    if (format == ImageFormat::pdf) {
        throw CapabilityError(
            "export: ropescope writes no PDF here; choose SVG, and print that to a PDF");
    }
    if (format == ImageFormat::svg) {
        return svg_of(figure, options);
    }
    ExportOptions drawn = options;
    drawn.letters = Letters::outlines;
    std::string svg = svg_of(figure, drawn);
    const std::string units = size_text(options.width_px, options.height_px);
    const auto at = svg.find(units);
    return svg.replace(
        at, units.size(),
        size_text(options.width_px * options.scale, options.height_px * options.scale));
}

}  // namespace ropescope::plot
