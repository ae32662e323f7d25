// Reads and computes the expressions of lessons in one pass.
#include "app/lessons/expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <optional>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/index.h"
#include "core/base/read_number.h"

namespace ropescope::lessons {
namespace {

bool starts_a_name(char c) {
    return is_letter(c) || c == '_';
}

constexpr bool is_space(char c) {
    return c == ' ';
}

/// A number as a setting takes it: whole numbers without a point.
std::string setting_text(double value) {
    return value == std::round(value) && std::abs(value) < 0x1p53 ? fmt::format("{:.0f}", value)
                                                                  : fmt::format("{:.17g}", value);
}

class Reader {
  public:
    Reader(std::string_view text, const Names& names) : text_(text), names_(names) {}

    double whole_value() {
        const double value = sum();
        require_end();
        return value;
    }

    Judged whole_statement() {
        if (const std::optional<Judged> words = word_comparison()) {
            return *words;
        }
        const double left = sum();
        const std::string sign = comparison_sign();
        const double right = sum();
        require_end();
        return {compare(left, sign, right), fmt::format("{:.6g} {} {:.6g}", left, sign, right)};
    }

  private:
    [[noreturn]] void fail(std::string_view expected) const {
        throw InputError(fmt::format("{}: {} is expected at {}", in_quotes(text_), expected,
                                     at_ == text_.size() ? "the end" : in_quotes(rest())));
    }
    std::string_view rest() const { return text_.substr(at_); }

    void skip_spaces() {
        while (at_ < text_.size() && is_space(text_[at_])) {
            ++at_;
        }
    }
    bool accept(std::string_view wanted) {
        skip_spaces();
        const bool there = rest().starts_with(wanted);
        at_ += there ? wanted.size() : 0;
        return there;
    }
    void expect(std::string_view wanted) {
        if (!accept(wanted)) {
            fail(wanted);
        }
    }
    void require_end() {
        skip_spaces();
        if (at_ != text_.size()) {
            fail("the end");
        }
    }

    std::string_view name() {
        skip_spaces();
        const std::size_t first = at_;
        while (at_ < text_.size() && (starts_a_name(text_[at_]) || is_digit(text_[at_]))) {
            ++at_;
        }
        return text_.substr(first, at_ - first);
    }

    double sum() {
        double value = product();
        while (true) {
            if (accept("+")) {
                value += product();
            } else if (accept("-")) {
                value -= product();
            } else {
                return value;
            }
        }
    }

    double product() {
        double value = factor();
        while (true) {
            if (accept("*")) {
                value *= factor();
            } else if (accept("/")) {
                value /= factor();
            } else {
                return value;
            }
        }
    }

    double factor() {
        if (accept("-")) {
            const Depth deeper(*this);
            return -factor();
        }
        if (accept("(")) {
            const Depth deeper(*this);
            const double value = sum();
            expect(")");
            return value;
        }
        skip_spaces();
        if (at_ == text_.size()) {
            fail("a number or a name");
        }
        if (is_digit(text_[at_]) || text_[at_] == '.') {
            return literal();
        }
        if (!starts_a_name(text_[at_])) {
            fail("a number or a name");
        }
        const std::string_view what = name();
        if ((what == "abs" || what == "sqrt") && accept("(")) {
            const Depth deeper(*this);
            const double value = sum();
            expect(")");
            return what == "abs" ? std::abs(value) : std::sqrt(value);
        }
        if (what == "pi") {
            return std::numbers::pi;
        }
        return names_.number(what, settings());
    }

    double literal() {
        double value = 0;
        const char* const first = text_.data() + at_;
        const auto [end, error] = read_number(first, text_.data() + text_.size(), value);
        if (error != std::errc()) {
            fail("a number");
        }
        at_ += static_cast<std::size_t>(end - first);
        return value;
    }

    /// "[name=value, name=(expression)]", or nothing.
    std::vector<std::string> settings() {
        std::vector<std::string> list;
        if (!accept("[")) {
            return list;
        }
        do {
            const std::string parameter(name());
            expect("=");
            list.push_back(parameter + "=" + setting_value());
        } while (accept(","));
        expect("]");
        return list;
    }

    std::string setting_value() {
        if (accept("(")) {
            const Depth deeper(*this);
            const double value = sum();
            expect(")");
            return setting_text(value);
        }
        skip_spaces();
        const std::size_t end = std::min(text_.find_first_of(",]", at_), text_.size());
        const std::string value(text_.substr(at_, end - at_));
        at_ = end;
        return value;
    }

    /// "name is word" or "name is not word"; nothing, and nothing read, for another form.
    std::optional<Judged> word_comparison() {
        const std::string_view what = name();
        const std::vector<std::string> in = what.empty() ? std::vector<std::string>{} : settings();
        if (what.empty() || !accept("is ")) {
            at_ = 0;
            return std::nullopt;
        }
        const bool negated = accept("not ");
        skip_spaces();
        std::string_view wanted = rest();
        while (!wanted.empty() && is_space(wanted.back())) {
            wanted.remove_suffix(1);
        }
        if (wanted.empty()) {
            fail("a word");
        }
        const std::string found = names_.word(what, in);
        return Judged{(found == wanted) != negated,
                      fmt::format("{} is {}{}", found, negated ? "not " : "", wanted)};
    }

    std::string comparison_sign() {
        for (const char* sign : {"<=", ">=", "!=", "=", "<", ">"}) {
            if (accept(sign)) {
                return sign;
            }
        }
        fail("one of = != < <= > >=");
    }

    static bool compare(double left, std::string_view sign, double right) {
        // Infinities of the same sign are equal; NaN equals nothing.
        const double scale = std::max({1.0, std::abs(left), std::abs(right)});
        const bool equal = left == right ||
                           (std::isfinite(scale) && std::abs(left - right) <= kEqualWithin * scale);
        if (sign == "=") {
            return equal;
        }
        if (sign == "!=") {
            return !equal && !std::isnan(left) && !std::isnan(right);
        }
        if (sign == "<=") {
            return left <= right;
        }
        if (sign == ">=") {
            return left >= right;
        }
        return sign == "<" ? left < right : left > right;
    }

    /// Brackets that are open; a text of brackets alone must not exhaust the stack.
    class Depth {
      public:
        explicit Depth(Reader& reader) : reader_(reader) {
            constexpr int kMost = 32;
            if (++reader_.depth_ > kMost) {
                reader_.fail("fewer brackets in each other");
            }
        }
        ~Depth() { --reader_.depth_; }
        Depth(const Depth&) = delete;
        Depth& operator=(const Depth&) = delete;

      private:
        Reader& reader_;
    };

    std::string_view text_;
    const Names& names_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

double value_of(std::string_view expression, const Names& names) {
    return Reader(expression, names).whole_value();
}

Judged judge(std::string_view statement, const Names& names) {
    return Reader(statement, names).whole_statement();
}

}  // namespace ropescope::lessons
