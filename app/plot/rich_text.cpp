// Draws, measures, cuts and wraps text with raised and lowered parts.
#include "app/plot/rich_text.h"

#include <algorithm>
#include <array>

#include "core/base/characters.h"

namespace ropescope::plot {
namespace {

constexpr double kSmall = 0.72;  // size of raised and lowered text, as TeX's scriptsize
// The top of small text, as a share of the line's height: raised text hangs beside the top of a
// capital, lowered text reaches below the baseline.
constexpr double kRaisedTop = -0.06;
constexpr double kLoweredTop = 0.40;

struct Run {
    enum class Level { base, raised, lowered } level = Level::base;
    std::string_view text;
};

std::vector<Run> parse(std::string_view markup) {
    std::vector<Run> runs;
    const auto add = [&runs](Run::Level level, std::string_view text) {
        if (!text.empty()) {
            runs.push_back({level, text});
        }
    };
    std::size_t begin = 0;
    for (std::size_t at = 0; at + 1 < markup.size(); ++at) {
        if ((markup[at] != '^' && markup[at] != '_') || markup[at + 1] != '{') {
            continue;
        }
        const std::size_t end = markup.find('}', at);
        if (end == std::string_view::npos) {
            break;  // not markup after all
        }
        add(Run::Level::base, markup.substr(begin, at - begin));
        add(markup[at] == '^' ? Run::Level::raised : Run::Level::lowered,
            markup.substr(at + 2, end - at - 2));
        begin = end + 1;
        at = end;
    }
    add(Run::Level::base, markup.substr(std::min(begin, markup.size())));
    return runs;
}

TextStyle style_of(const Run& run, TextStyle style) {
    style.size_px *= run.level == Run::Level::base ? 1 : kSmall;
    return style;
}

/// Calls place(run, style, x) for each run. A raised run that follows a lowered one (or the other
/// way round) is drawn above it, not behind it: x_{m}^{T}.
template <typename Place>
double walk(std::string_view markup, const TextStyle& style, Painter& painter, Place place) {
    double x = 0;
    double stack_begin = 0;
    double stack_end = 0;
    auto previous = Run::Level::base;
    for (const Run& run : parse(markup)) {
        const TextStyle small = style_of(run, style);
        const double width = painter.text_size(run.text, small).x;
        const bool stacked =
            run.level != Run::Level::base && previous != Run::Level::base && run.level != previous;
        const double begin = stacked ? stack_begin : x;
        place(run, small, begin);
        stack_begin = begin;
        stack_end = stacked ? std::max(stack_end, begin + width) : begin + width;
        x = stack_end;
        previous = run.level;
    }
    return x;
}

}  // namespace

double draw_rich_text(Pixel at, std::string_view markup, const TextStyle& style, Painter& painter) {
    const double height = painter.text_size("x", style).y;
    return walk(markup, style, painter, [&](const Run& run, const TextStyle& small, double x) {
        const double shift = run.level == Run::Level::base     ? 0
                             : run.level == Run::Level::raised ? kRaisedTop
                                                               : kLoweredTop;
        painter.text({at.x + x, at.y + shift * height}, run.text, small);
    });
}

Pixel rich_text_size(std::string_view markup, const TextStyle& style, Painter& painter) {
    const double width = walk(markup, style, painter, [](const Run&, const TextStyle&, double) {});
    return {width, painter.text_size("x", style).y};
}

std::string fitted(std::string_view text, double width, const TextStyle& style, Painter& painter) {
    if (rich_text_size(text, style, painter).x <= width) {
        return std::string(text);
    }
    std::string cut(text);
    while (!cut.empty()) {
        do {  // one whole UTF-8 character
            const bool continuation = (static_cast<unsigned char>(cut.back()) & 0xc0U) == 0x80U;
            cut.pop_back();
            if (!continuation) {
                break;
            }
        } while (!cut.empty());
        std::string candidate = cut + "\u2026";
        if (cut.size() >= 2 && rich_text_size(candidate, style, painter).x <= width) {
            return candidate;
        }
    }
    return {};
}

namespace {

/// What stands behind a number and belongs to it.
constexpr std::array<std::string_view, 12> kUnitsOfNumbers = {
    "%", "°", "KiB", "MiB", "GiB", "TiB", "ns", "µs", "ms", "s", "px", "mm"};

std::string_view without_closing_signs(std::string_view word) {
    constexpr std::string_view kClosing = ".,;:!?)]";
    while (!word.empty() && kClosing.find(word.back()) != std::string_view::npos) {
        word.remove_suffix(1);
    }
    return word;
}

/// A number of digits, thousands and a point, whatever closes the sentence behind it.
bool is_number(std::string_view word) {
    const std::string_view bare = without_closing_signs(word);
    return !bare.empty() && is_digit(bare.back()) && std::ranges::none_of(bare, is_letter);
}

/// Whether the text may be broken at this space: not before the unit of a number, and not before
/// the number that ends the text, "position 9".
bool may_break(std::string_view text, std::size_t space) {
    const std::size_t end = std::min(text.find(' ', space + 1), text.size());
    const std::string_view next = text.substr(space + 1, end - space - 1);
    const bool behind_number = space > 0 && is_digit(text[space - 1]);
    const bool is_unit = std::ranges::find(kUnitsOfNumbers, without_closing_signs(next)) !=
                         std::ranges::end(kUnitsOfNumbers);
    return !(behind_number && is_unit) && !(end == text.size() && is_number(next));
}

/// Where the words end that stand on one line from `begin` on, as far as the width allows that.
std::size_t end_of_words(std::string_view text, std::size_t begin, double width,
                         const TextStyle& style, Painter& painter) {
    const std::size_t one = std::min(text.find(' ', begin), text.size());
    std::size_t end = one;
    while (end < text.size() && !may_break(text, end)) {
        end = std::min(text.find(' ', end + 1), text.size());
    }
    const bool fits =
        end == one || rich_text_size(text.substr(begin, end - begin), style, painter).x <= width;
    return fits ? end : one;
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, double width, Index most_lines,
                                 const TextStyle& style, Painter& painter) {
    std::vector<std::string> lines;
    std::string line;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = end_of_words(text, begin, width, style, painter);
        const std::string_view word = text.substr(begin, end - begin);
        const std::string longer =
            line.empty() ? std::string(word) : line + ' ' + std::string(word);
        if (line.empty() || rich_text_size(longer, style, painter).x <= width) {
            line = longer;
        } else if (std::ssize(lines) + 1 == most_lines) {
            // The rest of the text is left out behind the last word that has room.
            const std::string whole_words = line + " …";
            const bool fits = rich_text_size(whole_words, style, painter).x <= width;
            lines.push_back(
                fits ? whole_words
                     : fitted(line + ' ' + std::string(text.substr(begin)), width, style, painter));
            return lines;
        } else {
            lines.push_back(fitted(line, width, style, painter));
            line = word;
        }
        begin = end + 1;
    }
    if (!line.empty()) {
        lines.push_back(fitted(line, width, style, painter));
    }
    return lines;
}

bool is_cut(const std::vector<std::string>& lines, std::string_view text) {
    static constexpr std::string_view kCut = "…";
    const auto ends_so = [](std::string_view line) { return line.ends_with(kCut); };
    return lines.empty() || (std::ranges::any_of(lines, ends_so) && !ends_so(text));
}

// Converts formulas between plain text and markup.

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
