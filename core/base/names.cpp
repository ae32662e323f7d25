// Names that users type: which are near, which a pattern means, and lists of them in one line.
#include "core/base/names.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "core/base/characters.h"

namespace ropescope {

// Finds the names nearest to a mistyped one by edit distance.

namespace {

/// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::vector<std::string> near_matches(std::string_view word,
                                      std::span<const std::string> candidates) {
    constexpr std::size_t kMost = 3;
    const std::string plain = lower_case(word);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& candidate : candidates) {
        const std::string plain_candidate = lower_case(candidate);
        const std::size_t allowed = std::max<std::size_t>(2, candidate.size() / 3);
        const bool contains = plain.size() >= 3 && plain_candidate.find(plain) != std::string::npos;
        // Each character too many is a step, so that a word of a megabyte is not compared.
        if (!contains && plain.size() > plain_candidate.size() + allowed) {
            continue;
        }
        const std::size_t distance = edit_distance(plain, plain_candidate);
        if (distance <= allowed || contains) {
            near.emplace_back(distance, candidate);
        }
    }
    std::ranges::stable_sort(near, [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(near.size(), kMost); ++i) {
        names.push_back(near[i].second);
    }
    return names;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
    const std::vector<std::string> names = near_matches(word, candidates);
    if (names.empty()) {
        return "";
    }
    std::string text = "; did you mean ";
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += (i == 0 ? "'" : i + 1 == names.size() ? " or '" : ", '") + names[i] + "'";
    }
    return text + "?";
}

// Joins the first names of a list and counts the rest.

std::string first_names(std::span<const std::string> names, std::size_t most) {
    const auto shown = names.first(std::min(most, names.size()));
    std::string text = fmt::format("{}", fmt::join(shown, ", "));
    if (shown.size() < names.size()) {
        text += fmt::format(" and {} more", names.size() - shown.size());
    }
    return text;
}

// Matches names against patterns with * and ?.

// Greedy with one step of backtracking: only the latest '*' ever needs to take one character more,
// so the time is at most pattern * text, whatever the pattern.
bool glob_matches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t star_text = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            star_text = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++star_text;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') {
        ++p;
    }
    return p == pattern.size();
}

}  // namespace ropescope
