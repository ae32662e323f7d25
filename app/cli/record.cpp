// `ropescope record`: a figure while one parameter changes, as an animation or as its frames.
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/animation.h"
#include "app/cli/engines.h"
#include "app/cli/held_signals.h"
#include "app/cli/output.h"
#include "app/cli/picture_options.h"
#include "app/figures/view.h"
#include "app/lessons/lesson_checks.h"
#include "app/pages/variation.h"
#include "app/plot/picture_layout.h"
#include "app/plot/render_figure.h"
#include "core/base/error.h"

namespace ropescope::cli {
namespace {

/// A minute at the usual rate, and 200 MB of frames at the usual size.
constexpr std::size_t kMostFrames = 1000;

struct RecordArguments {
    std::optional<std::string> view;
    std::string vary, output;
    std::string size = "960x640";
    double scale = 1;
    std::string theme = "light";
    std::int64_t rate = 15;
};

/// Throws Interrupted.
std::vector<std::string> draw_frames(const Scene& scene, const pages::Variation& variation,
                                     Engine& engine, const plot::ExportOptions& picture,
                                     const HeldSignals& signals) {
    ProgressLine line("record");
    figures::FigureCache cache;
    std::vector<std::string> frames;
    const std::size_t count = variation.values.size();
    for (std::size_t i = 0; i < count; ++i) {
        const plot::Figure figure =
            figures::make_figure(pages::varied(scene, variation, i), engine,
                                 {.cache = &cache, .more_checks = lessons::further_checks()});
        frames.push_back(plot::render_figure(figure, plot::ImageFormat::png, picture));
        line(static_cast<double>(i + 1) / static_cast<double>(count));
        signals.throw_if_taken();
    }
    return frames;
}

int run(const RecordArguments& arguments, const GlobalOptions& options) {
    if (arguments.rate < 1 || arguments.rate > 100) {
        throw InputError(fmt::format(
            "--rate: {} frames per second are out of range; give a whole number from 1 to 100",
            arguments.rate));
    }
    require_animation(arguments.output);  // before any work
    const plot::PictureSize size = plot::parse_picture_size("--size", arguments.size);
    const plot::ExportOptions picture{.width_px = std::round(size.width),
                                      .height_px = std::round(size.height),
                                      .scale = arguments.scale,
                                      .theme = plot::theme_by_name(arguments.theme)};
    Scene scene = scene_from(options);
    if (arguments.view) {
        scene.view = figures::view_by_id(*arguments.view).id;
    }
    const pages::Variation variation = pages::parse_variation(arguments.vary, kMostFrames);
    if (const std::string cut = pages::what_is_cut(variation); !cut.empty()) {
        tell(cut);
    }
    return with_held_signals([&](const HeldSignals& signals) {
        const std::unique_ptr<Engine> engine = engine_from(options);
        write_animation(arguments.output, draw_frames(scene, variation, *engine, picture, signals),
                        static_cast<int>(arguments.rate), signals);
        return 0;
    });
}

}  // namespace

Command record_command(GlobalOptions& options) {
    const auto arguments = std::make_shared<RecordArguments>();
    return {
        .name = "record",
        .text = "Record a figure while one parameter changes (apng, gif, mp4 or frames)",
        .options =
            {
                {.names = "view",
                 .target = &arguments->view,
                 .type = "VIEW",
                 .text = "The view (default: the scene's, rotation)"},
                {.names = "--vary",
                 .target = &arguments->vary,
                 .type = "NAME=FROM:TO",
                 .text = "What changes: a range with at most 1000 values (NAME=FROM:TO:COUNT for "
                         "another number of them) or NAME=VALUE,VALUE,...; position moves query "
                         "and key together",
                 .required = true},
                {.names = "-o,--output",
                 .target = &arguments->output,
                 .type = "FILE",
                 .text = "A name that ends in .apng, .gif or .mp4 (the last two need ffmpeg), or a "
                         "new folder for the frames as PNG",
                 .required = true},
                {.names = "--rate",
                 .target = &arguments->rate,
                 .type = "NUMBER",
                 .text = "Frames per second (default 15)"},
                {.names = "--size",
                 .target = &arguments->size,
                 .type = "WxH",
                 .text = "Size of the picture in units (default 960x640)"},
                {.names = "--scale",
                 .target = &arguments->scale,
                 .type = "NUMBER",
                 .text = "Pixels per unit (default 1)"},
                {.names = "--theme",
                 .target = &arguments->theme,
                 .type = "THEME",
                 .text = "light, dark or projector (default light)"},
            },
        .run = [arguments, &options] { return run(*arguments, options); },
        .reads = kPictureOptions,
        .footer = R"(Examples:
  ropescope record rotation --vary position=0:256 -o rotation.apng
  ropescope record spectrum --vary base=100:1e7:60 --rate 10 -o spectrum.gif
  ropescope record decay --vary base=1e4,1e5,1e6 -o frames)"};
}

}  // namespace ropescope::cli
