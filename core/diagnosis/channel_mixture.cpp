// Least squares over the heads of a token: two unknowns for each channel.
#include "core/diagnosis/channel_mixture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/schemes/rotary_scheme.h"

namespace ropescope::diagnosis {
namespace {

/// Rows of the heads of the first sequence at one token, [heads, channels].
struct TokenRows {
    Index heads = 0, channels = 0;
    std::vector<double> x, y;
};

TokenRows rows_of(const DumpSide& side, Index token) {
    constexpr Index kMostHeads = 16;
    TokenRows rows{std::min(side.before.heads, kMostHeads), side.before.channels, {}, {}};
    rows.x.resize(rows.heads * rows.channels);
    rows.y.resize(rows.x.size());
    for (Index h = 0; h < rows.heads; ++h) {
        side.before.read(0, h, token, std::span(rows.x).subspan(h * rows.channels, rows.channels));
        side.after.read(0, h, token, std::span(rows.y).subspan(h * rows.channels, rows.channels));
    }
    return rows;
}

/// 1 + the last channel that changes in these rows.
Index width_of(const TokenRows& rows) {
    Index width = 0;
    for (Index at = 0; at < std::ssize(rows.x); ++at) {
        if (rows.x[at] != rows.y[at]) {
            width = std::max(width, at % rows.channels + 1);
        }
    }
    return width;
}

/// The two factors of a channel at a token, the bound of their errors, and whether they explain it.
struct Factors {
    double own = 0.0, partner = 0.0, error = std::numeric_limits<double>::infinity();
    bool fits = false;
};

Factors factors_of(const TokenRows& rows, Index channel, Index partner, double rounding) {
    double xx = 0.0, xp = 0.0, pp = 0.0, xy = 0.0, py = 0.0, yy = 0.0;
    for (Index h = 0; h < rows.heads; ++h) {
        const double x = rows.x[h * rows.channels + channel];
        const double p = rows.x[h * rows.channels + partner];
        const double y = rows.y[h * rows.channels + channel];
        xx += x * x, xp += x * p, pp += p * p, xy += x * y, py += p * y, yy += y * y;
    }
    const double trace = xx + pp, determinant = xx * pp - xp * xp;
    // The least singular value of the rows bounds how far an error of theirs moves the factors.
    const double least =
        0.5 * (trace - std::sqrt(std::max(trace * trace - 4.0 * determinant, 0.0)));
    // Below this the heads are parallel but for the rounding of these sums in double.
    if (!(least > 1e-12 * trace)) {
        return {.fits = true};  // left open
    }
    Factors found{(xy * pp - py * xp) / determinant, (py * xx - xy * xp) / determinant,
                  rounding * std::sqrt(trace / least), true};
    double misfit = 0.0;
    for (Index h = 0; h < rows.heads; ++h) {
        const double expected = found.own * rows.x[h * rows.channels + channel] +
                                found.partner * rows.x[h * rows.channels + partner];
        misfit += std::pow(rows.y[h * rows.channels + channel] - expected, 2);
    }
    // Each number is off by the rounding of its pair at most.
    found.fits = misfit <= rounding * rounding * (trace + yy);
    return found;
}

std::optional<ChannelMixture> mixture_in(Layout layout, const std::vector<TokenRows>& tokens,
                                         Index width, double rounding) {
    ChannelMixture mixture{.layout = layout, .width = width, .tokens = std::ssize(tokens)};
    std::vector<Index> partner(width);
    for (const ChannelPair& pair : channel_pairs(layout, width)) {
        partner[pair.first] = pair.second;
        partner[pair.second] = pair.first;
    }
    for (const TokenRows& rows : tokens) {
        for (Index c = 0; c < width; ++c) {
            const Factors found = factors_of(rows, c, partner[c], rounding);
            if (!found.fits) {
                return std::nullopt;
            }
            mixture.own.push_back(found.own);
            mixture.partner.push_back(found.partner);
            mixture.error.push_back(found.error);
        }
    }
    return mixture;
}

}  // namespace

std::vector<ChannelMixture> find_mixtures(const DumpSide& side, const FloatFormat& format) {
    constexpr Index kMostTokens = 32;
    std::vector<TokenRows> tokens;
    Index width = 0;
    const Index count = std::min(side.before.length, kMostTokens);
    for (Index i = 0; i < count; ++i) {
        tokens.push_back(rows_of(side, i * side.before.length / count));
        width = std::max(width, width_of(tokens.back()));
    }
    width += width % 2;
    if (side.before.heads < 2 || width < 4 || width > side.before.channels) {
        return {};
    }
    std::vector<ChannelMixture> found;
    const double rounding = kRotationUnits * format.unit;
    const auto look = [&](Layout layout, Index channels) {
        if (auto mixture = mixture_in(layout, tokens, channels, rounding)) {
            found.push_back(std::move(*mixture));
        }
    };
    look(Layout::half_split, width);
    // The second half may have been left as it was.
    if (found.empty() && 2 * width <= side.before.channels) {
        look(Layout::half_split, 2 * width);
    }
    look(Layout::interleaved, width);
    return found;
}

}  // namespace ropescope::diagnosis
