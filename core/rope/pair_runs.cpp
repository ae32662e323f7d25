// Splits pairs of channels into runs and checks that they share no channel.
#include "core/rope/pair_runs.h"

#include <fmt/format.h>

#include "core/base/error.h"

namespace ropescope {
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
