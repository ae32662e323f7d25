// Selects checks by glob.
#include "core/checks/select_checks.h"

#include <algorithm>
#include <iterator>

#include "core/base/error.h"
#include "core/base/glob.h"
#include "core/base/suggest.h"

namespace ropescope {
namespace {

/// The glob without "*" and "?", so that a mistyped one is compared by its letters.
std::string without_wildcards(std::string_view glob) {
    std::string letters(glob);
    std::erase_if(letters, [](char c) { return c == '*' || c == '?'; });
    return letters;
}

[[noreturn]] void refuse_filter(std::string_view glob, std::span<const Check> more) {
    std::vector<std::string> names;
    std::string families;
    for (const std::span<const Check> part : {std::span(all_checks()), more}) {
        for (const Check& check : part) {
            const std::string family = std::string(family_of(check.id)) + ".*";
            if (std::ranges::find(names, family) == names.end()) {
                names.push_back(family);
                families += (families.empty() ? "" : ", ") + family;
            }
            names.push_back(check.id);
        }
    }
    std::string hint = did_you_mean(glob, names);
    if (hint.empty()) {
        hint = did_you_mean(without_wildcards(glob), names);
    }
    throw InputError("--filter: '" + std::string(glob) + "' matches no check" + hint +
                     (hint.empty() ? ";" : "") + " the families are " + families +
                     ", and --list names every check");
}

}  // namespace

std::vector<const Check*> select_checks(std::string_view glob, std::span<const Check> more) {
    std::vector<const Check*> selected;
    for (const std::span<const Check> part : {std::span(all_checks()), more}) {
        for (const Check& check : part) {
            if (glob_matches(glob, check.id)) {
                selected.push_back(&check);
            }
        }
    }
    if (selected.empty()) {
        refuse_filter(glob, more);
    }
    return selected;
}

std::vector<const Check*> select_checks(std::string_view glob) {
    return select_checks(glob, {});
}

}  // namespace ropescope
