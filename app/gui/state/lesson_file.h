// Keeps the progress of lessons in a small JSON file of the user's configuration folder. A file
// that is missing means a first start; one that cannot be read is set aside, and is never fatal.
#pragma once

#include <filesystem>
#include <string>

#include "app/gui/state/lesson_run.h"

namespace ropescope::gui {

/// lessons.json in the folder of the window's preferences; empty if they are kept nowhere.
std::filesystem::path lesson_file_beside(const std::filesystem::path& preferences);

class LessonFile {
  public:
    /// With an empty path nothing is read, written or offered.
    explicit LessonFile(std::filesystem::path path) : path_(std::move(path)) {}

    /// Reads the progress. Without a file, the first lesson is offered.
    void load(LessonRun& run);
    /// Writes it if it has changed. Returns why it could not be written, the first time; else an
    /// empty text.
    std::string save(const LessonRun& run);

  private:
    std::filesystem::path path_;
    std::string written_;
    bool failed_ = false;
};

}  // namespace ropescope::gui
