// `ropescope record`: a figure while one parameter changes, as an animation or as its frames.
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "app/cli/engines.h"
#include "app/cli/output.h"
#include "app/cli/picture_options.h"
#include "app/figures/view.h"
#include "app/lessons/lesson_checks.h"
#include "app/pages/png.h"
#include "app/pages/variation.h"
#include "app/plot/picture_layout.h"
#include "app/plot/render_figure.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/parse_list.h"
#include "core/base/write_file.h"

namespace ropescope::cli {
namespace {

namespace fs = std::filesystem;

enum class Kind { apng, gif, mp4, folder };

Kind kind_of(const fs::path& path) {
    const std::string ending = lower_case(path.extension().string());
    if (ending == ".apng") {
        return Kind::apng;
    }
    if (ending == ".gif") {
        return Kind::gif;
    }
    if (ending == ".mp4") {
        return Kind::mp4;
    }
    if (ending.empty()) {
        return Kind::folder;
    }
    throw InputError(path.string() +
                     " does not say its format; end the name in .apng, .gif or .mp4, or give a "
                     "new folder without an ending");
}

/// The first program of the name in PATH.
std::optional<fs::path> program(const std::string& name) {
    const char* path = std::getenv("PATH");
    for (const std::string_view folder : split_list(path == nullptr ? "" : path, ':')) {
        const fs::path file = fs::path(folder) / name;
        if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) {
            return file;
        }
    }
    return std::nullopt;
}

/// A folder of its own that is removed with everything in it.
class WorkFolder {
  public:
    /// In the folder `beside`, so that it can be renamed to a name there.
    explicit WorkFolder(const fs::path& beside) {
        std::string name = (beside / ".ropescope-frames-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) {
            throw InputError(fmt::format("{}: no folder can be made there: {}", beside.string(),
                                         std::strerror(errno)));
        }
        path_ = name;
    }
    ~WorkFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;

    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

void write_frames(const fs::path& folder, const std::vector<std::string>& frames) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
        write_file_whole(folder / fmt::format("frame-{:05}.png", i), frames[i]);
    }
}

void run_ffmpeg(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), program("ffmpeg").value().string());
    std::vector<char*> argv;
    for (std::string& argument : arguments) {
        argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    pid_t child = 0;
    const int error =
        ::posix_spawn(&child, arguments.front().c_str(), nullptr, nullptr, argv.data(), environ);
    if (error != 0) {
        throw CapabilityError(
            fmt::format("record: ffmpeg cannot be started: {}", std::strerror(error)));
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        throw CapabilityError(
            "record: ffmpeg could not make the animation, for the reason above; give a name that "
            "ends in .apng, which needs no ffmpeg");
    }
}

void write_by_ffmpeg(const fs::path& path, Kind kind, const std::vector<std::string>& frames,
                     int frames_per_second) {
    const WorkFolder folder(fs::temp_directory_path());
    write_frames(folder.path(), frames);
    const fs::path made = folder.path() / (kind == Kind::gif ? "made.gif" : "made.mp4");
    std::vector<std::string> arguments = {
        "-v",         "error",
        "-framerate", std::to_string(frames_per_second),
        "-i",         (folder.path() / "frame-%05d.png").string()};
    // A palette for all frames of a gif; for mp4 even sides and the colours that players know.
    const std::vector<std::string> of_kind =
        kind == Kind::gif
            ? std::vector<std::string>{"-filter_complex",
                                       "split[a][b];[a]palettegen[p];[b][p]paletteuse"}
            : std::vector<std::string>{"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt",
                                       "yuv420p"};
    arguments.insert(arguments.end(), of_kind.begin(), of_kind.end());
    arguments.push_back(made.string());
    run_ffmpeg(std::move(arguments));
    write_file_whole(path, read_file(made));
}

fs::path folder_beside(const fs::path& path) {
    const fs::path whole = fs::absolute(path).lexically_normal();
    return whole.has_filename() ? whole.parent_path() : whole.parent_path().parent_path();
}

void write_folder(const fs::path& path, const std::vector<std::string>& frames) {
    WorkFolder folder(folder_beside(path));
    write_frames(folder.path(), frames);
    fs::permissions(folder.path(), fs::perms::owner_all | fs::perms::group_read |
                                       fs::perms::group_exec | fs::perms::others_read |
                                       fs::perms::others_exec);
    std::error_code error;
    fs::rename(folder.path(), path, error);
    if (error) {
        throw InputError(fmt::format("{}: cannot be written: {}", path.string(), error.message()));
    }
}

void require_animation(const fs::path& path) {
    const Kind kind = kind_of(path);
    if (kind == Kind::folder && path_kind(path) != PathKind::nothing) {
        throw InputError(path.string() + " exists; give the name of a new folder for the frames");
    }
    if ((kind == Kind::gif || kind == Kind::mp4) && !program("ffmpeg")) {
        throw CapabilityError(
            fmt::format("record: ffmpeg, which makes {} files, is not in PATH; install the package "
                        "ffmpeg, or give a name that ends in .apng",
                        path.extension().string()));
    }
}

/// Writes the frames, each the bytes of a PNG of the same size, whole or not at all.
void write_animation(const fs::path& path, const std::vector<std::string>& frames,
                     int frames_per_second) {
    const Kind kind = kind_of(path);
    switch (kind) {
        case Kind::apng:
            return write_file_whole(path, pages::animated_png(frames, 1000 / frames_per_second));
        case Kind::folder:
            return write_folder(path, frames);
        default:
            return write_by_ffmpeg(path, kind, frames, frames_per_second);
    }
}

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

std::vector<std::string> draw_frames(const Scene& scene, const pages::Variation& variation,
                                     Engine& engine, const plot::ExportOptions& picture) {
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
    const plot::ExportOptions picture{.width_px = size.width,
                                      .height_px = size.height,
                                      .scale = arguments.scale,
                                      .theme = plot::theme_by_name(arguments.theme)};
    Scene scene = scene_from(options);
    if (arguments.view) {
        scene.view = figures::view_by_id(*arguments.view).id;
    }
    const pages::Variation variation = pages::parse_variation(arguments.vary, kMostFrames);
    const std::unique_ptr<Engine> engine = engine_from(options);
    write_animation(arguments.output, draw_frames(scene, variation, *engine, picture),
                    static_cast<int>(arguments.rate));
    return 0;
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
