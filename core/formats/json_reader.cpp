// Reads the tokens of JSON one after the other and names the byte of each mistake.
#include "core/formats/json_reader.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/error.h"

namespace ropescope {
namespace {

/// Stands for itself inside a JSON string, without a look at its neighbours.
bool is_plain(char c) {
    return c >= 0x20 && c < 0x7F && c != '\\';
}

}  // namespace

std::size_t JsonReader::byte() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    return first_byte_ + at_;
}

bool JsonReader::accept(char wanted) {
    byte();
    const bool there = at_ < text_.size() && text_[at_] == wanted;
    at_ += there ? 1U : 0U;
    return there;
}

void JsonReader::expect(char wanted, std::string_view what) {
    if (!accept(wanted)) {
        fail_expected(what, fmt::format("'{}'", wanted));
    }
}

std::string JsonReader::string(std::string_view what) {
    const std::size_t start = byte();
    if (!accept('"')) {
        fail_expected(what, "a string");
    }
    const std::size_t first = at_;
    while (at_ < text_.size() && text_[at_] != '"') {
        at_ += text_[at_] == '\\' ? 2U : 1U;
    }
    if (at_ >= text_.size()) {
        fail(start, fmt::format("{}: a string does not end", what));
    }
    const std::string_view raw = text_.substr(first, at_ - first);
    ++at_;
    if (std::ranges::all_of(raw, is_plain)) {
        return std::string(raw);
    }
    // Escapes and UTF-8 are the library's work.
    const std::string_view token = text_.substr(first - 1, raw.size() + 2);
    const nlohmann::json parsed = nlohmann::json::parse(token, nullptr, false);
    if (!parsed.is_string()) {
        fail(start, fmt::format("{}: {} is not a JSON string in UTF-8", what, in_quotes(raw)));
    }
    return parsed.get<std::string>();
}

std::int64_t JsonReader::integer(std::string_view what) {
    constexpr std::string_view kExpected = "an integer from 0 to 9223372036854775807";
    byte();
    const char* const first = text_.data() + at_;
    const char* const last = text_.data() + text_.size();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(first, last, value);
    const bool leading_zero = end - first > 1 && *first == '0';
    const bool goes_on = end != last && (*end == '.' || *end == 'e' || *end == 'E');
    if (first == last || !is_digit(*first) || error != std::errc() || leading_zero || goes_on) {
        fail_expected(what, kExpected);
    }
    at_ += end - first;
    return value;
}

void JsonReader::end(std::string_view what) {
    byte();
    if (at_ != text_.size()) {
        fail_expected(what, "the end");
    }
}

void JsonReader::fail(std::size_t at_byte, std::string_view what) const {
    throw InputError(fmt::format("{}: byte {}: {}", printable(origin_), at_byte, what));
}

void JsonReader::fail_expected(std::string_view what, std::string_view expected) {
    constexpr std::size_t kShown = 24;
    const std::size_t where = byte();
    const std::string found = at_ == text_.size()
                                  ? "the header ends"
                                  : in_quotes(text_.substr(at_, kShown)) + " is found";
    fail(where, fmt::format("{}: {} is expected; {}", what, expected, found));
}

}  // namespace ropescope
