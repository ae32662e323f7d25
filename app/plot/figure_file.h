// Figures as files: PNG, SVG, PDF and CSV.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/plot/figure.h"
#include "app/plot/render_figure.h"

namespace ropescope::plot {

/// Throws InputError that names the possible endings: .png .svg .pdf .csv .txt.
void require_figure_ending(const std::filesystem::path& path);

/// Whether a file with this name is a picture, and neither numbers nor words; throws likewise.
bool is_picture(const std::filesystem::path& path);

/// The bytes of the file: a picture, the numbers behind it (csv), or its report (txt).
std::string figure_file(const Figure& figure, const std::filesystem::path& path,
                        const ExportOptions& options);

/// CSV with a header line, RFC 4180 quoting, 17 significant digits.
std::string to_csv(const DataTable& table);

}  // namespace ropescope::plot
