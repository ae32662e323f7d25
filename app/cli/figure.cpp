// `ropescope figure`: one figure as a picture, as its numbers or as words.
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <optional>

#include "app/cli/engines.h"
#include "app/cli/output.h"
#include "app/cli/picture_options.h"
#include "app/figures/view.h"
#include "app/lessons/lesson_checks.h"
#include "app/pages/page.h"
#include "app/plot/figure_file.h"
#include "app/plot/look.h"
#include "app/plot/picture_layout.h"
#include "app/plot/render_figure.h"
#include "core/base/error.h"
#include "core/base/write_file.h"

namespace ropescope::cli {
namespace {

struct FigureArguments {
    std::optional<std::string> view;
    std::string output;
    std::string size = "1200x800";
    std::optional<double> scale, dpi, font_pt;
    std::string theme = "light";
    std::string ground = "theme";
    bool no_title = false;
    std::string panel;
    std::vector<std::string> ranges, hidden;
    std::string letters = "text";
    std::string vary;
};

plot::Look look_of(const FigureArguments& arguments) {
    plot::Look look;
    for (const std::string& range : arguments.ranges) {
        plot::add_range(look, range);
    }
    look.hidden.insert(arguments.hidden.begin(), arguments.hidden.end());
    look.panel = arguments.panel;
    return look;
}

/// Pixels per unit.
double scale_of(const FigureArguments& arguments) {
    if (arguments.scale && arguments.dpi) {
        throw InputError(
            "figure: --scale and --dpi both say how many pixels a PNG has; give one of them");
    }
    return arguments.dpi ? *arguments.dpi / plot::kUnitsPerInch : arguments.scale.value_or(1);
}

Scene scene_of(const FigureArguments& arguments, const GlobalOptions& options) {
    Scene scene = scene_from(options);
    if (arguments.view) {
        scene.view = figures::view_by_id(*arguments.view).id;
    }
    return scene;
}

/// A page with a slider, in the colours that the reader's system asks for.
int write_page(const FigureArguments& arguments, const GlobalOptions& options) {
    require_page_ending(arguments.output);
    const Scene scene = scene_of(arguments, options);
    const pages::Variation variation = pages::parse_variation(arguments.vary, pages::kMostFrames);
    const std::unique_ptr<Engine> engine = engine_from(options);
    const std::string html = [&] {
        ProgressLine line("figure");
        return pages::figure_page(scene, variation, *engine, std::ref(line));
    }();
    write_file_whole(arguments.output, html);
    return 0;
}

/// A small picture leaves parts out; it never does so without a word.
void say_what_is_left_out(const plot::Figure& figure, const plot::ExportOptions& picture,
                          const std::string& size) {
    const std::vector<std::string> parts = plot::left_out(figure, picture);
    if (!parts.empty()) {
        fmt::print(stderr, "figure: at {} there is no room for {}; a larger --size shows it\n",
                   size, fmt::join(parts, ", "));
    }
}

int run(const FigureArguments& arguments, const GlobalOptions& options) {
    if (!arguments.vary.empty()) {
        return write_page(arguments, options);
    }
    if (is_page(arguments.output)) {
        throw InputError(arguments.output +
                         " is the name of a page; say what its slider changes, for example --vary "
                         "base=100:1e7");
    }
    plot::require_figure_ending(arguments.output);  // before any work
    const plot::PictureSize size = plot::parse_picture_size("--size", arguments.size);
    const plot::ExportOptions picture{
        .width_px = size.width,
        .height_px = size.height,
        .scale = scale_of(arguments),
        .theme = plot::theme_by_name(arguments.theme),
        .font_pt = arguments.font_pt,
        .ground = enum_value<plot::Ground>(arguments.ground).value(),
        .with_title = !arguments.no_title,
        .letters = enum_value<plot::Letters>(arguments.letters).value()};
    const plot::Look look = look_of(arguments);
    const Scene scene = scene_of(arguments, options);
    const std::unique_ptr<Engine> engine = engine_from(options);
    const plot::Figure figure = [&] {
        ProgressLine line("figure");
        return figures::make_figure(
            scene, *engine, {.progress = std::ref(line), .more_checks = lessons::further_checks()});
    }();
    plot::require_applies(look, figure);
    const plot::Figure seen = plot::as_seen(figure, look);
    write_file_whole(arguments.output, plot::figure_file(seen, arguments.output, picture));
    if (plot::is_picture(arguments.output)) {
        say_what_is_left_out(seen, picture, arguments.size);
    }
    return 0;
}

}  // namespace

Command figure_command(GlobalOptions& options) {
    const auto arguments = std::make_shared<FigureArguments>();
    return {
        .name = "figure",
        .text = "Draw one figure (png, svg, pdf, csv or txt)",
        .options =
            {
                {.names = "view",
                 .target = &arguments->view,
                 .type = "VIEW",
                 .text = "The view (default: the scene's, rotation)"},
                {.names = "-o,--output",
                 .target = &arguments->output,
                 .type = "FILE",
                 .text = "A name that ends in .png, .svg, .pdf, .csv (its numbers) or .txt (in "
                         "words), or with --vary in .html",
                 .required = true},
                {.names = "--vary",
                 .target = &arguments->vary,
                 .type = "NAME=FROM:TO",
                 .text = "Write a page with a slider for this parameter, with at most 41 values "
                         "(NAME=FROM:TO:COUNT for fewer) or NAME=VALUE,VALUE,...; it needs no "
                         "other file and no network"},
                {.names = "--size",
                 .target = &arguments->size,
                 .type = "WxH",
                 .text = "Size of the picture in units, or like 84x60mm or 3.3x2.5in (default "
                         "1200x800); an inch has 96 units"},
                {.names = "--scale",
                 .target = &arguments->scale,
                 .type = "NUMBER",
                 .text = "Pixels per unit of a PNG (default 1)"},
                {.names = "--dpi",
                 .target = &arguments->dpi,
                 .type = "NUMBER",
                 .text = "Pixels per inch of a PNG, in place of --scale"},
                {.names = "--font-size",
                 .target = &arguments->font_pt,
                 .type = "POINTS",
                 .text = "Size of the smallest letters, 4 to 40; others grow with them (default 9, "
                         "in narrow pictures down to 6.75)"},
                {.names = "--panel",
                 .target = &arguments->panel,
                 .type = "PANEL",
                 .text = "Draw this panel alone"},
                {.names = "--theme",
                 .target = &arguments->theme,
                 .type = "THEME",
                 .text = "light, dark or projector (default light)"},
                {.names = "--background",
                 .target = &arguments->ground,
                 .type = "KIND",
                 .text = "Behind the panels: the theme's colour (theme), white or transparent",
                 .choices = enum_names<plot::Ground>()},
                {.names = "--no-title",
                 .target = &arguments->no_title,
                 .text = "Leave out the title, the subtitle and the legend"},
                {.names = "--range",
                 .target = &arguments->ranges,
                 .type = "PANEL=X0:X1,Y0:Y1",
                 .text = "Show this part of a panel; repeatable"},
                {.names = "--hide",
                 .target = &arguments->hidden,
                 .type = "NAME",
                 .text = "Leave out the lines of this name in the legend; repeatable"},
                {.names = "--letters",
                 .target = &arguments->letters,
                 .type = "KIND",
                 .text = "Letters of an SVG: text, which can be searched and edited, or outlines, "
                         "which look the same everywhere (default text)",
                 .choices = enum_names<plot::Letters>()},
            },
        .run = [arguments, &options] { return run(*arguments, options); },
        .reads = kPictureOptions,
        .footer = R"(Examples:
  ropescope figure spectrum --set base=500000 -o spectrum.svg
  ropescope figure rotation --theme dark --size 1600x1000 --scale 2 -o rotation.png
  ropescope --scene lesson.json figure -o lesson.pdf
  ropescope figure table --set position_count=32 -o table.csv
  ropescope figure spectrum --vary base=100:1e7 -o spectrum.html)"};
}

}  // namespace ropescope::cli
