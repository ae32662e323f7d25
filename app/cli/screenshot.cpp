// `ropescope screenshot`: draws the whole window into a picture, without a display.
#include "app/headless/screenshot.h"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

#include "app/cli/engines.h"
#include "app/cli/output.h"
#include "app/cli/picture_options.h"
#include "app/figures/view.h"
#include "app/gui/state/regions.h"
#include "app/headless/egl_context.h"
#include "app/lessons/lesson.h"
#include "app/plot/picture_layout.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/parse_list.h"
#include "core/base/write_file.h"
#include "core/base/write_folder.h"

namespace ropescope::cli {
namespace {

struct ScreenshotArguments {
    std::string view;
    bool all = false, present = false;
    std::string lesson;
    std::int64_t step = 1;
    bool step_given = false;
    std::string size = "1600x1000";
    double scale = 1;
    std::string themes = "dark";
    std::string output;
};

struct Job {
    std::string shown;  ///< the view, or the lesson
    std::string theme;
};

struct Plan {
    std::vector<Job> jobs;
    bool into_folder;
};

/// Whether the path names one picture. Any other path is a folder.
bool is_picture_file(const std::filesystem::path& path) {
    if (path.empty()) {
        throw InputError("-o: the name is empty; give a name that ends in .png, or a folder");
    }
    if (path_kind(path) == PathKind::folder) {
        return false;
    }
    if (path.has_extension() && path.extension() != ".png") {
        throw InputError(fmt::format(
            "-o: {} ends in {}; pictures of the window are .png, and a folder has no ending",
            in_quotes(path.string()), in_quotes(path.extension().string())));
    }
    return path.extension() == ".png";
}

/// Which pictures are drawn, and whether they become VIEW-THEME.png or LESSON-THEME.png in a
/// folder: a single one may have a name of its own that ends in .png.
Plan plan(const ScreenshotArguments& arguments, const Scene& scene) {
    std::vector<std::string> shown;
    if (!arguments.lesson.empty()) {
        shown.push_back(arguments.lesson);
    } else if (arguments.all) {
        for (const figures::View& view : figures::views()) {
            shown.push_back(view.id);
        }
    } else {
        shown.push_back(arguments.view.empty() ? scene.view : arguments.view);
        figures::view_by_id(shown.front());
    }
    const std::vector<std::string_view> themes = split_list(arguments.themes);
    const bool one = shown.size() * themes.size() == 1 && !arguments.all;
    const std::filesystem::path output(arguments.output);
    const bool file = is_picture_file(output);
    if (file && !one) {
        throw InputError(
            fmt::format("-o: {} is one file, but {} pictures would be written; give a folder",
                        arguments.output, shown.size() * themes.size()));
    }
    Plan plan{.jobs = {}, .into_folder = !file};
    for (const std::string& each : shown) {
        for (const std::string_view theme : themes) {
            plot::theme_by_name(theme);
            plan.jobs.push_back({each, std::string(theme)});
        }
    }
    return plan;
}

/// Which step of the lesson is opened, from 0. Throws InputError if there is no such step.
std::size_t lesson_step(const ScreenshotArguments& arguments) {
    if (arguments.lesson.empty()) {
        if (arguments.step_given) {
            throw InputError("--step: only a lesson has steps; name it by --lesson");
        }
        return 0;
    }
    const lessons::Lesson& lesson = lessons::lesson_by_id(arguments.lesson);
    const auto steps = std::ssize(lesson.steps);
    if (arguments.step < 1 || arguments.step > steps) {
        throw InputError(fmt::format("--step: lesson {} has no step {}; give a number from 1 to {}",
                                     lesson.id, arguments.step, steps));
    }
    return static_cast<std::size_t>(arguments.step - 1);
}

/// The size of the window. Throws InputError for a size below the smallest window.
plot::PictureSize window_size(const ScreenshotArguments& arguments) {
    const plot::PictureSize size = plot::parse_picture_size("--size", arguments.size);
    if (size.width < gui::kLeastWidth || size.height < gui::kLeastHeight) {
        throw InputError(fmt::format(
            "--size: {} is smaller than the smallest window, {}x{}; `ropescope figure` draws "
            "smaller pictures",
            arguments.size, gui::kLeastWidth, gui::kLeastHeight));
    }
    return size;
}

int run(const ScreenshotArguments& arguments, const GlobalOptions& options) {
    if (int{arguments.all} + int{!arguments.view.empty()} + int{!arguments.lesson.empty()} != 1) {
        throw InputError(
            "screenshot: give one view, --all for every view, or --lesson; for example `ropescope "
            "screenshot rotation -o rotation.png`");
    }
    const std::size_t step = lesson_step(arguments);
    Scene scene = scene_from(options);
    const plot::PictureSize size = window_size(arguments);
    const auto [jobs, into_folder] = plan(arguments, scene);
    headless::require_device();  // before engine_from() says anything about engines
    const std::unique_ptr<Engine> engine = engine_from(options);
    std::optional<FolderUnderWay> folder;
    if (into_folder) {
        folder.emplace(arguments.output);
    }
    for (const Job& job : jobs) {
        if (arguments.lesson.empty()) {
            scene.view = job.shown;
        }
        const headless::Image image = [&] {
            ProgressLine line("screenshot");
            return headless::screenshot(scene, *engine,
                                        {.width = static_cast<int>(std::lround(size.width)),
                                         .height = static_cast<int>(std::lround(size.height)),
                                         .scale = arguments.scale,
                                         .theme = job.theme,
                                         .present = arguments.present,
                                         .lesson = arguments.lesson,
                                         .step = step,
                                         .progress = std::ref(line)});
        }();
        const std::string png = headless::encode_png(image);
        if (folder) {
            folder->write(fmt::format("{}-{}.png", job.shown, job.theme), png);
        } else {
            write_file_whole(arguments.output, png);
        }
    }
    if (folder) {
        folder->publish();
    }
    return 0;
}

}  // namespace

Command screenshot_command(GlobalOptions& options) {
    const auto arguments = std::make_shared<ScreenshotArguments>();
    return {
        .name = "screenshot",
        .text = "Draw the whole window into a picture, without a display",
        .options =
            {
                {.names = "view",
                 .target = &arguments->view,
                 .type = "VIEW",
                 .text = "The view, for example rotation"},
                {.names = "--all", .target = &arguments->all, .text = "Every view"},
                {.names = "--size",
                 .target = &arguments->size,
                 .type = "WxH",
                 .text = "Size of the window in units (default 1600x1000)"},
                {.names = "--scale",
                 .target = &arguments->scale,
                 .type = "NUMBER",
                 .text = "Pixels per unit, 0.5 to 8 (default 1)"},
                {.names = "--theme",
                 .target = &arguments->themes,
                 .type = "THEME,...",
                 .text = "Comma-separated: dark, light, projector (default dark)"},
                {.names = "--present",
                 .target = &arguments->present,
                 .text = "The figure alone, as F5 shows it in a lecture hall"},
                {.names = "--lesson",
                 .target = &arguments->lesson,
                 .type = "NAME",
                 .text = "Instead of a view: a step of this lesson"},
                {.names = "--step",
                 .target = &arguments->step,
                 .type = "NUMBER",
                 .text = "Which step of it, from 1 (default 1)",
                 .given = &arguments->step_given},
                {.names = "-o,--output",
                 .target = &arguments->output,
                 .type = "PATH",
                 .text = "One picture: a name that ends in .png; else a folder for VIEW-THEME.png",
                 .required = true},
            },
        .run = [arguments, &options] { return run(*arguments, options); },
        .reads = options_of_pictures(),
        .footer = R"(Examples:
  ropescope screenshot rotation -o rotation.png
  ropescope screenshot attention --present --theme projector --size 1280x720 -o attention.png
  ropescope screenshot --lesson one-pair --step 3 --theme projector -o step.png
  ropescope screenshot --all --theme light,dark -o pictures)"};
}

}  // namespace ropescope::cli
