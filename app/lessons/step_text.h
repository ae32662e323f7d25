// The texts of lessons: numbers in braces are computed, and no other numbers are allowed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figures/work.h"
#include "app/lessons/expression.h"
#include "app/lessons/lesson.h"
#include "core/engine/engine.h"

namespace ropescope::lessons {

/// The text with the value of every "{expression}" in its place: a whole number in full, another
/// with four significant digits; "{expression:2}" with two decimals, "{expression:0}" with none.
/// "{label:base}" becomes what the window calls the control of the parameter, "{method:ntk}" the
/// name of the scaling method, "{word:answer}" the word of that name. Throws InputError for a brace
/// without its partner and an expression that cannot be read.
std::string filled(std::string_view text, const Names& names);

/// Throws InputError if a digit stands outside of braces. Digits of a name are allowed: "bf16".
void require_computed_numbers(std::string_view text);

/// A step as people read it, computed in its scene.
struct StepText {
    std::string title = {}, text = {};
    // Of the task; empty without one.
    std::string task = {}, hint = {}, asks = {}, why = {};
    std::vector<std::string> choices = {};
};
StepText step_text(const Step& step, Engine& engine, figures::FigureCache& cache);

/// All statements of a step: of its text, and of a question.
std::vector<std::string> statements_of(const Step& step);

/// "base^{−2i/d}" in words: "base to the power (−2i/d)".
std::string formula_in_words(std::string formula);

}  // namespace ropescope::lessons
