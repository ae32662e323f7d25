// The lessons that are compiled in.
#include "app/lessons/lesson.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/lessons/expression.h"
#include "app/lessons/quantities.h"
#include "app/lessons/step_text.h"
#include "app/scene/settings.h"
#include "core/base/characters.h"
#include "core/base/embedded.h"
#include "core/base/names.h"
#include "core/formats/json_object.h"

namespace ropescope::lessons {
namespace {

/// Names of the files in assets/lessons; a test compares them with the folder.
constexpr std::array kFiles = {
    "why-position",
    "one-pair",
    "many-speeds",
    "distance",
    "two-layouts",
    "scores",
    "decay",
    "relative-before",
    "before-rope",
    "context",
    "stretching",
    "low-bits",
    "image",
    "bug-unturned-row",
    "bug-rounded",
    "bug-forgotten-scaling",
    "order-without-positions",
    "llama-factors",
    "base-and-length",
    "slow-pairs",
    "cache-and-groups",
    "mla",
    "norm-order",
    "video",
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

// Reads the JSON of a lesson and refuses what it does not understand.

namespace {

using Json = nlohmann::json;

/// One object of the file, with the place that starts its messages.
class Entry {
  public:
    Entry(const Json& json, std::string where, std::initializer_list<const char*> known)
        : json_(json), where_(std::move(where)) {
        if (!json.is_object()) {
            fail("is not an object");
        }
        const std::vector<std::string> names(known.begin(), known.end());
        for (const auto& member : json.items()) {
            if (std::ranges::find(names, member.key()) == names.end()) {
                fail(fmt::format("{} is not a key of a lesson here{}; its keys are {}",
                                 in_quotes(member.key()), did_you_mean(member.key(), names),
                                 fmt::join(names, ", ")));
            }
        }
    }

    [[noreturn]] void fail(std::string_view what) const {
        throw InputError(fmt::format("{}: {}", where_, what));
    }
    const std::string& where() const { return where_; }
    const Json* find(const char* key) const {
        const auto found = json_.find(key);
        return found == json_.end() ? nullptr : &*found;
    }
    const Json& require(const char* key) const {
        const Json* value = find(key);
        if (value == nullptr) {
            fail(fmt::format("'{}' is missing", key));
        }
        return *value;
    }

    std::string text(const char* key) const { return text_of(require(key), key); }
    int whole(const char* key, int least, int most) const {
        const Json& value = require(key);
        if (!value.is_number_integer() || value < least || value > most) {
            fail(fmt::format("'{}' must be a whole number from {} to {}", key, least, most));
        }
        return value.get<int>();
    }
    /// Nothing if the key is missing.
    std::vector<std::string> texts(const char* key) const {
        std::vector<std::string> list;
        const Json* const value = find(key);
        if (value == nullptr) {
            return list;
        }
        if (!value->is_array()) {
            fail(fmt::format("'{}' must be a list of strings", key));
        }
        for (const Json& item : *value) {
            list.push_back(text_of(item, key));
        }
        return list;
    }

  private:
    std::string text_of(const Json& value, const char* key) const {
        if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
            fail(fmt::format("'{}' must be a string that is not empty", key));
        }
        return value.get<std::string>();
    }

    const Json& json_;
    std::string where_;
};

/// Calls `action` and puts the place in front of its message.
template <typename Action>
auto at_place(const std::string& where, const Action& action) {
    try {
        return action();
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", where, error.what()));
    }
}

std::vector<std::string> statements(const Entry& entry, const char* key) {
    std::vector<std::string> list = entry.texts(key);
    for (const std::string& statement : list) {
        at_place(entry.where(), [&] { return judge(statement, names_for_reading()); });
    }
    return list;
}

/// A text for people: its placeholders can be read, and its numbers stand in them.
std::string words(const Entry& entry, const char* key) {
    std::string text = entry.text(key);
    at_place(fmt::format("{}: {}", entry.where(), key), [&] {
        require_computed_numbers(text);
        return filled(text, names_for_reading());
    });
    return text;
}

/// A string, or {"says": ..., "holds": [...]}.
Passage read_sentence(const Json& json, const std::string& where) {
    if (json.is_string()) {
        const Json object = {{"says", json}};
        return {words(Entry(object, where, {"says"}), "says"), {}};
    }
    const Entry entry(json, where, {"says", "holds"});
    Passage sentence{words(entry, "says"), statements(entry, "holds")};
    if (sentence.holds.empty()) {
        entry.fail("'holds' must have a statement; a sentence that states nothing is a string");
    }
    return sentence;
}

std::vector<Passage> read_text(const Entry& step) {
    const Json& json = step.require("text");
    if (!json.is_array() || json.empty()) {
        step.fail("'text' must be a list of sentences");
    }
    std::vector<Passage> text;
    for (std::size_t i = 0; i < json.size(); ++i) {
        text.push_back(read_sentence(json[i], fmt::format("{}: sentence {}", step.where(), i + 1)));
    }
    return text;
}

ChoiceQuestion read_question(const Json& json, const std::string& where) {
    const Entry entry(json, where, {"asks", "choices", "right", "why"});
    ChoiceQuestion question;
    question.asks = read_sentence(entry.require("asks"), where + ": asks");
    question.choices = entry.texts("choices");
    if (question.choices.size() < 2 || question.choices.size() > 4) {
        entry.fail("'choices' must have two, three or four answers");
    }
    for (const std::string& choice : question.choices) {
        at_place(where + ": choices", [&] {
            require_computed_numbers(choice);
            return filled(choice, names_for_reading());
        });
    }
    const int right = entry.whole("right", 1, static_cast<int>(question.choices.size()));
    question.right = static_cast<std::size_t>(right - 1);
    question.why = read_sentence(entry.require("why"), where + ": why");
    return question;
}

/// The scene after `settings`; refuses one that its view could not draw.
Scene scene_after(const Scene& before, const std::vector<std::string>& settings,
                  const std::string& where) {
    return at_place(where, [&] {
        Scene scene = apply_settings(before, settings);
        validate(scene);
        return scene;
    });
}

Task read_task(const Json& json, const std::string& where, const Scene& scene) {
    const Entry entry(json, where, {"text", "until", "point_at", "question", "hint", "solution"});
    Task task{.text = words(entry, "text"), .hint = words(entry, "hint")};
    task.until = statements(entry, "until");
    task.point_at = entry.find("point_at") != nullptr ? entry.text("point_at") : "";
    if (const Json* question = entry.find("question")) {
        task.question = read_question(*question, where + ": question");
    }
    const int ways =
        (task.until.empty() ? 0 : 1) + (task.point_at.empty() ? 0 : 1) + (task.question ? 1 : 0);
    if (ways != 1) {
        entry.fail("give exactly one of 'until', 'point_at' and 'question'");
    }
    task.solution = entry.texts("solution");
    if (task.until.empty() != task.solution.empty()) {
        entry.fail("'until' and 'solution' belong together: give both or neither");
    }
    scene_after(scene, task.solution, where + ": solution");
    return task;
}

Step read_step(const Json& json, const std::string& where, const Scene& before) {
    const Entry entry(json, where, {"title", "text", "formulas", "scene", "task"});
    Step step;
    step.title = words(entry, "title");
    step.text = read_text(entry);
    step.formulas = entry.texts("formulas");
    step.scene = scene_after(before, entry.texts("scene"), where + ": scene");
    if (const Json* task = entry.find("task")) {
        step.task = read_task(*task, where + ": task", step.scene);
    }
    return step;
}

}  // namespace

Lesson read_lesson(std::string_view json, std::string id, const std::string& origin) {
    const Json parsed = parse_json_object(json, origin);
    const Entry entry(parsed, origin, {"order", "title", "about", "source", "steps"});
    Lesson lesson{.id = std::move(id),
                  .order = entry.whole("order", 1, 1000),
                  .title = words(entry, "title"),
                  .about = words(entry, "about"),
                  .source = entry.find("source") != nullptr ? entry.text("source") : "",
                  .steps = {}};
    const Json& steps = entry.require("steps");
    if (!steps.is_array() || steps.empty()) {
        entry.fail("'steps' must be a list of steps");
    }
    Scene scene;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        lesson.steps.push_back(
            read_step(steps[i], fmt::format("{}: step {}", origin, i + 1), scene));
        scene = lesson.steps.back().scene;
    }
    return lesson;
}

}  // namespace ropescope::lessons
