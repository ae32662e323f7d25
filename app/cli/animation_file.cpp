// Writes animations, and runs ffmpeg for the formats that it knows better.
#include "app/cli/animation_file.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "app/pages/png.h"
#include "core/base/ascii.h"
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

}  // namespace

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

}  // namespace ropescope::cli
