// Converts formulas between plain text and markup.
#include <algorithm>
#include <array>

#include "app/plot/rich_text.h"

namespace ropescope::plot {
namespace {

constexpr std::string_view kMinus = "−";

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// The word that ends a text, with underscores.
std::string_view last_word(std::string_view text) {
    std::size_t begin = text.size();
    while (begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == '_')) {
        --begin;
    }
    return text.substr(begin);
}

/// Whether a script can follow the text. A raised part can follow any text, but an underscore may
/// belong to a name.
bool carries(std::string_view before, char sign) {
    if (sign == '^') {
        return !before.empty() && before.back() != ' ';
    }
    const std::string_view word = last_word(before);
    return (word.size() == 1 && word != "_") || word == "theta" || before.ends_with('\'');
}

struct Script {
    std::string_view text;
    std::size_t length = 0;  ///< with its brackets; 0: none
};

/// A script in its brackets, or a number, or a word.
Script script_of(std::string_view behind) {
    for (const char* brackets : {"{}", "()"}) {
        if (!behind.starts_with(brackets[0])) {
            continue;
        }
        int depth = 0;
        for (std::size_t at = 0; at < behind.size(); ++at) {
            depth += behind[at] == brackets[0] ? 1 : behind[at] == brackets[1] ? -1 : 0;
            if (depth == 0) {
                return {behind.substr(1, at - 1), at + 1};
            }
        }
        return {};
    }
    std::size_t end = behind.starts_with('-') ? 1 : 0;
    const std::size_t first = end;
    while (end < behind.size() && is_word(behind[end])) {
        ++end;
    }
    return end == first ? Script{} : Script{behind.substr(0, end), end};
}

bool is_plain_script(std::string_view script) {
    if (script.starts_with(kMinus)) {
        script.remove_prefix(kMinus.size());
    }
    return !script.empty() && std::ranges::all_of(script, is_word);
}

}  // namespace

std::string formula_markup(std::string_view plain) {
    std::string markup;
    for (std::size_t at = 0; at < plain.size(); ++at) {
        const char sign = plain[at];
        const bool may_carry = sign == '^' || sign == '_';
        // A raised part follows a lowered one without a new base.
        const bool stacked = sign == '^' && markup.ends_with('}');
        const Script script = may_carry && (stacked || carries(plain.substr(0, at), sign))
                                  ? script_of(plain.substr(at + 1))
                                  : Script{};
        if (script.length == 0) {
            markup += sign;
            continue;
        }
        markup += sign;
        markup += '{';
        for (const char c : script.text) {
            markup += c == '-' ? kMinus : std::string_view(&c, 1);
        }
        markup += '}';
        at += script.length;
    }
    return markup;
}

std::string plain_formula(std::string_view markup) {
    std::string plain;
    for (std::size_t at = 0; at < markup.size(); ++at) {
        plain += markup[at];
        const bool opens =
            (markup[at] == '^' || markup[at] == '_') && markup.substr(at + 1).starts_with('{');
        const std::size_t end = opens ? markup.find('}', at) : std::string_view::npos;
        if (end == std::string_view::npos) {
            continue;
        }
        const std::string_view script = markup.substr(at + 2, end - at - 2);
        if (is_plain_script(script)) {
            plain += script;
            at = end;
        }
    }
    return plain;
}

}  // namespace ropescope::plot
