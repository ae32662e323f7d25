// `ropescope record`: a figure while one parameter changes, as an animation or as its frames.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/engines.h"
#include "app/cli/held_signals.h"
#include "app/cli/output.h"
#include "app/cli/picture_options.h"
#include "app/figures/view.h"
#include "app/pages/animation.h"
#include "app/pages/recording.h"
#include "app/plot/picture_layout.h"
#include "core/base/error.h"

namespace ropescope::cli {
namespace {

struct RecordArguments {
    std::optional<std::string> view;
    std::string vary, output;
    std::string size = "960x640";
    double scale = 1;
    std::string theme = "light";
    std::int64_t rate = pages::kRecordedPerSecond;
    std::optional<int> steps;
};

int run(const RecordArguments& arguments, const GlobalOptions& options) {
    if (arguments.rate < 1 || arguments.rate > 100) {
        throw InputError(fmt::format(
            "--rate: {} frames per second are out of range; give a whole number from 1 to 100",
            arguments.rate));
    }
    pages::require_animation(arguments.output);  // before any work
    const plot::PictureSize size = plot::parse_picture_size("--size", arguments.size);
    Scene scene = scene_from(options);
    if (arguments.view) {
        scene.view = figures::view_by_id(*arguments.view).id;
    }
    const pages::Recording recording{
        .scene = scene,
        .variation = pages::parse_variation(arguments.vary, pages::kMostRecorded),
        .steps = arguments.steps.value_or(1),
        .picture = {.width_px = size.width,
                    .height_px = size.height,
                    .scale = arguments.scale,
                    .theme = plot::theme_by_name(arguments.theme)}};
    pages::require_recording(recording);
    if (const std::string cut = pages::what_is_cut(recording.variation); !cut.empty()) {
        tell(cut);
    }
    return with_held_signals([&](const HeldSignals& signals) {
        const std::unique_ptr<Engine> engine = engine_from(options);
        const std::vector<std::string> frames = [&] {
            ProgressLine line("record");
            return pages::recorded_frames(recording, *engine, [&](double done) {
                line(done);
                signals.throw_if_taken();
            });
        }();
        pages::write_animation(arguments.output, frames, static_cast<int>(arguments.rate),
                               [&] { signals.throw_if_taken(); });
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
                {.names = "--steps",
                 .target = &arguments->steps,
                 .type = "NUMBER",
                 .text = "Frames from one position to the next, with --vary position=FROM:TO in "
                         "the view rotation (default 1)"},
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
        .reads = options_of_pictures(),
        .footer = R"(Examples:
  ropescope record rotation --vary position=0:256 -o rotation.apng
  ropescope record rotation --vary position=0:24 --steps 8 -o slowly.apng
  ropescope record spectrum --vary base=100:1e7:60 --rate 10 -o spectrum.gif
  ropescope record decay --vary base=1e4,1e5,1e6 -o frames)"};
}

}  // namespace ropescope::cli
