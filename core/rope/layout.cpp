// Computes the channels of a pair and the permutations between the two layouts.
#include "core/rope/layout.h"

#include <array>
#include <fmt/format.h>
#include <numeric>
#include <string>

#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/rope/rope_spec.h"

namespace ropescope {

std::string_view to_string(Layout layout) {
    return layout == Layout::interleaved ? "interleaved" : "half_split";
}

Layout parse_layout(std::string_view text) {
    if (text == "interleaved") {
        return Layout::interleaved;
    }
    if (text == "half_split" || text == "half-split") {
        return Layout::half_split;
    }
    const std::array<std::string, 2> names = {"interleaved", "half_split"};
    throw InputError(fmt::format("layout: '{}' is not known; give interleaved or half_split{}",
                                 text, did_you_mean(text, names)));
}

ChannelPair pair_channels(Layout layout, int rotary_dim, int pair) {
    return layout == Layout::interleaved ? ChannelPair{2 * pair, 2 * pair + 1}
                                         : ChannelPair{pair, pair + rotary_dim / 2};
}

std::vector<int> layout_permutation(Layout from, Layout to, int head_dim, int rotary_dim) {
    validate({.head_dim = head_dim, .rotary_dim = rotary_dim});
    std::vector<int> permutation(static_cast<std::size_t>(head_dim));
    std::iota(permutation.begin(), permutation.end(), 0);
    for (int pair = 0; pair < rotary_dim / 2; ++pair) {
        const ChannelPair source = pair_channels(from, rotary_dim, pair);
        const ChannelPair target = pair_channels(to, rotary_dim, pair);
        permutation[static_cast<std::size_t>(target.first)] = source.first;
        permutation[static_cast<std::size_t>(target.second)] = source.second;
    }
    return permutation;
}

std::vector<float> permute_projection_rows(std::span<const float> weight, int heads, int head_dim,
                                           int rotary_dim, int columns, Layout from, Layout to) {
    const std::vector<int> permutation = layout_permutation(from, to, head_dim, rotary_dim);
    const std::size_t width = columns > 0 ? static_cast<std::size_t>(columns) : 0;
    const std::size_t rows = (heads > 0 ? static_cast<std::size_t>(heads) : 0) * permutation.size();
    if (rows == 0 || width == 0 || weight.size() != rows * width) {
        throw InputError(
            fmt::format("projection weight: {} values do not make heads {} x head_dim {} x columns "
                        "{}; for grouped queries give n_kv_heads for W_k, for a bias 1 column",
                        weight.size(), heads, head_dim, columns));
    }
    std::vector<float> permuted;
    permuted.reserve(weight.size());
    for (std::size_t head = 0; head < rows; head += permutation.size()) {
        for (const int channel : permutation) {
            const auto row =
                weight.subspan((head + static_cast<std::size_t>(channel)) * width, width);
            permuted.insert(permuted.end(), row.begin(), row.end());
        }
    }
    return permuted;
}

}  // namespace ropescope
