// Finds the names nearest to a mistyped one by edit distance.
#include "core/base/suggest.h"

#include <algorithm>
#include <numeric>

#include "core/base/ascii.h"

namespace ropescope {
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
        const std::size_t distance = edit_distance(plain, plain_candidate);
        const std::size_t allowed = std::max<std::size_t>(2, candidate.size() / 3);
        const bool contains = plain.size() >= 3 && plain_candidate.find(plain) != std::string::npos;
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

}  // namespace ropescope
