// `ropescope figure`: one figure as a picture, as its numbers or as words.
#include <algorithm>
#include <fmt/format.h>
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
    GivenSettings given = no_settings();
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
    if (const std::string cut = pages::what_is_cut(variation); !cut.empty()) {
        tell(cut);
    }
    const std::unique_ptr<Engine> engine = engine_from(options);
    const pages::FigurePage page = [&] {
        ProgressLine line("figure");
        return pages::figure_page(scene, variation, *engine, std::ref(line));
    }();
    if (!page.remark.empty()) {
        tell(page.remark);
    }
    write_file_whole(arguments.output, page.html);
    return 0;
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
    const plot::ExportOptions picture = plot::with_values({}, values_of("figure", arguments.given));
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
        tell_what_is_left_out("figure", seen, picture, arguments.given);
    }
    return 0;
}

std::string names_of_views() {
    std::vector<std::string> names;
    std::ranges::transform(figures::views(), std::back_inserter(names), &figures::View::id);
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Command figure_command(GlobalOptions& options) {
    const auto arguments = std::make_shared<FigureArguments>();
    std::vector<Option> all = {
        {.names = "view",
         .target = &arguments->view,
         .type = "VIEW",
         .text = "The view (default: the scene's, rotation): " + names_of_views()},
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
    std::ranges::move(setting_options(arguments->given), std::back_inserter(all));
    return {.name = "figure",
            .text = "Draw one figure (png, svg, pdf, csv or txt)",
            .options = std::move(all),
            .run = [arguments, &options] { return run(*arguments, options); },
            .reads = options_of_pictures(),
            .footer = R"(Examples:
  ropescope figure spectrum --set base=500000 -o spectrum.svg
  ropescope figure rotation --theme dark --size 1600x1000 --scale 2 -o rotation.png
  ropescope --scene lesson.json figure -o lesson.pdf
  ropescope figure table --set position_count=32 -o table.csv
  ropescope figure stretch --panel accuracy --size 84x60mm --bare --legend lines -o paper.pdf
  ropescope figure spectrum --vary base=100:1e7 -o spectrum.html)"};
}

}  // namespace ropescope::cli
