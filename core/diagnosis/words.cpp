// Puts values into phrases.
#include "core/diagnosis/words.h"

#include <cctype>
#include <fmt/args.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/rope/layout.h"

namespace ropescope::diagnosis {
namespace {

template <typename... T>
struct Overloaded : T... {
    using T::operator()...;
};
template <typename... Each>
Overloaded(Each...) -> Overloaded<Each...>;

/// "head 3", "heads 0 to 3 and 6", "heads 0, 2, 4 and 13 others": runs are put together, so that a
/// list of many stays short.
std::string text_of_numbers(std::string_view noun, const std::vector<Index>& numbers) {
    std::vector<std::string> runs;
    Index named = 0;
    constexpr std::size_t kMost = 4;
    for (std::size_t i = 0; i < numbers.size() && runs.size() < kMost;) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
            ++last;
        }
        last = last == i + 1 ? i : last;  // two are said one by one
        runs.push_back(last == i ? fmt::format("{}", numbers[i])
                                 : fmt::format("{} to {}", numbers[i], numbers[last]));
        named += static_cast<Index>(last - i) + 1;
        i = last + 1;
    }
    if (named < std::ssize(numbers)) {
        runs.push_back(fmt::format("{} others", std::ssize(numbers) - named));
    }
    const std::string end = runs.back();
    runs.pop_back();
    const std::string text =
        runs.empty() ? end : fmt::format("{} and {}", fmt::join(runs, ", "), end);
    return fmt::format("{}{} {}", noun, numbers.size() == 1 ? "" : "s", text);
}

/// "q and k, heads 0 to 3", "q, heads 0 to 3, and k, head 0", "q_rot"
std::string text_of_sides(const Place& place) {
    if (place.sides == Side::none) {
        return std::string(place.tensor);
    }
    const std::vector<Index>& heads = place.sides == Side::k ? place.k_heads : place.q_heads;
    if (place.sides == Side::both && place.q_heads != place.k_heads) {
        return fmt::format("q, {}, and k, {}", text_of_numbers("head", place.q_heads),
                           text_of_numbers("head", place.k_heads));
    }
    const std::string_view sides = to_string(place.sides);
    return heads.empty() ? std::string(sides)
                         : fmt::format("{}, {}", sides, text_of_numbers("head", heads));
}

/// Whether a value is one thing, for verbs and plurals.
bool is_one(const Value& value) {
    if (const auto* numbers = std::get_if<Numbers>(&value)) {
        return numbers->list.size() == 1;
    }
    if (const auto* side = std::get_if<Side>(&value)) {
        return *side != Side::both;
    }
    const auto* count = std::get_if<Index>(&value);
    return count != nullptr && *count == 1;
}

std::string spoken(const Value& value, std::string_view format) {
    const std::string spec = format.empty() ? "{}" : fmt::format("{{:{}}}", format);
    return std::visit(
        Overloaded{[](std::monostate) { return std::string(); },
                   [&](double number) { return fmt::format(fmt::runtime(spec), number); },
                   [&](Index number) { return fmt::format(fmt::runtime(spec), number); },
                   [&](const Measured& of) { return fmt::format(fmt::runtime(spec), of.value); },
                   [](const std::string& word) { return layout_word(word); },
                   [](Side side) { return std::string(to_string(side)); },
                   [](const Numbers& of) { return text_of_numbers(of.noun, of.list); },
                   [](const Place& place) { return text_of(place); },
                   [](const std::vector<Words>& list) {
                       std::string text;
                       for (const Words& each : list) {
                           text += text_of(each);
                       }
                       return text;
                   }},
        static_cast<const Value::variant&>(value));
}

/// `format` is that of a number, ^ for a capital letter, ?one|several for a word that follows the
/// number of things, or what joins a list, behind a *.
std::string formatted(const Value& value, std::string_view format) {
    if (format.starts_with('?')) {
        const std::size_t bar = format.find('|');
        return std::string(is_one(value) ? format.substr(1, bar - 1) : format.substr(bar + 1));
    }
    if (format.starts_with('^')) {
        std::string text = spoken(value, "");
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
        return text;
    }
    const auto* list = std::get_if<std::vector<Words>>(&value);
    if (list != nullptr && format.starts_with('*')) {
        std::string text;
        for (const Words& each : *list) {
            text += std::string(text.empty() ? "" : format.substr(1)) + text_of(each);
        }
        return text;
    }
    return spoken(value, format);
}

}  // namespace

bool Words::operator==(const Words& other) const {
    return phrase == other.phrase && values == other.values;
}

bool Value::operator==(const Value& other) const {
    const variant &mine = *this, &its = other;
    return mine == its;
}
}  // namespace ropescope::diagnosis

template <>
struct fmt::formatter<ropescope::diagnosis::Value> {
    std::string_view format_of_value;

    constexpr auto parse(fmt::format_parse_context& context) {
        const auto* end = context.begin();
        while (end != context.end() && *end != '}') {
            ++end;
        }
        format_of_value = {context.begin(), end};
        return end;
    }
    auto format(const ropescope::diagnosis::Value& value, fmt::format_context& context) const {
        return fmt::format_to(context.out(), "{}",
                              ropescope::diagnosis::formatted(value, format_of_value));
    }
};

namespace ropescope::diagnosis {

std::string text_of(const Words& words) {
    if (words.empty()) {
        return "";
    }
    fmt::dynamic_format_arg_store<fmt::format_context> values;
    for (const Value& value : words.values) {
        values.push_back(std::cref(value));
    }
    return fmt::vformat(words.phrase->words, values);
}

std::vector<std::string> texts_of(const std::vector<Words>& sentences) {
    std::vector<std::string> texts;
    for (const Words& each : sentences) {
        texts.push_back(text_of(each));
    }
    return texts;
}

std::string text_of(const Place& place) {
    std::string text = text_of_sides(place);
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    const auto add_numbers = [&](std::string_view noun, const std::vector<Index>& numbers) {
        if (!numbers.empty()) {
            add(text_of_numbers(noun, numbers));
        }
    };
    const auto add_range = [&](std::string_view one, std::string_view several,
                               const std::optional<Range>& range) {
        if (range) {
            add(range->first == range->last
                    ? fmt::format("{} {}", one, range->first)
                    : fmt::format("{} {} to {}", several, range->first, range->last));
        }
    };
    const auto add_number = [&](std::string_view noun, const std::optional<Index>& number) {
        if (number) {
            add(fmt::format("{} {}", noun, *number));
        }
    };
    add_numbers("row", place.rows);
    add_numbers("batch row", place.batch_rows);
    add_numbers("head", place.heads);
    add_range("query", "queries", place.queries);
    add_range("key", "keys", place.keys);
    add_number("token", place.token);
    add_number("from token", place.from_token);
    add_number("pair", place.pair);
    add_numbers("layer", place.layers);
    return text;
}

Variant<std::monostate, double, std::string> plain(const Value& value) {
    if (std::holds_alternative<std::monostate>(value)) {
        return {};
    }
    if (const auto* number = std::get_if<double>(&value)) {
        return *number;
    }
    if (const auto* count = std::get_if<Index>(&value)) {
        return to_double(*count);
    }
    if (const auto* word = std::get_if<std::string>(&value)) {
        return *word;  // half_split, as options have it
    }
    return spoken(value, "");
}

std::string Finding::text() const {
    return text_of(words);
}

std::string Finding::where() const {
    return text_of(place);
}

}  // namespace ropescope::diagnosis
