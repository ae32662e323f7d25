// The lessons that are compiled in.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "app/lessons/lesson.h"
#include "core/base/embedded.h"
#include "core/base/suggest.h"

namespace ropescope::lessons {
namespace {

/// Names of the files in assets/lessons; a test compares them with the folder.
constexpr std::array kFiles = {
    "why-position", "one-pair", "many-speeds",      "distance",    "two-layouts",
    "scores",       "decay",    "before-rope",      "context",     "stretching",
    "low-bits",     "image",    "bug-unturned-row", "bug-rounded", "bug-forgotten-scaling",
};

std::vector<Lesson> read_all() {
    std::vector<Lesson> lessons;
    for (const std::string id : kFiles) {
        const std::string file = fmt::format("assets/lessons/{}.json", id);
        lessons.push_back(read_lesson(embedded_file(file).value_or(""), id, file));
    }
    std::ranges::sort(lessons, {}, &Lesson::order);
    return lessons;
}

}  // namespace

const std::vector<Lesson>& all_lessons() {
    static const std::vector<Lesson> lessons = read_all();
    return lessons;
}

const Lesson& lesson_by_id(std::string_view id) {
    return element_named(all_lessons(), &Lesson::id, id, [&](const std::string& near) {
        std::string list;
        for (const Lesson& lesson : all_lessons()) {
            list += (list.empty() ? "; give one of " : ", ") + lesson.id;
        }
        return "lesson: '" + std::string(id) + "' is unknown" + (near.empty() ? list : near);
    });
}

}  // namespace ropescope::lessons
