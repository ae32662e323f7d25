// A lesson: a few steps of text, each with a scene and often something to do, which the app can
// see. assets/lessons/*.json are compiled in; docs/lessons.md describes the files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene.h"

namespace ropescope::lessons {

/// A sentence or more. "{score}" in the text is a number that is computed in the step's scene (see
/// step_text.h); `holds` are the statements that the sentence makes (see expression.h).
struct Passage {
    std::string text;
    std::vector<std::string> holds = {};
};

/// A question that is answered by choosing.
struct ChoiceQuestion {
    Passage asks;
    std::vector<std::string> choices;
    std::size_t right = 0;  ///< index
    Passage why;            ///< said when it is answered
};

/// Something to do. It is done when all of `until` hold in the scene that is shown, when the mouse
/// is over the panel `point_at`, or when the question is answered: exactly one of the three is
/// given.
struct Task {
    std::string text;
    std::vector<std::string> until = {};
    std::string point_at = {};
    std::optional<ChoiceQuestion> question = {};
    std::string hint;
    std::vector<std::string> solution = {};  ///< settings that fulfil `until`
};

struct Step {
    std::string title;
    std::vector<Passage> text;
    std::vector<std::string> formulas = {};  ///< rich-text markup, as in the explanations of views
    Scene scene;  ///< the default scene with all settings of the lesson up to here
    std::optional<Task> task = {};
};

struct Lesson {
    std::string id;  ///< the name of its file: "one-pair"
    int order = 0;   ///< from 1
    std::string title;
    std::string about;   ///< one sentence for the list
    std::string source;  ///< where a real case was reported; empty if the lesson has none
    std::vector<Step> steps;
};

/// Reads a lesson. Throws InputError "origin: step 3: ..." for a key that is missing, unknown or of
/// another type, a setting or an expression that cannot be read, and a digit in a text outside of
/// braces and names: a number in a text must be computed.
Lesson read_lesson(std::string_view json, std::string id, const std::string& origin);

/// Those that are compiled in, in their order.
const std::vector<Lesson>& all_lessons();
/// Throws InputError naming near matches.
const Lesson& lesson_by_id(std::string_view id);

}  // namespace ropescope::lessons
