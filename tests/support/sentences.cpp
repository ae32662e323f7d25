// Finds the sentences of a figure and takes them apart.
#include "tests/support/sentences.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>

#include "app/plot/number_text.h"

namespace ropescope::test {
namespace {

constexpr std::string_view kMinus = "\u2212", kThinSpace = "\u2009";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool starts_with_digit(std::string_view text) {
    return !text.empty() && is_digit(text.front());
}

/// The exponent of "×10⁻⁸", or of "⁻⁸" after the digits "10", which become "1". 0 if there is none.
int take_power(std::string_view& text, std::string& digits) {
    constexpr std::string_view kTimesTen = "×10", kSuperscriptMinus = "⁻";
    constexpr std::array<std::string_view, 10> kSuperscripts = {"⁰", "¹", "²", "³", "⁴",
                                                                "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string_view rest = text;
    const bool times = rest.starts_with(kTimesTen);
    if (!times && digits != "10" && digits != "-10") {
        return 0;
    }
    rest.remove_prefix(times ? kTimesTen.size() : 0);
    const bool minus = rest.starts_with(kSuperscriptMinus);
    rest.remove_prefix(minus ? kSuperscriptMinus.size() : 0);
    int exponent = 0;
    const std::size_t before = rest.size();
    for (bool more = true; more;) {
        const auto digit = std::ranges::find_if(
            kSuperscripts, [&](std::string_view each) { return rest.starts_with(each); });
        more = digit != kSuperscripts.end();
        if (more) {
            exponent = 10 * exponent + static_cast<int>(digit - kSuperscripts.begin());
            rest.remove_prefix(digit->size());
        }
    }
    if (rest.size() == before) {
        return 0;
    }
    if (!times) {
        digits.pop_back();  // the 10 is the power's
    }
    text = rest;
    return minus ? -exponent : exponent;
}

/// The number at the beginning of `text`, which is left after it.
std::optional<Printed> take_number(std::string_view& text) {
    std::string_view rest = text;
    std::string digits;
    for (const std::string_view sign : {kMinus, std::string_view("-"), std::string_view("+")}) {
        if (rest.starts_with(sign)) {
            digits = sign == "+" ? "" : "-";
            rest.remove_prefix(sign.size());
            break;
        }
    }
    if (rest.starts_with("inf")) {
        text = rest.substr(3);
        return Printed{digits.empty() ? INFINITY : -INFINITY, 0, 0};
    }
    if (!starts_with_digit(rest)) {
        return std::nullopt;
    }
    int decimals = 0, exponent = 0;
    bool fraction = false;
    while (!rest.empty()) {
        if (is_digit(rest.front())) {
            decimals += fraction ? 1 : 0;
        } else if (rest.starts_with(kThinSpace) && starts_with_digit(rest.substr(3))) {
            rest.remove_prefix(kThinSpace.size());
            continue;
        } else if (!fraction && rest.front() == '.' && starts_with_digit(rest.substr(1))) {
            fraction = true;
        } else {
            break;
        }
        digits += rest.front();
        rest.remove_prefix(1);
    }
    if (rest.size() > 1 && rest.front() == 'e' &&
        (starts_with_digit(rest.substr(1)) || starts_with_digit(rest.substr(2)))) {
        char* end = nullptr;
        const std::string tail(rest.substr(1));
        exponent = static_cast<int>(std::strtol(tail.c_str(), &end, 10));
        rest.remove_prefix(1 + static_cast<std::size_t>(end - tail.c_str()));
    }
    exponent += take_power(rest, digits);
    const double value = std::strtod(digits.c_str(), nullptr) * std::pow(10.0, exponent);
    double half = 0.5 * std::pow(10.0, exponent - decimals);
    if (decimals == 0) {  // trailing zeros after the point are not printed
        half = std::min(half, 5e-4 * std::abs(value));
    }
    text = rest;
    return Printed{value, half, value};
}

bool match_into(std::string_view pattern, std::string_view text, Places& places) {
    while (!pattern.empty()) {
        const char kind = pattern.front();
        pattern.remove_prefix(1);
        if (kind == '#') {
            const auto number = take_number(text);
            if (!number) {
                return false;
            }
            places.numbers.push_back(*number);
        } else if (kind == '*') {
            for (std::size_t length = 0; length <= text.size(); ++length) {
                Places tried = places;
                tried.words.emplace_back(text.substr(0, length));
                if (match_into(pattern, text.substr(length), tried)) {
                    places = std::move(tried);
                    return true;
                }
            }
            return false;
        } else {
            if (text.empty() || text.front() != kind) {
                return false;
            }
            text.remove_prefix(1);
        }
    }
    return text.empty();
}

/// Collects what marks say.
struct MarkTexts {
    std::vector<plot::Text>& out;

    void operator()(const plot::Line& m) const { out.push_back(m.label); }
    void operator()(const plot::Points& m) const { out.push_back(m.label); }
    void operator()(const plot::Vector& m) const { out.push_back(m.label); }
    void operator()(const plot::Rule& m) const { out.push_back(m.label); }
    void operator()(const plot::Band& m) const { out.push_back(m.label); }
    void operator()(const plot::HeatMap& m) const { out.push_back(m.label); }
    void operator()(const plot::Label& m) const { out.push_back(m.text); }
    void operator()(const plot::Facts& m) const {
        for (const plot::Facts::Fact& fact : m.rows) {
            out.push_back(fact.text);
        }
    }
    void operator()(const plot::Arc&) const {}
    void operator()(const plot::Area&) const {}
};

}  // namespace

bool Printed::shows(double exact) const {
    // Both numbers are rounded to a double, which matters where `exact` lies between two of them.
    const double rounding = std::abs(exact) * 0x1p-52;
    return value == exact || std::abs(value - exact) <= half_unit * (1 + 1e-9) + rounding;
}

std::optional<Printed> printed(std::string_view text) {
    return take_number(text);
}

Places places_of(const plot::Sentence& sentence) {
    Places places;
    for (const plot::SentenceValue& value : sentence.values) {
        if (value.exact) {
            const auto shown = printed(value.text);
            places.numbers.push_back(
                {*value.exact, shown ? shown->half_unit : 0, shown ? shown->value : *value.exact});
        } else {
            places.words.push_back(value.text);
        }
    }
    return places;
}

std::string words_of(const plot::Sentence& sentence) {
    constexpr const char* kJoints = " .\n";
    const std::string words(sentence.words);
    const std::size_t first = words.find_first_not_of(kJoints);
    return first == words.npos ? ""
                               : words.substr(first, words.find_last_not_of(kJoints) + 1 - first);
}

std::string without_sentences(const plot::Text& text) {
    std::vector<std::string> sentences;
    for (const plot::Sentence& sentence : text.sentences) {
        sentences.push_back(sentence.text());
    }
    // A sentence within another is shorter, and stands nowhere by itself.
    std::ranges::stable_sort(sentences, std::greater<>(), &std::string::size);
    std::string rest = text;
    for (const std::string& said : sentences) {
        if (const std::size_t at = rest.find(said); at != rest.npos) {
            rest.erase(at, said.size());
        }
    }
    return rest;
}

bool has_number(const std::string& text) {
    bool markup = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        markup = (markup && text[i] != '}') ||
                 (text[i] == '{' && i > 0 && (text[i - 1] == '_' || text[i - 1] == '^'));
        if (!markup && is_digit(text[i])) {
            return true;
        }
    }
    return false;
}

bool is_printed(const plot::SentenceValue& value) {
    const double exact = value.exact.value_or(0);
    const auto shown = printed(value.text);
    // Of few digits, zeros at the end are not printed; and a number may be printed as a whole one.
    return !value.exact || (shown ? shown->shows(exact) : std::isnan(exact)) ||
           value.text.starts_with(plot::few_digits_text(exact, 2)) ||
           value.text.starts_with(fmt::format("{:.0f}", exact));
}

std::optional<Places> match(std::string_view pattern, std::string_view text) {
    Places places;
    return match_into(pattern, text, places) ? std::optional(places) : std::nullopt;
}

std::vector<std::string> sentences_of(const std::string& text) {
    std::vector<std::string> sentences;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t stop = std::min(text.find(". ", begin), text.size());
        std::string sentence = text.substr(begin, stop - begin);
        if (sentence.ends_with('.')) {
            sentence.pop_back();
        }
        begin = stop + 2;
        if (const std::size_t first = sentence.find_first_not_of(' '); first != sentence.npos) {
            sentences.push_back(sentence.substr(first));
        }
    }
    return sentences;
}

std::vector<plot::Text> shown_texts(const plot::Figure& figure) {
    std::vector<plot::Text> texts = {figure.title, figure.subtitle};
    for (const plot::LegendEntry& entry : figure.legend) {
        texts.push_back(entry.label);
    }
    for (const plot::Panel& panel : figure.panels) {
        texts.insert(texts.end(), {panel.title, panel.corners.top_left, panel.corners.top_right,
                                   panel.corners.bottom_left, panel.corners.bottom_right,
                                   panel.x.label, panel.y.label});
        for (const plot::Mark& mark : panel.marks) {
            std::visit(MarkTexts{texts}, mark);
        }
    }
    return texts;
}

}  // namespace ropescope::test
