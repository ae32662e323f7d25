// Puts runs of numbers together, so that a list of many stays short.
#include "core/diagnosis/number_names.h"

#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace ropescope::diagnosis {

std::string numbered(std::string_view noun, std::span<const Index> numbers) {
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

std::string capitalised(std::string text) {
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

}  // namespace ropescope::diagnosis
