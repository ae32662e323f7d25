// Parses a JSON object within limits.
#include "core/formats/json_object.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/base/characters.h"
#include "core/base/error.h"

namespace ropescope {
namespace {

/// JSON with Python's tokens in quotes, and where the quotes stand in it.
struct Quoted {
    std::string text;
    std::vector<std::size_t> quotes;

    /// The place in the original of a place in `text`.
    std::size_t original(std::size_t byte) const {
        return byte -
               static_cast<std::size_t>(std::ranges::lower_bound(quotes, byte) - quotes.begin());
    }
};

/// Python's json module writes NaN, Infinity and -Infinity for numbers, which JSON does not have.
/// Each becomes a string, so that it is refused only where its key is needed.
Quoted quote_python_numbers(std::string_view text) {
    Quoted quoted;
    quoted.text.reserve(text.size());
    bool in_string = false;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = text.substr(at);
        constexpr std::array kTokens = {std::string_view("NaN"), std::string_view("Infinity"),
                                        std::string_view("-Infinity")};
        const auto* const token = std::ranges::find_if(
            kTokens, [&](std::string_view word) { return !in_string && rest.starts_with(word); });
        if (token != kTokens.end()) {
            quoted.quotes.push_back(quoted.text.size());
            quoted.text += fmt::format("\"{}", *token);
            quoted.quotes.push_back(quoted.text.size());
            quoted.text += '"';
            at += token->size();
            continue;
        }
        const std::size_t length = in_string && rest.front() == '\\' && rest.size() > 1 ? 2 : 1;
        in_string = in_string != (rest.front() == '"');
        quoted.text += rest.substr(0, length);
        at += length;
    }
    return quoted;
}

/// The reason in a message of the library, "[<exception>] <line and column>: <reason>".
std::string text_after(std::string_view mark, std::string_view message) {
    constexpr std::size_t kShown = 160;
    const std::size_t at = message.find(mark);
    return printable(at == std::string_view::npos ? message : message.substr(at + mark.size()),
                     kShown);
}

/// Throws InputError for text that is nested too deep, or an object with a key twice. Every other
/// error is left to the parser that comes after it. It is a pass of its own, because the library's
/// parser with a callback looks through a whole list behind each of its objects.
class ShapeCheck final : public nlohmann::json_sax<nlohmann::json> {
  public:
    explicit ShapeCheck(std::string_view file) : file_(file) {}

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return enter(); }
    bool start_array(std::size_t) override { return enter(); }
    bool end_object() override { return leave(); }
    bool end_array() override { return leave(); }
    bool key(string_t& name) override {
        if (!keys_.back().insert(name).second) {
            throw InputError(
                fmt::format("{}: {}: is there twice; give it once", file_, printable(name)));
        }
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
        return false;
    }

  private:
    bool enter() {
        if (keys_.size() == kMaxJsonDepth) {
            throw InputError(fmt::format("{}: its objects and lists are nested more than {} deep",
                                         file_, kMaxJsonDepth));
        }
        keys_.emplace_back();
        return true;
    }
    bool leave() {
        keys_.pop_back();
        return true;
    }

    std::string file_;
    std::vector<std::set<std::string>> keys_;  ///< of the lists and objects around
};

}  // namespace

nlohmann::json parse_json_object(std::string_view text, const std::string& origin) {
    const std::string file = printable(origin);
    if (text.size() > kMaxJsonBytes) {
        throw InputError(fmt::format(
            "{}: is longer than the {} bytes of JSON that are read at most", file, kMaxJsonBytes));
    }
    // The parser would take a NUL for the end of the text.
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        throw InputError(fmt::format("{}: byte {}: is not valid JSON: a NUL byte", file, nul));
    }
    const Quoted quoted = quote_python_numbers(text);
    try {
        ShapeCheck check(file);
        nlohmann::json::sax_parse(quoted.text, &check);
        nlohmann::json parsed = nlohmann::json::parse(quoted.text);
        if (!parsed.is_object()) {
            throw InputError(fmt::format("{}: byte 0: an object {{...}} is expected", file));
        }
        return parsed;
    } catch (const nlohmann::json::parse_error& error) {
        const std::size_t byte = error.byte == 0 ? 0 : error.byte - 1;
        throw InputError(fmt::format("{}: byte {}: is not valid JSON: {}", file,
                                     quoted.original(byte), text_after(": ", error.what())));
    } catch (const nlohmann::json::exception& error) {  // a number too large for a double
        throw InputError(
            fmt::format("{}: is not valid JSON: {}", file, text_after("] ", error.what())));
    }
}

std::string with_quoted_numbers(std::string_view text) {
    return quote_python_numbers(text).text;
}

}  // namespace ropescope
