// Reads and writes the progress of lessons.
#include "app/gui/state/lesson_file.h"

#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/json_object.h"

namespace ropescope::gui {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kVersionKey = "ropescope_lessons";
constexpr int kVersion = 1;
constexpr std::size_t kMostBytes = 1 << 16;

std::string text_of(const LessonRun& run) {
    const Json json = {{kVersionKey, kVersion}, {"steps_done", run.progress}};
    return json.dump(2) + "\n";
}

/// Throws InputError or a JSON exception if the file is not one of ours.
std::map<std::string, std::size_t> progress_of(const fs::path& path) {
    const Json json =
        parse_json_object(read_file(path, kMostBytes, Allowed::regular_file), path.string());
    if (json.at(kVersionKey) != kVersion) {
        throw InputError("another version");
    }
    std::map<std::string, std::size_t> progress;
    for (const auto& [lesson, steps] : json.at("steps_done").items()) {
        progress[lesson] = steps.get<std::size_t>();
    }
    return progress;
}

}  // namespace

fs::path lesson_file_beside(const fs::path& preferences) {
    return preferences.empty() ? preferences : preferences.parent_path() / "lessons.json";
}

void LessonFile::load(LessonRun& run) {
    if (path_.empty()) {
        return;
    }
    std::error_code error;
    if (!fs::exists(path_, error)) {
        run.offered = !error;
        return;
    }
    try {
        run.progress = progress_of(path_);
        written_ = text_of(run);
    } catch (const std::exception&) {
        fs::rename(path_, fs::path(path_) += ".broken", error);
    }
}

std::string LessonFile::save(const LessonRun& run) {
    std::string text = text_of(run);
    if (path_.empty() || failed_ || text == written_) {
        return "";
    }
    try {
        fs::create_directories(path_.parent_path());
        write_file_whole(path_, text);
        written_ = std::move(text);
        return "";
    } catch (const std::exception& reason) {
        failed_ = true;
        return std::string("the progress of lessons cannot be kept: ") + reason.what();
    }
}

}  // namespace ropescope::gui
