// Writes a figure in the format that the ending of a file name asks for.
#include "app/plot/figure_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "core/base/characters.h"
#include "core/base/error.h"

namespace ropescope::plot {
namespace {

struct Ending {
    std::string_view ending;
    std::optional<ImageFormat> picture;
};
constexpr auto kEndings = std::to_array<Ending>({
    {".png", ImageFormat::png},
    {".svg", ImageFormat::svg},
    {".pdf", ImageFormat::pdf},
    {".csv", std::nullopt},
    {".txt", std::nullopt},
});

const Ending& ending_of(const std::filesystem::path& path) {
    const std::string ending = lower_case(path.extension().string());
    for (const Ending& entry : kEndings) {
        if (ending == entry.ending) {
            return entry;
        }
    }
    const bool for_tex = ending == ".pgf" || ending == ".tikz" || ending == ".tex";
    throw InputError(
        path.string() + " does not say its format; end the name in .png, .svg, .pdf, .csv or .txt" +
        (for_tex ? "; LaTeX includes a .pdf, and --font takes the font of your text" : ""));
}

}  // namespace

void require_figure_ending(const std::filesystem::path& path) {
    ending_of(path);
}

bool is_picture(const std::filesystem::path& path) {
    return ending_of(path).picture.has_value();
}

std::string figure_file(const Figure& figure, const std::filesystem::path& path,
                        const ExportOptions& options) {
    const Ending& entry = ending_of(path);
    if (entry.picture) {
        return render_figure(figure, *entry.picture, options);
    }
    return entry.ending == ".csv" ? to_csv(figure.data) : std::string(figure.report);
}

// Writes a table as CSV.

namespace {

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string result = "\"";
    for (const char c : text) {
        result += c;
        if (c == '"') {
            result += '"';
        }
    }
    return result + '"';
}

/// 17 significant digits restore every double. What has no finite value, such as the wavelength of
/// a pair that never turns, leaves its cell empty, since programs spell NaN and infinity each in
/// their own way.
std::string cell(double value) {
    return std::isfinite(value) ? fmt::format("{:.17g}", value) : "";
}
std::string cell(std::int64_t value) {
    return fmt::format("{}", value);
}

std::size_t length(const Column& column) {
    return std::visit([](const auto& values) { return values.size(); }, column.values);
}

std::string cell_at(const Column& column, std::size_t row) {
    return std::visit(
        [row](const auto& values) -> std::string {
            if (row >= values.size()) {
                return {};  // a short column leaves its cells empty
            }
            if constexpr (std::is_same_v<std::decay_t<decltype(values[row])>, std::string>) {
                return quoted(values[row]);
            } else {
                return cell(values[row]);
            }
        },
        column.values);
}

}  // namespace

std::string to_csv(const DataTable& table) {
    std::size_t rows = 0;
    std::string csv;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        csv += i == 0 ? "" : ",";
        csv += quoted(table.columns[i].name);
        rows = std::max(rows, length(table.columns[i]));
    }
    csv += '\n';
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            csv += i == 0 ? "" : ",";
            csv += cell_at(table.columns[i], row);
        }
        csv += '\n';
    }
    return csv;
}

}  // namespace ropescope::plot
