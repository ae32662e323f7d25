// Puts computed numbers into the texts of lessons.
#include "app/lessons/step_text.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/lessons/quantities.h"
#include "app/plot/number_text.h"
#include "app/scene/parameters.h"
#include "core/base/characters.h"
#include "core/base/error.h"

namespace ropescope::lessons {
namespace {

/// "label:base" is what the window calls the control of a parameter, "method:ntk" a scaling method,
/// "word:answer" the value of a quantity that is a word.
constexpr std::string_view kLabel = "label:", kMethod = "method:", kWord = "word:";

/// "score:2" as an expression and its decimals.
struct Placeholder {
    std::string_view expression;
    std::optional<int> decimals;
};

Placeholder placeholder_of(std::string_view inner) {
    const std::size_t colon = inner.rfind(':');
    if (colon == std::string_view::npos) {
        return {inner, std::nullopt};
    }
    constexpr int kMost = 9;
    const std::string_view digits = inner.substr(colon + 1);
    int decimals = -1;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), decimals);
    if (error != std::errc() || end != digits.data() + digits.size() || decimals < 0 ||
        decimals > kMost) {
        throw InputError(fmt::format("{}: a number of decimals from 0 to {} is expected behind ':'",
                                     in_quotes(inner), kMost));
    }
    return {inner.substr(0, colon), decimals};
}

std::string number_words(double value, std::optional<int> decimals) {
    if (decimals && *decimals > 0) {
        return figures::fixed_text(value, *decimals);
    }
    const double whole = std::round(value);
    if (decimals || (std::abs(whole) < 0x1p53 &&
                     std::abs(value - whole) <= kEqualWithin * std::max(1.0, std::abs(value)))) {
        return figures::whole_text(static_cast<Index>(whole));
    }
    return plot::number_text(value);
}

/// What stands in the place of the text between two braces.
std::string words_for(std::string_view inner, const Names& names) {
    if (inner.starts_with(kLabel)) {
        return label_of(parameter_by_name(inner.substr(kLabel.size())));
    }
    if (inner.starts_with(kMethod)) {
        return figures::scaling_name(inner.substr(kMethod.size()));
    }
    if (inner.starts_with(kWord)) {
        return names.word(inner.substr(kWord.size()), {});
    }
    const Placeholder number = placeholder_of(inner);
    return number_words(value_of(number.expression, names), number.decimals);
}

std::string joined(const std::vector<Passage>& text, const Names& names) {
    std::string all;
    for (const Passage& sentence : text) {
        all += (all.empty() ? "" : " ") + filled(sentence.text, names);
    }
    return all;
}

}  // namespace

std::string filled(std::string_view text, const Names& names) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t open = std::min(text.find_first_of("{}", at), text.size());
        result += text.substr(at, open - at);
        if (open == text.size()) {
            break;
        }
        const std::size_t close = text.find_first_of("{}", open + 1);
        if (text[open] == '}' || close == std::string_view::npos || text[close] == '{') {
            throw InputError(
                fmt::format("{}: a brace has no partner", in_quotes(text.substr(open))));
        }
        result += words_for(text.substr(open + 1, close - open - 1), names);
        at = close + 1;
    }
    return result;
}

void require_computed_numbers(std::string_view text) {
    bool inside = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        inside = (inside || text[at] == '{') && text[at] != '}';
        // A letter of another alphabet (θ) is not part of a name with digits.
        const bool of_a_name =
            at > 0 && (is_letter(text[at - 1]) || (is_digit(text[at - 1]) && !inside));
        if (!inside && is_digit(text[at]) && !of_a_name) {
            throw InputError(
                fmt::format("{}: a number stands outside of braces; write an expression in braces, "
                            "so that it is computed",
                            in_quotes(text.substr(at))));
        }
    }
}

StepText step_text(const Step& step, Engine& engine, figures::FigureCache& cache) {
    const Names names = names_of(step.scene, engine, cache);
    StepText text;
    text.title = filled(step.title, names);
    text.text = joined(step.text, names);
    if (step.task) {
        text.task = filled(step.task->text, names);
        text.hint = filled(step.task->hint, names);
    }
    if (step.task && step.task->question) {
        const ChoiceQuestion& question = *step.task->question;
        text.asks = filled(question.asks.text, names);
        text.why = filled(question.why.text, names);
        for (const std::string& choice : question.choices) {
            text.choices.push_back(filled(choice, names));
        }
    }
    return text;
}

std::vector<std::string> statements_of(const Step& step) {
    std::vector<std::string> all;
    const auto add = [&all](const Passage& sentence) {
        all.insert(all.end(), sentence.holds.begin(), sentence.holds.end());
    };
    for (const Passage& sentence : step.text) {
        add(sentence);
    }
    if (step.task && step.task->question) {
        add(step.task->question->asks);
        add(step.task->question->why);
    }
    return all;
}

std::string formula_in_words(std::string formula) {
    for (const auto& [mark, word] :
         {std::pair("_{", " sub ("), std::pair("^{", " to the power ("), std::pair("}", ")")}) {
        const std::string_view sign = mark;
        for (std::size_t at = formula.find(sign); at != std::string::npos;
             at = formula.find(sign, at)) {
            formula.replace(at, sign.size(), word);
        }
    }
    return formula;
}

}  // namespace ropescope::lessons
