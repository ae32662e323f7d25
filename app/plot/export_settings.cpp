// The list of the settings of a picture, and what their values mean.
#include "app/plot/export_settings.h"

#include <filesystem>
#include <fmt/format.h>

#include "app/plot/picture_layout.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/parse_list.h"

namespace ropescope::plot {
namespace {

double number_of(std::string_view option, std::string_view value) {
    if (const auto number = parse_number<double>(value)) {
        return *number;
    }
    const std::string wrong = misread(value);
    throw InputError(fmt::format(
        "{}: {}", option,
        !wrong.empty() ? wrong : in_quotes(value) + " is not a number; give one like 2 or 1.5"));
}

/// The value of an enum that is chosen by its name.
template <typename Enum>
Enum chosen(std::string_view option, std::string_view value) {
    if (const auto found = enum_value<Enum>(value)) {
        return *found;
    }
    throw InputError(fmt::format("{}: {} is not one of its values", option, in_quotes(value)));
}

void set_font(ExportOptions& options, std::string_view value) {
    std::error_code unknown;  // of a name that is too long, or a loop of links
    if (value != "sans" && value != "serif" && !std::filesystem::is_regular_file(value, unknown)) {
        throw InputError(fmt::format("--font: {} is not sans, serif or a file", in_quotes(value)));
    }
    options.font = value;
}

/// Of "--dpi": pixels per inch as pixels per unit.
std::string dots(int per_inch) {
    return fmt::format("{}", per_inch / kUnitsPerInch);
}

}  // namespace

const std::vector<ExportSetting>& export_settings() {
    static const std::vector<ExportSetting> all = {
        {.option = "--theme",
         .type = "THEME",
         .text = "light, dark or projector (default light)",
         .usual = "light",
         .set = [](ExportOptions& options,
                   std::string_view value) { options.theme = theme_by_name(value); },
         .row = "theme",
         .offered =
             {{"window's"}, {"light", "light"}, {"dark", "dark"}, {"projector", "projector"}}},
        {.option = "--size",
         .type = "WxH",
         .text =
             "Size of the picture in units, or like 84x60mm or 3.3x2.5in (default 1200x800); an "
             "inch has 96 units",
         .usual = "1200x800",
         .set =
             [](ExportOptions& options, std::string_view value) {
                 const PictureSize size = parse_picture_size("--size", value);
                 options.width_px = size.width;
                 options.height_px = size.height;
             },
         .row = "size",
         .offered = {{"800x600", "800x600"},
                     {"1200x800", "1200x800"},
                     {"1600x1000", "1600x1000"},
                     {"84x60mm", "84x60mm"}}},
        {.option = "--scale",
         .type = "NUMBER",
         .text = "Pixels per unit of a PNG (default 1)",
         .usual = "1",
         .of_png = true,
         .set = [](ExportOptions& options,
                   std::string_view value) { options.scale = number_of("--scale", value); },
         .row = "pixels (PNG)",
         .offered = {{"1x", "1"},
                     {"2x", "2"},
                     {"3x", "3"},
                     {"4x", "4"},
                     {"300 dpi", dots(300)},
                     {"600 dpi", dots(600)}}},
        {.option = "--dpi",
         .type = "NUMBER",
         .text = "Pixels per inch of a PNG, in place of --scale",
         .usual = "96",
         .of_png = true,
         .set =
             [](ExportOptions& options, std::string_view value) {
                 options.scale = number_of("--dpi", value) / kUnitsPerInch;
             }},
        {.option = "--no-card",
         .text = "Leave out the surfaces and borders of the panels",
         .set = [](ExportOptions& options, std::string_view) { options.dress.cards = false; }},
        {.option = "--bare",
         .text = "For a paper: no cards, nothing of what is selected, and nothing behind the plots",
         .set =
             [](ExportOptions& options, std::string_view) {
                 options.dress.cards = options.dress.selection = false;
                 options.ground = Ground::transparent;
             },
         .row = "dress",
         .offered = {{"as shown"}, {"bare, for a paper", "yes"}}},
        {.option = "--background",
         .type = "KIND",
         .text = "Behind the panels: the theme's colour (theme), white or transparent",
         .usual = "theme",
         .values = enum_names<Ground>(),
         .set =
             [](ExportOptions& options, std::string_view value) {
                 options.ground = chosen<Ground>("--background", value);
             },
         .row = "background",
         .offered = {{"theme"}, {"white", "white"}, {"transparent", "transparent"}}},
        {.option = "--no-title",
         .text = "Leave out the title and the line below it; --legend says where the names stand",
         .set = [](ExportOptions& options, std::string_view) { options.dress.title = false; },
         .row = "title",
         .offered = {{"with"}, {"without", "yes"}}},
        {.option = "--legend",
         .type = "PLACE",
         .text = "Where the names of lines stand: above the panels (above), at the ends of lines "
                 "(lines), at the ends if a small picture has room there (auto), or nowhere (none)",
         .usual = "auto",
         .values = enum_names<LegendPlace>(),
         .set =
             [](ExportOptions& options, std::string_view value) {
                 options.dress.legend = chosen<LegendPlace>("--legend", value);
             },
         .row = "names of lines",
         .offered = {{"auto"}, {"above", "above"}, {"at lines", "lines"}, {"none", "none"}}},
        {.option = "--font",
         .type = "FONT",
         .text = "Letters: sans (default), serif as the system has them, or a .ttf or .otf file",
         .usual = "sans",
         .set = set_font,
         .row = "font",
         .offered = {{"sans"}, {"serif", "serif"}}},
        {.option = "--font-size",
         .type = "POINTS",
         .text = "Size of the smallest letters, 4 to 40; others grow with them (default 9, in "
                 "narrow pictures down to 6.75)",
         .set = [](ExportOptions& options,
                   std::string_view value) { options.font_pt = number_of("--font-size", value); },
         .row = "letters",
         .offered = {{"usual"}, {"7 pt", "7"}, {"8 pt", "8"}, {"9 pt", "9"}, {"10 pt", "10"}}},
        {.option = "--letters",
         .type = "KIND",
         .text = "Letters of an SVG: text, which can be searched and edited, or outlines, which "
                 "look the same everywhere (default text)",
         .usual = "text",
         .values = enum_names<Letters>(),
         .set =
             [](ExportOptions& options, std::string_view value) {
                 options.letters = chosen<Letters>("--letters", value);
             }},
    };
    return all;
}

ExportOptions with_values(ExportOptions options, const ExportValues& values) {
    for (const ExportSetting& setting : export_settings()) {
        if (const auto found = values.find(setting.option); found != values.end()) {
            setting.set(options, found->second);
        }
    }
    return options;
}

std::string said_in_a_command(const ExportValues& values, bool png,
                              std::string (*quoted)(std::string_view)) {
    std::string text;
    for (const ExportSetting& setting : export_settings()) {
        const auto found = values.find(setting.option);
        const bool said =
            found != values.end() && (setting.is_switch() || found->second != setting.usual);
        if (said && (png || !setting.of_png)) {
            text += " " + setting.option + (setting.is_switch() ? "" : " " + quoted(found->second));
        }
    }
    return text;
}

}  // namespace ropescope::plot
