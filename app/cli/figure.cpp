// `ropescope figure`: one figure as a picture, as its numbers or as words.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "app/cli/engines.h"
#include "app/cli/output.h"
#include "app/cli/picture_options.h"
#include "app/figures/view.h"
#include "app/lessons/lesson_checks.h"
#include "app/pages/page.h"
#include "app/plot/export_settings.h"
#include "app/plot/figure_file.h"
#include "app/plot/look.h"
#include "app/plot/render_figure.h"
#include "core/base/error.h"
#include "core/base/write_file.h"

namespace ropescope::cli {
namespace {

struct FigureArguments {
    std::optional<std::string> view;
    std::string output;
    std::string panel;
    std::vector<std::string> ranges, hidden;
    std::string vary;
    /// Of each of plot::export_settings(), in their order.
    struct Given {
        std::optional<std::string> value;
        bool on = false;  ///< of a switch
    };
    std::vector<Given> given = std::vector<Given>(plot::export_settings().size());
};

plot::ExportValues values_of(const FigureArguments& arguments) {
    plot::ExportValues values;
    for (std::size_t i = 0; i < arguments.given.size(); ++i) {
        const FigureArguments::Given& given = arguments.given[i];
        if (given.on || given.value) {
            values[plot::export_settings()[i].option] = given.value.value_or("");
        }
    }
    if (values.contains("--scale") && values.contains("--dpi")) {
        throw InputError(
            "figure: --scale and --dpi both say how many pixels a PNG has; give one of them");
    }
    return values;
}

plot::Look look_of(const FigureArguments& arguments) {
    plot::Look look;
    for (const std::string& range : arguments.ranges) {
        plot::add_range(look, range);
    }
    look.hidden.insert(arguments.hidden.begin(), arguments.hidden.end());
    look.panel = arguments.panel;
    return look;
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
                          const plot::ExportValues& values) {
    const std::vector<std::string> parts = plot::left_out(figure, picture);
    if (!parts.empty()) {
        fmt::print(stderr, "figure: at {} there is no room for {}; a larger --size shows it\n",
                   values.contains("--size") ? values.at("--size") : "the usual size",
                   fmt::join(parts, ", "));
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
    const plot::ExportOptions picture = plot::with_values({}, values_of(arguments));
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
        say_what_is_left_out(seen, picture, values_of(arguments));
    }
    return 0;
}

/// What says how the picture is written.
std::vector<Option> picture_options(FigureArguments& arguments) {
    std::vector<Option> options;
    for (std::size_t i = 0; i < arguments.given.size(); ++i) {
        const plot::ExportSetting& setting = plot::export_settings()[i];
        FigureArguments::Given& given = arguments.given[i];
        options.push_back({.names = setting.option,
                           .target = setting.is_switch() ? OptionTarget(&given.on) : &given.value,
                           .type = setting.type,
                           .text = setting.text,
                           .choices = setting.values});
    }
    return options;
}

}  // namespace

Command figure_command(GlobalOptions& options) {
    const auto arguments = std::make_shared<FigureArguments>();
    std::vector<Option> all = {
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
        {.names = "--panel",
         .target = &arguments->panel,
         .type = "PANEL",
         .text = "Draw this panel alone"},
        {.names = "--range",
         .target = &arguments->ranges,
         .type = "PANEL=X0:X1,Y0:Y1",
         .text = "Show this part of a panel; repeatable"},
        {.names = "--hide",
         .target = &arguments->hidden,
         .type = "NAME",
         .text = "Leave out the lines of this name in the legend; repeatable"},
    };
    std::ranges::move(picture_options(*arguments), std::back_inserter(all));
    return {.name = "figure",
            .text = "Draw one figure (png, svg, pdf, csv or txt)",
            .options = std::move(all),
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
