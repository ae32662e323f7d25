// Tries the layouts of known models first, then every pairing of the channels that change.
#include "core/diagnosis/measure/pairing.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/diagnosis/measure/pair_samples.h"
#include "core/diagnosis/measure/turns.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::diagnosis {
namespace {

PairSamples sample_rows(const DumpSide& side, Index most) {
    const DumpTensor& before = side.before;
    const Index rows = before.batch * before.heads * before.length;
    PairSamples samples{std::min(rows, most), before.channels, {}, {}};
    samples.x.resize(samples.count * samples.channels);
    samples.y.resize(samples.x.size());
    // From the last token backwards, which has turned furthest; a step that shares no factor with
    // the heads would be needed to see all of them, so heads follow a count of their own.
    for (Index i = 0; i < samples.count; ++i) {
        const Index token = before.length - 1 - i * before.length / samples.count;
        const Index b = i % before.batch, h = i / before.batch % before.heads;
        const auto row = [&](std::vector<double>& all) {
            return std::span(all).subspan(i * samples.channels, samples.channels);
        };
        before.read(b, h, token, row(samples.x));
        side.after.read(b, h, token, row(samples.y));
    }
    return samples;
}

Changes changes_of(const PairSamples& samples) {
    Changes changes{std::vector<double>(samples.channels), std::vector<bool>(samples.channels)};
    for (Index c = 0; c < samples.channels; ++c) {
        double change = 0.0, square = 0.0;
        for (Index i = 0; i < samples.count; ++i) {
            const double x = samples.x[i * samples.channels + c];
            const double y = samples.y[i * samples.channels + c];
            change += (y - x) * (y - x);
            square += x * x + y * y;
        }
        changes.share[c] = square > 0.0 ? change / square : 0.0;
        changes.touched[c] = change > 0.0;
    }
    return changes;
}

/// How lengths change, with one gain for all pairs: of the worst pair, and squares of all.
struct PairFit {
    double worst = std::numeric_limits<double>::infinity(), total = 0.0;
};

struct PairSquares {
    double before = 0.0, after = 0.0;
};

PairSquares squares_of(const PairSamples& samples, Index i, ChannelPair pair, ChannelPair rotated) {
    const double* x = samples.x.data() + i * samples.channels;
    const double* y = samples.y.data() + i * samples.channels;
    return {x[pair.first] * x[pair.first] + x[pair.second] * x[pair.second],
            y[rotated.first] * y[rotated.first] + y[rotated.second] * y[rotated.second]};
}

double squared_gain(const PairSamples& samples, const Candidate& candidate) {
    double before = 0.0, after = 0.0;
    for (Index i = 0; i < samples.count; ++i) {
        for (std::size_t p = 0; p < candidate.pairs.size(); ++p) {
            const PairSquares s = squares_of(samples, i, candidate.pairs[p], candidate.rotated[p]);
            before += s.before;
            after += s.after;
        }
    }
    return before > 0.0 ? after / before : 1.0;
}

PairFit fit_of(const PairSamples& samples, const Candidate& candidate) {
    const double gain2 = squared_gain(samples, candidate);
    PairFit fit{0.0, 0.0};
    for (std::size_t p = 0; p < candidate.pairs.size(); ++p) {
        const double error = length_error(samples, candidate.pairs[p], candidate.rotated[p], gain2);
        fit.worst = std::max(fit.worst, error);
        fit.total += error * error;
    }
    return fit;
}

/// The layouts of known models, the most usual first.
std::vector<Candidate> known_layouts(Index head_dim) {
    std::vector<Candidate> all;
    const auto add = [&](std::string name, Index width, std::vector<ChannelPair> pairs) {
        all.push_back({std::move(name), width, pairs, pairs});
    };
    const Index even = head_dim / 2 * 2;
    for (Index width = even; width >= 2; width -= 2) {
        add("half_split", width, channel_pairs(Layout::half_split, width));
        // Where only some pairs turn and are multiplied by a gain, a wider one does not fit.
        add("interleaved", width, channel_pairs(Layout::interleaved, width));
    }
    for (const Index blocks : {2, 3, 4}) {
        if (head_dim % (2 * blocks) == 0 && head_dim > 2 * blocks) {
            add("half_split_per_block", head_dim, half_split_blocks(head_dim / blocks, blocks));
        }
    }
    // Two pairs are the fewest whose channels can come out in another order.
    for (Index width = even; width >= 4; width -= 2) {
        const auto interleaved = channel_pairs(Layout::interleaved, width);
        const auto halves = channel_pairs(Layout::half_split, width);
        all.push_back({"other", width, interleaved, halves});
        all.push_back({"other", width, halves, interleaved});
    }
    if (even >= 4) {  // all channels the other way round
        for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
            const auto pairs = channel_pairs(layout, even);
            std::vector<ChannelPair> flipped = pairs;
            for (ChannelPair& pair : flipped) {
                pair = {even - 1 - pair.first, even - 1 - pair.second};
            }
            all.push_back({"other", even, pairs, std::move(flipped)});
        }
    }
    return all;
}

bool covers(const Candidate& candidate, const std::vector<bool>& strong) {
    std::vector<bool> paired(strong.size());
    for (const ChannelPair& pair : candidate.rotated) {
        paired[pair.first] = paired[pair.second] = true;
    }
    for (std::size_t c = 0; c < strong.size(); ++c) {
        if (strong[c] && !paired[c]) {
            return false;
        }
    }
    return true;
}

/// Pairs each strong channel with the one that keeps the length best; empty unless all find theirs.
std::optional<Candidate> free_pairing(const PairSamples& samples, const std::vector<bool>& strong,
                                      double limit) {
    std::vector<Index> channels;
    double before = 0.0, after = 0.0;
    for (Index c = 0; c < samples.channels; ++c) {
        if (strong[c]) {
            channels.push_back(c);
            for (Index i = 0; i < samples.count; ++i) {
                before += std::pow(samples.x[i * samples.channels + c], 2);
                after += std::pow(samples.y[i * samples.channels + c], 2);
            }
        }
    }
    constexpr std::size_t kMost = 512;  // the search takes their square
    if (channels.size() > kMost || channels.size() % 2 != 0 || before == 0.0) {
        return std::nullopt;
    }
    Candidate found{"other", samples.channels, {}, {}};
    std::vector<bool> taken(samples.channels);
    for (const Index a : channels) {
        Index best = -1;
        double least = limit;
        for (const Index b : channels) {
            if (b > a && !taken[a] && !taken[b]) {
                const double error = length_error(samples, {a, b}, {a, b}, after / before);
                if (error <= least) {
                    least = error;
                    best = b;
                }
            }
        }
        if (best >= 0) {
            taken[a] = taken[best] = true;
            found.pairs.push_back({a, best});
        } else if (!taken[a]) {
            return std::nullopt;
        }
    }
    found.rotated = found.pairs;
    return found;
}

Pairing as_pairing(const Candidate& candidate, const PairFit& fit, const Changes& changes) {
    Pairing pairing{.kind = PairingKind::found,
                    .layout = candidate.layout,
                    .rotary_dim = candidate.rotary_dim,
                    .pairs = candidate.pairs,
                    .rotated = candidate.rotated,
                    .length_error = fit.worst};
    if (candidate.layout == "half_split_per_block") {
        const ChannelPair first = candidate.pairs.front();
        pairing.blocks = candidate.rotary_dim / (2 * (first.second - first.first));
    }
    for (Index c = 0; c < std::ssize(changes.touched); ++c) {
        pairing.touched_channels = changes.touched[c] ? c + 1 : pairing.touched_channels;
    }
    for (std::size_t p = 0; p < pairing.pairs.size(); ++p) {
        const ChannelPair pair = pairing.pairs[p];
        if (changes.touched[pair.first] || changes.touched[pair.second]) {
            pairing.touched_pairs = std::ssize(std::span(pairing.pairs).first(p + 1));
        }
    }
    return pairing;
}

/// Whether the two pair the strong channels alike.
bool same_on(const std::vector<bool>& strong, const Candidate& a, const Candidate& b) {
    const auto partner = [&](const Candidate& candidate) {
        std::vector<Index> partners(strong.size(), -1);
        for (std::size_t p = 0; p < candidate.pairs.size(); ++p) {
            partners[candidate.pairs[p].first] = candidate.rotated[p].second;
            partners[candidate.pairs[p].second] = candidate.rotated[p].first;
        }
        return partners;
    };
    const std::vector<Index> of_a = partner(a), of_b = partner(b);
    for (std::size_t c = 0; c < strong.size(); ++c) {
        if (strong[c] && of_a[c] != of_b[c]) {
            return false;
        }
    }
    return true;
}

double length_of(const std::vector<double>& row) {
    double squares = 0.0;
    for (const double value : row) {
        squares += value * value;
    }
    return std::sqrt(squares);
}

DumpSide first_part(DumpSide side) {
    constexpr Index kHeads = 8, kTokens = 32;
    for (DumpTensor* tensor : {&side.before, &side.after}) {
        tensor->heads = std::min(tensor->heads, kHeads);
    }
    return first_tokens(side, kTokens);
}

/// Whether the channels from `first` on stay as they are.
bool stays_from(const DumpSide& side, Index first) {
    std::vector<double> x(side.before.channels), y(x.size());
    for (Index h = 0; h < side.before.heads; ++h) {
        for (Index l = 0; l < side.before.length; ++l) {
            side.before.read(0, h, l, x);
            side.after.read(0, h, l, y);
            if (!std::equal(x.begin() + first, x.end(), y.begin() + first)) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace

DumpTensor as_tensor(const std::vector<double>& rows, Index channels) {
    return {.name = "rows",
            .dtype = Dtype::f64,
            .data = reinterpret_cast<const std::byte*>(rows.data()),
            .length = std::ssize(rows) / channels,
            .channels = channels,
            .batch_stride = 0,
            .head_stride = 0,
            .position_stride = channels};
}

double length_error(const PairSamples& samples, ChannelPair pair, ChannelPair rotated,
                    double gain2) {
    double error = 0.0, sum = 0.0;
    for (Index i = 0; i < samples.count; ++i) {
        const PairSquares s = squares_of(samples, i, pair, rotated);
        const double expected = gain2 * s.before;
        error += (s.after - expected) * (s.after - expected);
        sum += s.after * s.after + expected * expected;
    }
    return sum > 0.0 ? std::sqrt(error / sum) : 0.0;
}

Index first_changed(const DumpSide& side, Index most) {
    const std::vector<bool> touched = changes_of(sample_rows(side, most)).touched;
    const auto first = std::ranges::find(touched, true);
    return first == touched.end() ? 0 : first - touched.begin();
}

Pairing find_pairing(const DumpSide& side, const FloatFormat& format, Index most) {
    const PairSamples samples = sample_rows(side, most);
    const Changes changes = changes_of(samples);
    // A channel changes strongly if it changes by more than rounding and a table in bf16 would. A
    // squared length then changes by at most 2 kRotationUnits units, or 2^-7 with such a table.
    const double rounding = kRotationUnits * format.unit + 0x1p-8;
    const double limit = 2.0 * rounding;
    std::vector<bool> strong(samples.channels);
    for (Index c = 0; c < samples.channels; ++c) {
        strong[c] = changes.share[c] > 16.0 * rounding * rounding;
    }
    if (std::ranges::none_of(strong, [](bool is) { return is; })) {
        const bool touched = std::ranges::any_of(changes.touched, [](bool is) { return is; });
        return {touched ? PairingKind::unclear : PairingKind::still};
    }
    std::optional<Candidate> best, other;
    PairFit best_fit;
    for (Candidate& candidate : known_layouts(samples.channels)) {
        if (!covers(candidate, strong)) {
            continue;
        }
        const PairFit fit = fit_of(samples, candidate);
        if (fit.worst > limit) {
            continue;
        }
        if (best && !same_on(strong, *best, candidate)) {
            other = candidate;
        }
        // A later layout must fit clearly better: the first of those that fit alike is simpler, and
        // within rounding all do.
        const bool exact = best_fit.worst <= 2.0 * kRotationUnits * format.unit;
        if (!best || (!exact && fit.total < 0.25 * best_fit.total)) {
            best = std::move(candidate);
            best_fit = fit;
        }
    }
    if (!best) {
        // A row fits a pair by chance once in 25 times (the limit in bf16), and some thousand pairs
        // are tried: four rows tell.
        best = samples.count < 4
                   ? std::nullopt
                   : block_pairing(samples, changes, strong, kRotationUnits * format.unit, limit);
        best = best ? std::move(best) : free_pairing(samples, strong, limit);
        if (!best) {
            return {PairingKind::no_rotation};
        }
        best_fit = fit_of(samples, *best);
    }
    Pairing pairing = as_pairing(*best, best_fit, changes);
    if (other && samples.count < 4) {
        pairing.kind = PairingKind::unclear;
    }
    return pairing;
}

std::optional<Pairing> find_scaled_pairing(const DumpSide& side, const FloatFormat& format) {
    constexpr Index kRows = 128, kFewestPairs = 4;
    const DumpTensor& before = side.before;
    const Index count = std::min(kRows, before.batch * before.heads * before.length);
    std::vector<double> x(before.channels), y(before.channels), all_x, all_y;
    for (Index i = 0; i < count; ++i) {
        const Index b = i % before.batch, h = i / before.batch % before.heads;
        const Index token = i * before.length / count;
        before.read(b, h, token, x);
        side.after.read(b, h, token, y);
        const double length = length_of(y);
        if (!(length > 0.0)) {
            continue;
        }
        const double factor = length_of(x) / length;
        std::ranges::for_each(y, [&](double& value) { value *= factor; });
        all_x.insert(all_x.end(), x.begin(), x.end());
        all_y.insert(all_y.end(), y.begin(), y.end());
    }
    if (all_x.empty()) {
        return std::nullopt;
    }
    Pairing pairing = find_pairing(
        {as_tensor(all_x, before.channels), as_tensor(all_y, before.channels)}, format, count);
    const bool found =
        pairing.kind == PairingKind::found && std::ssize(pairing.pairs) >= kFewestPairs;
    return found ? std::optional(std::move(pairing)) : std::nullopt;
}

std::optional<Pairing> find_stretched_pairing(const DumpSide& side, const FloatFormat& format) {
    const DumpSide part = first_part(side);
    if (part.before.heads < 2) {
        return std::nullopt;
    }
    for (Index width = part.before.channels / 2 * 2; width >= 2; width -= 2) {
        if (!stays_from(part, width)) {
            return std::nullopt;  // and so does no narrower one
        }
        for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
            Pairing pairing{.kind = PairingKind::found,
                            .layout = std::string(to_string(layout)),
                            .rotary_dim = width,
                            .pairs = channel_pairs(layout, width)};
            pairing.rotated = pairing.pairs;
            pairing.touched_pairs = width / 2;
            if (recover_turns(part, pairing, format).torn_token < 0) {
                return pairing;
            }
        }
    }
    return std::nullopt;
}

}  // namespace ropescope::diagnosis
