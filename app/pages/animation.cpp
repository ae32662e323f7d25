// Writes animations, and folders of frames.
#include "app/pages/animation.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <spawn.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "app/pages/png.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/parse_list.h"
#include "core/base/removed_at_end.h"
#include "core/base/write_file.h"

namespace ropescope::pages {
namespace {

namespace fs = std::filesystem;

using GoOn = std::function<void()>;

constexpr const char* kFrames = ".ropescope-frames-";

enum class Kind { apng, gif, mp4, folder };

Kind kind_of(const fs::path& path) {
    const std::string ending = lower_case(path.extension().string());
    constexpr std::array<std::pair<std::string_view, Kind>, 4> kKinds = {
        {{".apng", Kind::apng}, {".gif", Kind::gif}, {".mp4", Kind::mp4}, {"", Kind::folder}}};
    const auto* const found =
        std::ranges::find(kKinds, ending, &std::pair<std::string_view, Kind>::first);
    if (found != kKinds.end()) {
        return found->second;
    }
    throw InputError(path.string() +
                     " does not say its format; end the name in .apng, .gif or .mp4, or give a "
                     "new folder without an ending");
}

/// The first program of the name in PATH.
std::optional<fs::path> program(const std::string& name) {
    const char* path = std::getenv("PATH");
    for (const std::string_view folder : split(path == nullptr ? "" : path, ':')) {
        const fs::path file = fs::path(folder) / name;
        if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) {
            return file;
        }
    }
    return std::nullopt;
}

void write_frames(const fs::path& folder, const std::vector<std::string>& frames,
                  const GoOn& go_on) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
        go_on();
        write_file_whole(folder / fmt::format("frame-{:05}.png", i), frames[i]);
    }
}

/// What a child process is started with: an empty standard input, since ours belongs to the program
/// that started us, and no signal held back, though ours are.
class ChildSettings {
  public:
    ChildSettings() {
        posix_spawn_file_actions_init(&files_);
        posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawnattr_init(&attributes_);
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
    }
    ~ChildSettings() {
        posix_spawn_file_actions_destroy(&files_);
        posix_spawnattr_destroy(&attributes_);
    }
    ChildSettings(const ChildSettings&) = delete;
    ChildSettings& operator=(const ChildSettings&) = delete;

    const posix_spawn_file_actions_t* files() const { return &files_; }
    const posix_spawnattr_t* attributes() const { return &attributes_; }

  private:
    posix_spawn_file_actions_t files_ = {};
    posix_spawnattr_t attributes_ = {};
};

/// Waits for the child; if `go_on` throws, ends the child and throws that.
int status_of(pid_t child, const GoOn& go_on) {
    constexpr std::chrono::milliseconds kLookAgain{20};  // for its end, which no descriptor tells
    int status = 0;
    while (true) {
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR)) {
            return status;
        }
        try {
            go_on();
        } catch (...) {
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
            throw;
        }
        std::this_thread::sleep_for(kLookAgain);
    }
}

void run_ffmpeg(std::vector<std::string> arguments, const GoOn& go_on) {
    arguments.insert(arguments.begin(), program("ffmpeg").value().string());
    std::vector<char*> argv;
    for (std::string& argument : arguments) {
        argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    const ChildSettings settings;
    pid_t child = 0;
    const int error = ::posix_spawn(&child, arguments.front().c_str(), settings.files(),
                                    settings.attributes(), argv.data(), environ);
    if (error != 0) {
        throw CapabilityError(
            fmt::format("record: ffmpeg cannot be started: {}", std::strerror(error)));
    }
    const int status = status_of(child, go_on);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        throw CapabilityError(
            "record: ffmpeg could not make the animation, for the reason above; give a name that "
            "ends in .apng, which needs no ffmpeg");
    }
}

void write_by_ffmpeg(const fs::path& path, Kind kind, const std::vector<std::string>& frames,
                     int frames_per_second, const GoOn& go_on) {
    const TemporaryFolder folder(temporary_folder() / kFrames, S_IRWXU);
    write_frames(folder.path(), frames, go_on);
    const fs::path made = folder.path() / (kind == Kind::gif ? "made.gif" : "made.mp4");
    std::vector<std::string> arguments = {"-nostdin",
                                          "-v",
                                          "error",
                                          "-framerate",
                                          std::to_string(frames_per_second),
                                          "-i",
                                          (folder.path() / "frame-%05d.png").string()};
    // A palette for all frames of a gif; for mp4 even sides and the colours that players know.
    const std::vector<std::string> of_kind =
        kind == Kind::gif
            ? std::vector<std::string>{"-filter_complex",
                                       "split[a][b];[a]palettegen[p];[b][p]paletteuse"}
            : std::vector<std::string>{"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt",
                                       "yuv420p"};
    arguments.insert(arguments.end(), of_kind.begin(), of_kind.end());
    arguments.push_back(made.string());
    run_ffmpeg(std::move(arguments), go_on);
    write_file_whole(path, read_file(made));
}

fs::path folder_beside(const fs::path& path) {
    const fs::path whole = whole_path(path);
    return whole.has_filename() ? whole.parent_path() : whole.parent_path().parent_path();
}

void write_folder(const fs::path& path, const std::vector<std::string>& frames, const GoOn& go_on) {
    TemporaryFolder folder(folder_beside(path) / kFrames, mode_t{0777}, path);
    write_frames(folder.path(), frames, go_on);
    if (!folder.publish(path)) {
        throw InputError(path.string() + " was made by another run; give the name of a new folder");
    }
}

}  // namespace

void require_animation(const fs::path& path) {
    const Kind kind = kind_of(path);
    if (kind == Kind::folder && path_kind(path) != PathKind::nothing) {
        throw InputError(path.string() + " exists; give the name of a new folder for the frames");
    }
    if (kind == Kind::folder) {
        refuse_dangling_link(path, path);
    }
    if ((kind == Kind::gif || kind == Kind::mp4) && !program("ffmpeg")) {
        throw CapabilityError(
            fmt::format("record: ffmpeg, which makes {} files, is not in PATH; install the package "
                        "ffmpeg, or give a name that ends in .apng",
                        path.extension().string()));
    }
}

void write_animation(const fs::path& path, const std::vector<std::string>& frames,
                     int frames_per_second, const GoOn& go_on) {
    const Kind kind = kind_of(path);
    switch (kind) {
        case Kind::apng:
            return write_file_whole(path, animated_png(frames, 1000 / frames_per_second));
        case Kind::folder:
            return write_folder(path, frames, go_on);
        default:
            return write_by_ffmpeg(path, kind, frames, frames_per_second, go_on);
    }
}

}  // namespace ropescope::pages
