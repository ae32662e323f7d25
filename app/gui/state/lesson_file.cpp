// Reads and writes the progress of lessons.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "app/gui/state/lesson_run.h"
#include "app/gui/state/shared_file.h"
#include "core/base/error.h"

namespace ropescope::gui {
namespace {

namespace fs = std::filesystem;
using Progress = std::map<std::string, std::size_t>;

constexpr const char* kVersionKey = "ropescope_lessons";
constexpr const char* kStepsKey = "steps_done";
constexpr int kVersion = 1;

bool is_of_later_version(const nlohmann::json& object) {
    return object.at(kVersionKey).get<double>() > kVersion;
}

Progress progress_in(const nlohmann::json& object) {
    Progress progress;
    for (const auto& [lesson, steps] : object.at(kStepsKey).items()) {
        if (!steps.is_number_unsigned()) {
            throw InputError("a number of steps is not one");
        }
        progress[lesson] = steps.get<std::size_t>();
    }
    return progress;
}

/// A later version may keep progress in another way.
void check_progress(const nlohmann::json& object) {
    if (!is_of_later_version(object)) {
        progress_in(object);
    }
}

SharedFile shared_progress(const fs::path& path) {
    return {.path = path, .most_bytes = kMostLessonBytes, .check = check_progress};
}

/// Of each lesson the larger number of steps: a step that is done stays done.
Progress merged_progress(Progress own, const Progress& other) {
    for (const auto& [lesson, steps] : other) {
        own[lesson] = std::max(own[lesson], steps);
    }
    return own;
}

}  // namespace

fs::path lesson_file_beside(const fs::path& preferences) {
    return preferences.empty() ? preferences : preferences.parent_path() / "lessons.json";
}

std::string LessonFile::load(LessonRun& run) {
    std::error_code ignored;
    run.offered =
        !path_.empty() && fs::symlink_status(path_, ignored).type() == fs::file_type::not_found;
    return read_shared(shared_progress(path_), [&](const nlohmann::json& object) {
        if (!is_of_later_version(object)) {
            run.progress = progress_in(object);
        }
        written_ = run.progress;
    });
}

std::string LessonFile::save(LessonRun& run) {
    if (path_.empty() || failed_ || run.progress == written_) {
        return "";
    }
    const std::string refused =
        update_shared(shared_progress(path_), [&](const nlohmann::json& object) {
            if (!object.is_null()) {
                if (is_of_later_version(object)) {
                    throw InputError("the file is of a later version, and is left as it is");
                }
                run.progress = merged_progress(run.progress, progress_in(object));
            }
            return nlohmann::json{{kVersionKey, kVersion}, {kStepsKey, run.progress}};
        });
    written_ = run.progress;
    failed_ = !refused.empty();
    return failed_ ? "the progress of lessons cannot be kept: " + refused : "";
}

}  // namespace ropescope::gui
