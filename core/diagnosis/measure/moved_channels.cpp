// Finds channels by their numbers, and the pairs of what is left.
#include "core/diagnosis/measure/moved_channels.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/diagnosis/measure/pair_samples.h"

namespace ropescope::diagnosis {
namespace {

using Row = std::vector<double>;

/// Rows before, rounded as those behind are, and behind.
struct RowsBeside {
    std::vector<Row> before = {}, behind = {};
};

RowsBeside rows_beside(const DumpSide& side, Dtype behind) {
    constexpr Index kMost = 128;
    const DumpTensor& before = side.before;
    const Index count = std::min(kMost, before.batch * before.heads * before.length);
    RowsBeside rows;
    for (Index i = 0; i < count; ++i) {
        const Index b = i % before.batch, h = i / before.batch % before.heads;
        const Index token = before.length - 1 - i * before.length / count;
        Row x(before.channels), y(before.channels);
        before.read(b, h, token, x);
        side.after.read(b, h, token, y);
        std::ranges::for_each(x, [&](double& value) { value = round_to(behind, value); });
        rows.before.push_back(std::move(x));
        rows.behind.push_back(std::move(y));
    }
    return rows;
}

bool same_numbers(const RowsBeside& rows, Index from, Index to) {
    for (std::size_t i = 0; i < rows.before.size(); ++i) {
        if (rows.before[i][from] != rows.behind[i][to]) {
            return false;
        }
    }
    return true;
}

constexpr Index kTurns = -1;

/// [channels]: where each channel comes out as it was, or kTurns. Empty if two have one place, as
/// channels of zeros have.
std::vector<Index> places_of_still(const RowsBeside& rows, Index channels) {
    std::vector<Index> places(channels, kTurns);
    std::vector<bool> taken(channels);
    for (Index from = 0; from < channels; ++from) {
        for (Index to = 0; to < channels; ++to) {
            if (!same_numbers(rows, from, to)) {
                continue;
            }
            if (places[from] != kTurns || taken[to]) {
                return {};
            }
            places[from] = to;
            taken[to] = true;
        }
    }
    return places;
}

std::vector<double> only(const std::vector<Row>& rows, const std::vector<Index>& channels) {
    std::vector<double> numbers;
    for (const Row& row : rows) {
        for (const Index c : channels) {
            numbers.push_back(row[c]);
        }
    }
    return numbers;
}

/// Channels from `first` on that are written from `first + by` on.
struct MovedBlock {
    Index first = 0, count = 0, by = 0;
};

/// The block from the first channel that turns to the last one. Those inside it that keep their
/// bits, as slow or lucky ones do in a few tokens, move with it, and so do neighbours that keep
/// theirs. Empty if what turns is read and written in blocks of different widths.
std::optional<MovedBlock> block_that_turns(const std::vector<Index>& places) {
    const Index channels = std::ssize(places);
    std::vector<bool> kept(channels);
    for (const Index place : places) {
        if (place != kTurns) {
            kept[place] = true;
        }
    }
    const auto first = std::ranges::find(places, kTurns);
    const auto to_first = std::ranges::find(kept, false);
    if (first == places.end() || to_first == kept.end()) {
        return std::nullopt;
    }
    MovedBlock block{.first = first - places.begin()};
    block.by = to_first - kept.begin() - block.first;
    const auto moves = [&](Index c) { return c >= 0 && c < channels && places[c] == c + block.by; };
    Index last = channels - 1;
    while (places[last] != kTurns) {
        --last;
    }
    while (moves(last + 1)) {
        ++last;
    }
    while (moves(block.first - 1)) {
        --block.first;
    }
    block.count = last + 1 - block.first;
    for (Index c = block.first; c <= last; ++c) {
        if (places[c] != kTurns && !moves(c)) {
            return std::nullopt;
        }
    }
    return block.count % 2 == 0 ? std::optional(block) : std::nullopt;
}

std::vector<Index> counted(Index first, Index count) {
    std::vector<Index> numbers(count);
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

}  // namespace

std::optional<Pairing> find_moved_pairing(const DumpSide& side, const FloatFormat& format) {
    const Index channels = side.before.channels;
    const RowsBeside rows = rows_beside(side, format.dtype);
    const std::vector<Index> places = places_of_still(rows, channels);
    const std::optional<MovedBlock> block = block_that_turns(places);
    if (!block) {
        return std::nullopt;
    }
    const auto inside = [&](Index c) {
        return c >= block->first && c < block->first + block->count;
    };
    std::vector<Index> still_at = counted(0, channels);
    bool moved = false;
    for (Index c = 0; c < channels; ++c) {
        if (!inside(c)) {
            still_at[c] = places[c];
            moved = moved || places[c] != c;
        }
    }
    const std::vector<double> x = only(rows.before, counted(block->first, block->count));
    const std::vector<double> y =
        only(rows.behind, counted(block->first + block->by, block->count));
    Pairing pairing =
        moved ? find_pairing({as_tensor(x, block->count), as_tensor(y, block->count)}, format)
              : Pairing{.kind = PairingKind::no_rotation};
    if (pairing.kind != PairingKind::found || pairing.rotary_dim != block->count) {
        return std::nullopt;
    }
    for (ChannelPair& pair : pairing.pairs) {
        pair = {pair.first + block->first, pair.second + block->first};
    }
    for (ChannelPair& pair : pairing.rotated) {
        const Index by = block->first + block->by;
        pair = {pair.first + by, pair.second + by};
    }
    pairing.layout = "other";
    pairing.still_at = still_at;
    pairing.touched_channels = block->count;
    return pairing;
}

}  // namespace ropescope::diagnosis
