// Figures as files: PNG, SVG, PDF and CSV. Sources: figure_file.cpp, csv.cpp, svg_ids.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/plot/cairo_painter.h"
#include "app/plot/figure.h"

namespace ropescope::plot {

/// Throws InputError that names the possible endings: .png .svg .pdf .csv .txt.
void require_figure_ending(const std::filesystem::path& path);

/// The bytes of the file: a picture, the numbers behind it (csv), or its report (txt).
std::string figure_file(const Figure& figure, const std::filesystem::path& path,
                        const ExportOptions& options);

/// CSV with a header line, RFC 4180 quoting, 17 significant digits.
std::string to_csv(const DataTable& table);

/// Cairo numbers the surfaces and images of an SVG by counters of the whole process; here they are
/// numbered in the order of their first use, so that the same figure gives the same bytes.
std::string with_local_ids(std::string_view svg);

}  // namespace ropescope::plot
