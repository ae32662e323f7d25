// `ropescope screenshot`: the whole window as a picture, without a display.
#include "app/headless/screenshot.h"

#include <filesystem>
#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/picture_size.h"
#include "app/figures/view.h"
#include "app/gui/toolkit/regions.h"
#include "app/headless/egl_context.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/printable.h"

namespace ropescope::cli {
namespace {

struct ScreenshotArguments {
    std::string view;
    bool all = false;
    std::string size = "1600x1000";
    double scale = 1;
    std::string themes = "dark";
    std::string output;
};

struct Job {
    std::string view, theme;
    std::filesystem::path path;
};

/// The words between the commas; an empty one stays, to be refused by name.
std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> words(1);
    for (const char c : list) {
        if (c == ',') {
            words.emplace_back();
        } else {
            words.back() += c;
        }
    }
    return words;
}

/// Whether the path names one picture; otherwise it is a folder.
bool is_picture_file(const std::filesystem::path& path) {
    if (path.empty()) {
        throw InputError("-o: the name is empty; give a name that ends in .png, or a folder");
    }
    if (std::filesystem::is_directory(path)) {
        return false;
    }
    if (path.has_extension() && path.extension() != ".png") {
        throw InputError(fmt::format(
            "-o: {} ends in {}; pictures of the window are .png, and a folder has no ending",
            in_quotes(path.string()), in_quotes(path.extension().string())));
    }
    return path.extension() == ".png";
}

/// A single picture goes to a path that ends in .png; everything else to VIEW-THEME.png in a
/// folder.
std::vector<Job> plan(const ScreenshotArguments& arguments, const Scene& scene) {
    std::vector<std::string> views;
    if (arguments.all) {
        for (const figures::View& view : figures::views()) {
            views.push_back(view.id);
        }
    } else {
        views.push_back(arguments.view.empty() ? scene.view : arguments.view);
        figures::view_by_id(views.front());
    }
    const std::vector<std::string> themes = split(arguments.themes);
    const bool one = views.size() * themes.size() == 1 && !arguments.all;
    const std::filesystem::path output(arguments.output);
    const bool file = is_picture_file(output);
    if (file && !one) {
        throw InputError(
            fmt::format("-o: {} is one file, but {} pictures are to be made; give a folder",
                        arguments.output, views.size() * themes.size()));
    }
    std::vector<Job> jobs;
    for (const std::string& view : views) {
        for (const std::string& theme : themes) {
            plot::theme_by_name(theme);
            jobs.push_back(
                {view, theme, file ? output : output / fmt::format("{}-{}.png", view, theme)});
        }
    }
    return jobs;
}

int run(const ScreenshotArguments& arguments, const GlobalOptions& options) {
    if (arguments.all == !arguments.view.empty()) {
        throw InputError(
            "screenshot: give one view, or --all for every view; for example `ropescope screenshot "
            "rotation -o rotation.png`");
    }
    Scene scene = scene_from(options);
    const auto [width, height] = parse_size(arguments.size);
    if (width < gui::kLeastWidth || height < gui::kLeastHeight) {
        throw InputError(fmt::format(
            "--size: {} is smaller than the smallest window, {}x{}; `ropescope figure` draws "
            "smaller pictures",
            arguments.size, gui::kLeastWidth, gui::kLeastHeight));
    }
    const std::vector<Job> jobs = plan(arguments, scene);
    headless::require_device();  // before engine_from() says anything about engines
    const std::unique_ptr<Engine> engine = engine_from(options);
    if (!is_picture_file(arguments.output)) {
        std::error_code ignored;  // writing the first file says what is wrong
        std::filesystem::create_directory(arguments.output, ignored);
    }
    for (const Job& job : jobs) {
        scene.view = job.view;
        const headless::Image image = headless::screenshot(
            scene, *engine,
            {.width = width, .height = height, .scale = arguments.scale, .theme = job.theme});
        write_file_whole(job.path, headless::encode_png(image));
    }
    return 0;
}

}  // namespace

Command add_screenshot(CLI::App& parent, GlobalOptions& options) {
    CLI::App* app = parent.add_subcommand(
        "screenshot", "Draws the whole window into a picture, without a display");
    const auto arguments = std::make_shared<ScreenshotArguments>();
    app->add_option("view", arguments->view, "The view, for example rotation")->type_name("VIEW");
    app->add_flag("--all", arguments->all, "Every view");
    app->add_option("--size", arguments->size, "Size of the window in units (default 1600x1000)")
        ->type_name("WxH");
    app->add_option("--scale", arguments->scale, "Pixels per unit, 0.5 to 8 (default 1)");
    app->add_option("--theme", arguments->themes,
                    "Comma-separated: dark, light, projector (default dark)")
        ->type_name("THEME,...");
    app->add_option("-o,--output", arguments->output,
                    "One picture: a name that ends in .png; else a folder for VIEW-THEME.png")
        ->type_name("PATH")
        ->required();
    return {app, [&options, arguments] { return run(*arguments, options); }, kPictureOptions};
}

}  // namespace ropescope::cli
