// Reads, merges and writes the files that windows share, under a lock of their folder.
#include "app/gui/state/shared_file.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <sys/file.h>
#include <system_error>
#include <thread>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/json_object.h"

namespace ropescope::gui {
namespace {

namespace fs = std::filesystem;
using SharedJson = nlohmann::json;

/// Holds the folder, without a file of its own, which would stay behind. A window that was stopped,
/// or a file system without locks, keeps nobody from writing: after the moment below the last to
/// write wins, as it did before there was a lock.
class FolderLock {
  public:
    explicit FolderLock(const fs::path& folder)
        : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
        using namespace std::chrono_literals;
        constexpr auto kMoment = 500ms, kBetween = 5ms;
        auto waited = 0ms;
        while (folder_.get() >= 0 && ::flock(folder_.get(), LOCK_EX | LOCK_NB) != 0 &&
               errno == EWOULDBLOCK && waited < kMoment) {
            std::this_thread::sleep_for(kBetween);
            waited += kBetween;
        }
    }

  private:
    Descriptor folder_;  // closing it gives the lock back
};

/// Keeps the file for its owner to look at, under a name that is free. Empty if it cannot be.
std::optional<fs::path> set_aside(const fs::path& file) {
    constexpr int kMostAside = 1000;
    for (int number = 1; number <= kMostAside; ++number) {
        const fs::path aside =
            file.string() + (number == 1 ? ".broken" : fmt::format(".broken-{}", number));
        std::error_code failed;
        if (!fs::exists(fs::symlink_status(aside, failed))) {
            fs::rename(file, aside, failed);
            return failed ? std::nullopt : std::optional(aside);
        }
    }
    return std::nullopt;
}

struct SharedContents {
    SharedJson object = {};   ///< null if there is none of ours
    std::string remark = {};  ///< what was wrong with the file
    bool in_the_way = false;  ///< it is still there, and must not be written over
};

SharedContents contents_of(const SharedFile& file) {
    try {
        if (path_kind(file.path) == PathKind::nothing) {
            return {};
        }
        SharedContents contents;
        contents.object = parse_json_object(
            read_file(file.path, file.most_bytes, Allowed::regular_file), file.path.string());
        file.check(contents.object);
        return contents;
    } catch (const std::exception&) {
        const std::optional<fs::path> aside = set_aside(file.path);
        return {.remark = aside ? fmt::format("{} cannot be read; it is now {}", file.path.string(),
                                              aside->string())
                                : fmt::format("{} cannot be read; the window does without it",
                                              file.path.string()),
                .in_the_way = !aside};
    }
}

}  // namespace

std::string read_shared(const SharedFile& file, const TakeObject& take) {
    if (file.path.empty()) {
        return "";
    }
    const FolderLock lock(file.path.parent_path());
    const SharedContents contents = contents_of(file);
    if (!contents.object.is_null()) {
        take(contents.object);
    }
    return contents.remark;
}

std::string update_shared(const SharedFile& file, const MergeObject& merge) {
    if (file.path.empty()) {
        return "";
    }
    try {
        std::error_code failed;
        fs::create_directories(file.path.parent_path(), failed);
        const FolderLock lock(file.path.parent_path());
        const SharedContents contents = contents_of(file);
        if (contents.in_the_way) {
            return contents.remark;
        }
        const SharedJson merged = merge(contents.object);
        if (merged != contents.object) {
            write_file_whole(
                file.path, merged.dump(2, ' ', false, SharedJson::error_handler_t::replace) + "\n");
        }
        return "";
    } catch (const std::exception& refused) {
        return refused.what();
    }
}

}  // namespace ropescope::gui
