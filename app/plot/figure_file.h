// A figure as a file: the ending of the name gives the format.
#pragma once

#include <filesystem>
#include <string>

#include "app/plot/cairo_painter.h"
#include "app/plot/figure.h"

namespace ropescope::plot {

/// Throws InputError naming the endings there are: .png .svg .pdf .csv .txt.
void require_figure_ending(const std::filesystem::path& path);

/// The bytes of the file: a picture, the numbers behind it (csv), or its report (txt).
std::string figure_file(const Figure& figure, const std::filesystem::path& path,
                        const ExportOptions& options);

}  // namespace ropescope::plot
