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

/// The slow pairs of a few tokens may turn by less than a bit, and then look as if they stayed: of
/// pairs (i, i + n) that all move as far, there are n, if those that are missing move as far, too.
void add_slow_pairs(Pairing& pairing) {
    const auto [first, second] = pairing.pairs.front();
    const Index half = second - first, by = pairing.rotated.front().first - first;
    std::vector<ChannelPair> all;
    for (Index i = 0; i < half; ++i) {
        all.push_back({first + i, second + i});
    }
    const auto moves = [&](const ChannelPair& pair, const ChannelPair& to) {
        return to == ChannelPair{pair.first + by, pair.second + by};
    };
    const bool alike = std::ranges::equal(pairing.pairs, pairing.rotated, moves);
    const bool known = std::ranges::all_of(pairing.pairs, [&](const ChannelPair& pair) {
        return std::ranges::find(all, pair) != all.end();
    });
    const bool missing_move = std::ranges::all_of(all, [&](const ChannelPair& pair) {
        const auto at = [&](Index c) {
            return c < std::ssize(pairing.still_at) ? pairing.still_at[c] : Index{-1};
        };
        return std::ranges::find(pairing.pairs, pair) != pairing.pairs.end() ||
               moves(pair, {at(pair.first), at(pair.second)});
    });
    if (alike && known && missing_move) {
        pairing.pairs = all;
        pairing.rotated = all;
        for (ChannelPair& pair : pairing.rotated) {
            pair = {pair.first + by, pair.second + by};
        }
    }
}

}  // namespace

std::optional<Pairing> find_moved_pairing(const DumpSide& side, const FloatFormat& format) {
    const Index channels = side.before.channels;
    const RowsBeside rows = rows_beside(side, format.dtype);
    const std::vector<Index> places = places_of_still(rows, channels);
    std::vector<Index> read, written(channels), still_at(channels);
    std::iota(written.begin(), written.end(), Index{0});
    std::iota(still_at.begin(), still_at.end(), Index{0});
    bool moved = false;
    for (Index c = 0; c < std::ssize(places); ++c) {
        if (places[c] == kTurns) {
            read.push_back(c);
            continue;
        }
        moved = moved || places[c] != c;
        still_at[c] = places[c];
        std::erase(written, places[c]);
    }
    if (!moved || read.size() < 2) {
        return std::nullopt;
    }
    const std::vector<double> x = only(rows.before, read), y = only(rows.behind, written);
    const Index width = std::ssize(read);
    Pairing pairing = find_pairing({as_tensor(x, width), as_tensor(y, width)}, format);
    if (pairing.kind != PairingKind::found || pairing.rotary_dim != width) {
        return std::nullopt;
    }
    for (ChannelPair& pair : pairing.pairs) {
        pair = {read[pair.first], read[pair.second]};
    }
    for (ChannelPair& pair : pairing.rotated) {
        pair = {written[pair.first], written[pair.second]};
    }
    pairing.layout = "other";
    pairing.still_at = still_at;
    add_slow_pairs(pairing);
    pairing.rotary_dim = 2 * std::ssize(pairing.pairs);
    pairing.touched_channels = pairing.rotary_dim;
    return pairing;
}

}  // namespace ropescope::diagnosis
