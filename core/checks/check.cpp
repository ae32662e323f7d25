// The verdicts that a check can return.
#include "core/checks/check.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/parse_list.h"

namespace ropescope {

std::string_view family_of(std::string_view check_id) {
    return check_id.substr(0, check_id.find('.'));
}

CheckFinding at_most(double measured, double bound, std::string bound_reason, std::string detail) {
    // Written so that NaN on either side fails.
    const Status status = measured <= bound ? Status::passed : Status::failed;
    return {status, measured, bound, std::move(bound_reason), std::move(detail), {}};
}

CheckFinding skipped(std::string reason) {
    CheckFinding finding;
    finding.status = Status::skipped;
    finding.detail = std::move(reason);
    return finding;
}

CheckFinding note(std::string text) {
    CheckFinding finding;
    finding.status = Status::note;
    finding.detail = std::move(text);
    return finding;
}

// Reads the names of cases setting by setting.

namespace {

/// Takes the next word off `text`; empty at its end.
std::string_view next_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    return word;
}

}  // namespace

Cases::Cases(std::string_view text) {
    for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos) {
            throw InputError(
                fmt::format("--case: {} is not a setting; give settings of a case's "
                            "name, such as 'head_dim=128 m=40' (--list-cases)",
                            in_quotes(word)));
        }
        const std::string_view value = word.substr(equals + 1);
        wanted_.push_back({std::string(word.substr(0, equals + 1)), std::string(value),
                           parse_number<double>(value)});
    }
}

std::optional<std::size_t> Cases::agreeing(std::string_view name) const {
    std::size_t found = 0;
    for (std::string_view word = next_word(name); !word.empty(); word = next_word(name)) {
        for (const Setting& setting : wanted_) {
            if (!word.starts_with(setting.key)) {
                continue;
            }
            const std::string_view value = word.substr(setting.key.size());
            if (value != setting.value &&
                !(setting.number && parse_number<double>(value) == setting.number)) {
                return std::nullopt;
            }
            ++found;
        }
    }
    return found;
}

bool Cases::contain(std::string_view name) const {
    return agreeing(name) == wanted_.size();
}

bool Cases::may_contain(std::string_view settings) const {
    return agreeing(settings).has_value();
}

}  // namespace ropescope
