// Computes the channels of a pair and the permutations between the two layouts.
#include "core/rope/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <string>

#include "core/base/error.h"
#include "core/base/names.h"
#include "core/rope/rope_spec.h"

namespace ropescope {

namespace {

/// What people call the layouts after the models that brought them (vLLM: is_neox_style).
std::string_view without_alias(std::string_view text) {
    if (text == "half-split" || text == "neox" || text == "gpt-neox") {
        return "half_split";
    }
    return text == "gptj" || text == "gpt-j" ? "interleaved" : text;
}

}  // namespace

Layout parse_layout(std::string_view text) {
    if (const auto layout = enum_value<Layout>(without_alias(text))) {
        return *layout;
    }
    const std::vector<std::string> names = enum_names<Layout>();
    throw InputError(fmt::format("layout: '{}' is not known; give {}{}", text,
                                 fmt::join(names, " or "), did_you_mean(text, names)));
}

std::string layout_word(std::string_view name) {
    return name == to_string(Layout::half_split) ? "half-split" : std::string(name);
}

ChannelPair pair_channels(Layout layout, Index rotary_dim, Index pair) {
    return layout == Layout::interleaved ? ChannelPair{2 * pair, 2 * pair + 1}
                                         : ChannelPair{pair, pair + rotary_dim / 2};
}

std::vector<Index> layout_permutation(Layout from, Layout to, Index head_dim, Index rotary_dim) {
    validate({.head_dim = head_dim, .rotary_dim = rotary_dim});
    std::vector<Index> permutation(head_dim);
    std::iota(permutation.begin(), permutation.end(), Index{0});
    for (Index pair = 0; pair < rotary_dim / 2; ++pair) {
        const ChannelPair source = pair_channels(from, rotary_dim, pair);
        const ChannelPair target = pair_channels(to, rotary_dim, pair);
        permutation[target.first] = source.first;
        permutation[target.second] = source.second;
    }
    return permutation;
}

std::vector<float> permute_projection_rows(std::span<const float> weight, Index heads,
                                           Index head_dim, Index rotary_dim, Index columns,
                                           Layout from, Layout to) {
    const std::vector<Index> permutation = layout_permutation(from, to, head_dim, rotary_dim);
    const Index rows = heads * head_dim;
    if (heads < 1 || columns < 1 || std::ssize(weight) != rows * columns) {
        throw InputError(
            fmt::format("projection weight: {} values do not make heads {} x head_dim {} x columns "
                        "{}; for grouped queries give n_kv_heads for W_k, for a bias 1 column",
                        weight.size(), heads, head_dim, columns));
    }
    std::vector<float> permuted;
    permuted.reserve(weight.size());
    for (Index head = 0; head < rows; head += head_dim) {
        for (const Index channel : permutation) {
            const auto row = weight.subspan((head + channel) * columns, columns);
            permuted.insert(permuted.end(), row.begin(), row.end());
        }
    }
    return permuted;
}

// Splits pairs of channels into runs and checks that they share no channel.

namespace {

bool is_adjacent(const ChannelPair& pair) {
    return pair.second == pair.first + 1;
}

/// Whether the run goes on with this pair.
bool continues(const PairRun& run, const ChannelPair& pair) {
    const Index step = run.adjacent ? 2 : 1;
    return pair.first == run.first + step * run.count &&
           pair.second == run.second + step * run.count;
}

}  // namespace

std::vector<PairRun> pair_runs(std::span<const ChannelPair> pairs) {
    std::vector<PairRun> runs;
    for (Index i = 0; i < std::ssize(pairs); ++i) {
        if (runs.empty() || !continues(runs.back(), pairs[i])) {
            runs.push_back({i, pairs[i].first, pairs[i].second, 0, is_adjacent(pairs[i])});
        }
        ++runs.back().count;
    }
    return runs;
}

std::optional<Layout> layout_of(std::span<const ChannelPair> pairs) {
    const Index count = std::ssize(pairs);
    for (const Layout layout : {Layout::interleaved, Layout::half_split}) {
        Index i = 0;
        while (i < count && pairs[i] == pair_channels(layout, 2 * count, i)) {
            ++i;
        }
        if (i == count && count > 0) {
            return layout;
        }
    }
    return std::nullopt;
}

PairRun layout_run(Layout layout, Index pairs) {
    const ChannelPair first = pair_channels(layout, 2 * pairs, 0);
    return {0, first.first, first.second, pairs, layout == Layout::interleaved};
}

void validate_pairs(std::span<const ChannelPair> pairs, Index head_dim) {
    std::vector<bool> taken(head_dim, false);
    for (Index i = 0; i < std::ssize(pairs); ++i) {
        for (const Index channel : {pairs[i].first, pairs[i].second}) {
            if (channel < 0 || channel >= head_dim) {
                throw InputError(
                    fmt::format("pairs[{}]: channel {} does not exist; head_dim is {}, "
                                "give channels from 0 to {}",
                                i, channel, head_dim, head_dim - 1));
            }
            if (taken[channel]) {
                throw InputError(fmt::format(
                    "pairs[{}]: channel {} is in two places; give each channel to one pair", i,
                    channel));
            }
            taken[channel] = true;
        }
    }
}

}  // namespace ropescope
