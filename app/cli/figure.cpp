// `ropescope figure`: one figure as a picture, as its numbers or as words.
#include <functional>
#include <optional>

#include "app/cli/engines.h"
#include "app/cli/picture_options.h"
#include "app/cli/progress_line.h"
#include "app/figures/view.h"
#include "app/plot/figure_file.h"
#include "app/plot/look.h"
#include "core/base/write_file.h"

namespace ropescope::cli {
namespace {

struct FigureArguments {
    std::optional<std::string> view;
    std::string output;
    std::string size = "1200x800";
    double scale = 1;
    std::string theme = "light";
    std::string ground = "theme";
    bool no_title = false;
    std::vector<std::string> ranges, hidden;
    std::string letters = "text";
};

plot::Look look_of(const FigureArguments& arguments) {
    plot::Look look;
    for (const std::string& range : arguments.ranges) {
        plot::add_range(look, range);
    }
    look.hidden.insert(arguments.hidden.begin(), arguments.hidden.end());
    return look;
}

int run(const FigureArguments& arguments, const GlobalOptions& options) {
    plot::require_figure_ending(arguments.output);  // before any work
    const PictureSize size = parse_size(arguments.size);
    const plot::ExportOptions picture{
        .width_px = size.width,
        .height_px = size.height,
        .scale = arguments.scale,
        .theme = plot::theme_by_name(arguments.theme),
        .ground = enum_value<plot::Ground>(arguments.ground).value(),
        .with_title = !arguments.no_title,
        .letters = enum_value<plot::Letters>(arguments.letters).value()};
    const plot::Look look = look_of(arguments);
    Scene scene = scene_from(options);
    if (arguments.view) {
        scene.view = figures::view_by_id(*arguments.view).id;
    }
    const std::unique_ptr<Engine> engine = engine_from(options);
    const plot::Figure figure = [&] {
        ProgressLine line("figure");
        return figures::make_figure(scene, *engine, {.progress = std::ref(line)});
    }();
    plot::require_applies(look, figure);
    write_file_whole(arguments.output,
                     plot::figure_file(plot::as_seen(figure, look), arguments.output, picture));
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
                 .text =
                     "A name that ends in .png, .svg, .pdf, .csv (its numbers) or .txt (in words)",
                 .required = true},
                {.names = "--size",
                 .target = &arguments->size,
                 .type = "WxH",
                 .text = "Size of the picture in units (default 1200x800)"},
                {.names = "--scale",
                 .target = &arguments->scale,
                 .type = "NUMBER",
                 .text = "Pixels per unit of a PNG (default 1)"},
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
  ropescope figure table --set position_count=32 -o table.csv)"};
}

}  // namespace ropescope::cli
