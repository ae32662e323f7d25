// Texts that still know what they say: a sentence is words with places for values, and the values.
// A test compares the values with what it computes by another route, and reads no prose for them.
#pragma once

#include <concepts>
#include <fmt/core.h>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ropescope::plot {

/// A number as it is printed, and the number for which it was printed.
struct Number : std::string {
    Number(std::string printed, double of) : std::string(std::move(printed)), exact(of) {}
    double exact;
};

/// What stands in a place of a sentence.
struct SentenceValue {
    std::string text;
    std::optional<double> exact = {};  ///< empty of words
    bool operator==(const SentenceValue&) const = default;
};

/// "n − m = {} → {}" and its values.
struct Sentence {
    std::string_view words;  ///< of a literal
    std::vector<SentenceValue> values;

    std::string text() const;
    bool operator==(const Sentence&) const = default;
};

/// A text, and the sentences that it is made of; a text without sentences is a name.
struct Text : std::string {
    std::vector<Sentence> sentences = {};

    Text() = default;
    Text(std::string name) : std::string(std::move(name)) {}
    Text(std::string_view name) : std::string(name) {}
    Text(const char* name) : std::string(name) {}

    template <typename More>
    Text& operator+=(const More& more) {
        append(std::string_view(more));
        if constexpr (std::is_same_v<More, Text>) {
            sentences.insert(sentences.end(), more.sentences.begin(), more.sentences.end());
        }
        return *this;
    }
};

/// Joins texts; one of the two is a Text.
template <typename A, typename B>
requires(std::same_as<std::remove_cvref_t<A>, Text> ||
         std::same_as<std::remove_cvref_t<B>, Text>) Text
operator+(A&& first, B&& second) {
    Text joined(std::forward<A>(first));
    joined += std::forward<B>(second);
    return joined;
}

namespace detail {

template <typename T>
SentenceValue value_of(const T& value) {
    static_assert(!std::is_floating_point_v<T>, "give a Number, so that its digits are chosen");
    if constexpr (std::is_same_v<T, Number>) {
        return {value, value.exact};
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        return {fmt::format("{}", value), static_cast<double>(value)};
    } else {
        return {std::string(std::string_view(value))};
    }
}

void add_sentences(Text& text, const auto& value) {
    if constexpr (requires { value.sentences; }) {
        text.sentences.insert(text.sentences.end(), value.sentences.begin(), value.sentences.end());
    }
}

}  // namespace detail

/// A sentence of these words with these values: a number (Number, or a whole one), words, or a text
/// with sentences of its own. Spaces at the ends of the words only join.
template <typename... Values>
Text say(fmt::format_string<const Values&...> words, const Values&... values) {
    const fmt::string_view literal = words;
    Text text(fmt::format(words, values...));
    text.sentences.push_back({{literal.data(), literal.size()}, {detail::value_of(values)...}});
    (detail::add_sentences(text, values), ...);
    return text;
}

}  // namespace ropescope::plot
