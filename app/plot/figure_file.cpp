// Writes a figure in the format that the ending of a file name asks for.
#include "app/plot/figure_file.h"

#include <array>
#include <optional>

#include "core/base/ascii.h"
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
    throw InputError(path.string() +
                     " does not say its format; end the name in .png, .svg, .pdf, .csv or .txt");
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
    return entry.ending == ".csv" ? to_csv(figure.data) : figure.report;
}

}  // namespace ropescope::plot
