// Reads the types of layers by the architecture's rule and the file's own pattern.
#include "core/formats/gguf/layers.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/index.h"
#include "core/formats/limits.h"

namespace ropescope::gguf {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kPatternKey = "attention.sliding_window_pattern";

bool has_windows(const Metadata& file) {
    switch (file.row.window) {
        case Window::none:
            return false;
        case Window::always:
            return true;
        default:
            break;
    }
    return file.integer("attention.sliding_window", 0, kMaxSeqLen).value_or(0) > 0;
}

/// The file's pattern as a list, true for a window.
std::vector<bool> listed_windows(const Metadata& file, const Json& pattern, std::int64_t layers) {
    if (std::ssize(pattern) < layers) {
        file.fail(kPatternKey, fmt::format("{} entries; one for each of the {} layers is expected",
                                           pattern.size(), layers));
    }
    std::vector<bool> windowed;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const Json& entry = pattern[static_cast<std::size_t>(layer)];
        if (!entry.is_boolean() && !entry.is_number_integer()) {
            file.fail(fmt::format("{}[{}]", kPatternKey, layer),
                      "a truth value is expected: whether the layer has a window");
        }
        windowed.push_back(entry.is_boolean() ? entry.get<bool>() : entry != 0);
    }
    return windowed;
}

}  // namespace

std::int64_t first_count(const Metadata& file, std::string_view key) {
    const Json* value = file.config.find(file.key(key));
    if (value == nullptr || !value->is_array()) {
        return file.integer(key, 0, kMaxCount).value_or(0);
    }
    std::int64_t first = 0;
    bool differs = false;
    for (const Json& entry : *value) {
        const bool fits = entry.is_number_integer() && entry >= 0 && entry <= kMaxCount;
        if (!fits) {
            file.fail(key, fmt::format("a list of numbers from 0 to {} is expected", kMaxCount));
        }
        const auto count = entry.get<std::int64_t>();
        differs = differs || (count != 0 && first != 0 && count != first);
        first = first == 0 ? count : first;
    }
    if (differs) {
        file.assume(
            fmt::format("{} differs by layer; that of the first, {}, is shown", key, first));
    }
    return first;
}

std::int64_t count_layers(const Metadata& file) {
    const auto all = file.integer("block_count", 0, kMaxCount).value_or(0);
    const auto further = file.integer("nextn_predict_layers", 0, kMaxCount).value_or(0);
    return further < all ? all - further : all;
}

std::vector<bool> windowed_layers(const Metadata& file, std::int64_t layers) {
    if (!has_windows(file) || layers == 0) {
        return {};
    }
    const Json* pattern = file.config.find(file.key(kPatternKey));
    if (pattern != nullptr && pattern->is_array()) {
        return listed_windows(file, *pattern, layers);
    }
    const std::int64_t period = file.integer(kPatternKey, 0, kMaxCount).value_or(file.row.period);
    if (period == 0 && pattern == nullptr) {
        file.assume(fmt::format("{} is missing: no layer is shown with a window", kPatternKey));
        return {};
    }
    std::vector<bool> windowed;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const std::int64_t full = file.row.starts_full ? 0 : period - 1;
        windowed.push_back(period == 0 || layer % period != full);
    }
    return windowed;
}

std::vector<Index> still_layers(const Metadata& file, const std::vector<bool>& windowed,
                                std::int64_t layers) {
    const Still still = file.row.still;
    // Llama 4's kin without windows turns everywhere.
    const bool turns_everywhere = still == Still::every && file.row.window == Window::always &&
                                  file.integer("attention.sliding_window", 0, kMaxSeqLen) == 0;
    const std::int64_t leading =
        file.row.leading_turn ? file.integer("leading_dense_block_count", 0, kMaxCount).value_or(0)
                              : 0;
    std::vector<Index> found;
    for (std::int64_t layer = leading; layer < layers && !turns_everywhere; ++layer) {
        const bool is_still =
            still == Still::full
                ? !windowed.empty() && !windowed[static_cast<std::size_t>(layer)]
                : still == Still::every && (layer + 1) % std::max(file.row.still_step, 1) == 0;
        if (is_still) {
            found.push_back(layer);
        }
    }
    return found;
}

}  // namespace ropescope::gguf
