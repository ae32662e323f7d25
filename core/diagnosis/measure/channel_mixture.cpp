// What each channel is a sum of, by least squares, and the mistake in a rotation that makes it so.
#include "core/diagnosis/measure/channel_mixture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "core/diagnosis/phrases.h"
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

/// Half a unit in the last place of bf16: cos and sin may come from such a table.
constexpr double kTableError = 0x1p-9;

/// MixtureFactors of the two channels of a pair at a token, and the bound of their errors.
struct PairFactors {
    std::array<double, 2> own, partner;
    double error;
};
using Holds = std::function<bool(const PairFactors&)>;

class MixtureFactors {
  public:
    explicit MixtureFactors(const ChannelMixture& mixture) : mixture_(mixture) {}

    /// Whether it holds for every pair at every token that the dump leaves not open; false if it
    /// leaves most of them open.
    bool for_pairs(Layout layout, const Holds& holds) const {
        Index seen = 0;
        const auto pairs = channel_pairs(layout, mixture_.width);
        for (Index t = 0; t < mixture_.tokens; ++t) {
            for (const ChannelPair& pair : pairs) {
                const Index a = t * mixture_.width + pair.first;
                const Index b = t * mixture_.width + pair.second;
                const double error = mixture_.error[a] + mixture_.error[b];
                if (error <= kLoosest) {
                    ++seen;
                    if (!holds({{mixture_.own[a], mixture_.own[b]},
                                {mixture_.partner[a], mixture_.partner[b]},
                                error})) {
                        return false;
                    }
                }
            }
        }
        return 2 * seen > mixture_.tokens * std::ssize(pairs);
    }

    /// Whether own^2 u + partner^2 v is 1 at every channel and token.
    bool on_ellipse(double u, double v) const {
        Index seen = 0;
        for (std::size_t i = 0; i < mixture_.own.size(); ++i) {
            if (mixture_.error[i] <= kLoosest) {
                ++seen;
                const double off = u * mixture_.own[i] * mixture_.own[i] +
                                   v * mixture_.partner[i] * mixture_.partner[i] - 1.0;
                // Each square moves by twice the error of its root, of at most 1; two roots of a
                // circle add up to sqrt(2) at most.
                const double moves = 2.0 * (std::sqrt(u) + std::sqrt(v));
                if (std::abs(off) > moves * mixture_.error[i] + 4.0 * kTableError) {
                    return false;
                }
            }
        }
        return 2 * seen > std::ssize(mixture_.own);
    }

    /// The factor on `of` that puts it on a circle with `other`; 0 if there is none.
    double factor_on(const std::vector<double>& of, const std::vector<double>& other) const {
        double square = 0.0, rest = 0.0;
        for (std::size_t i = 0; i < of.size(); ++i) {
            if (mixture_.error[i] <= kLoosest) {
                const double x = of[i] * of[i];
                square += x * x;
                rest += x * (1.0 - other[i] * other[i]);
            }
        }
        return rest > 0.0 ? std::sqrt(square / rest) : 0.0;
    }

  private:
    /// Heads of a token that are nearly parallel leave its factors open: known to a 64th at worst,
    /// different cosines would pass for the same at few tokens only.
    static constexpr double kLoosest = 0x1p-6;
    const ChannelMixture& mixture_;
};

/// Whether two numbers, each of at most two factors, agree within their errors and a table's. A
/// product of two factors of a circle moves by the errors of both.
bool agree(double a, double b, double error) {
    return std::abs(a - b) <= 2.0 * error + 4.0 * kTableError;
}

bool own_alike(const PairFactors& pair) {
    return std::abs(pair.own[0] - pair.own[1]) <= pair.error + 2.0 * kTableError;
}
bool partners_alike(const PairFactors& pair) {
    return std::abs(pair.partner[0] - pair.partner[1]) <= pair.error + 2.0 * kTableError;
}
bool partners_opposite(const PairFactors& pair) {
    return std::abs(pair.partner[0] + pair.partner[1]) <= pair.error + 2.0 * kTableError;
}
bool partners_absent(const PairFactors& pair) {
    return std::abs(pair.partner[0]) <= pair.error && std::abs(pair.partner[1]) <= pair.error;
}

bool on_circle(double x, double y, double error) {
    // The roots of x^2 + y^2 = 1 add up to sqrt(2) at most, and a square moves by twice as much.
    return std::abs(x * x + y * y - 1.0) <= 3.0 * (error + 2.0 * kTableError);
}

/// cos - sin and cos + sin, whose squares add up to 2: each channel is its own partner.
bool exchanges_nothing(const PairFactors& pair) {
    constexpr double kHalf = 0.5;
    return partners_absent(pair) && on_circle(kHalf * (pair.own[0] + pair.own[1]),
                                              kHalf * (pair.own[0] - pair.own[1]), pair.error);
}

/// That channel is written last, and reads the other one after it was overwritten: with c and s of
/// the first, it gets c - s^2 of itself and -c s of its partner.
bool reads_overwritten(const PairFactors& pair, int last) {
    const double cos = pair.own[1 - last], sin = pair.partner[1 - last];
    return on_circle(cos, sin, pair.error) && agree(pair.own[last], cos - sin * sin, pair.error) &&
           agree(pair.partner[last], -cos * sin, pair.error);
}

/// That channel stays as it was, while the other one is that of a rotation.
bool left_alone(const PairFactors& pair, int which) {
    return std::abs(pair.own[which] - 1.0) <= pair.error &&
           std::abs(pair.partner[which]) <= pair.error &&
           on_circle(pair.own[1 - which], pair.partner[1 - which], pair.error);
}

std::string name_of(Layout layout) {
    return std::string(to_string(layout));
}

/// What people call the function that exchanges partners.
const Phrase& rotates(Layout layout) {
    return layout == Layout::half_split ? say::kRotateHalf : say::kRotateNeighbours;
}

/// cos or sin with a factor; empty if neither explains the lengths.
std::optional<Words> scaled_part(const ChannelMixture& mixture, const MixtureFactors& factors,
                                 Side side) {
    const double sin = factors.factor_on(mixture.partner, mixture.own);
    const double cos = factors.factor_on(mixture.own, mixture.partner);
    if (sin > 0.0 && factors.on_ellipse(1.0, 1.0 / (sin * sin))) {
        return Words(say::kSinScaled, {sin, side});
    }
    if (cos > 0.0 && factors.on_ellipse(1.0 / (cos * cos), 1.0)) {
        return Words(say::kCosScaled, {cos, side});
    }
    return std::nullopt;
}

/// Channels that get nothing of their partners, so that either layout may be meant.
Words separate(const MixtureFactors& factors, Side side) {
    const auto alike = [](const PairFactors& pair) {
        return own_alike(pair) && std::abs(pair.own[0]) <= 1.0 + pair.error + kTableError;
    };
    for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
        if (factors.for_pairs(layout, alike)) {
            return {say::kSinMissing, {side}};
        }
        if (factors.for_pairs(layout, exchanges_nothing)) {
            return {say::kNotExchanged, {side, rotates(layout)}};
        }
    }
    return {say::kNotAdded, {side}};
}

/// Channels that are written in place, one after the other, or not at all.
std::optional<Words> written_badly(const MixtureFactors& factors, Layout partners, Side side) {
    for (const int which : {0, 1}) {
        const Phrase& one = which == 0 ? say::kFirst : say::kSecond;
        const Phrase& other = which == 0 ? say::kSecond : say::kFirst;
        if (factors.for_pairs(partners,
                              [=](const PairFactors& pair) { return left_alone(pair, which); })) {
            return Words(say::kLeftAlone, {one, name_of(partners), side});
        }
        if (factors.for_pairs(partners, [=](const PairFactors& pair) {
                return reads_overwritten(pair, which);
            })) {
            return Words(say::kOverwritten,
                         {one, name_of(partners), side, other, which == 0 ? 2 : 1});
        }
    }
    return std::nullopt;
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

std::optional<Words> mistake_of(const ChannelMixture& mixture, Side side) {
    const MixtureFactors factors(mixture);
    const Layout partners = mixture.layout;
    const Layout other = partners == Layout::half_split ? Layout::interleaved : Layout::half_split;
    if (factors.for_pairs(partners, partners_absent)) {
        return separate(factors, side);
    }
    const bool whole = factors.on_ellipse(1.0, 1.0);
    if (factors.for_pairs(partners, own_alike)) {
        if (whole && factors.for_pairs(partners, partners_alike)) {
            // Which sign it is would be that of the angle, which nobody knows.
            return Words(say::kSameSign, {side, rotates(partners)});
        }
        if (!whole && factors.for_pairs(partners, partners_opposite)) {
            return scaled_part(mixture, factors, side);
        }
    }
    const auto of_other_layout = [](const PairFactors& pair) {
        return own_alike(pair) && (partners_alike(pair) || partners_opposite(pair));
    };
    if (whole && factors.for_pairs(other, of_other_layout)) {
        return Words(say::kAngleLayout, {side, name_of(partners), name_of(other)});
    }
    for (const auto& [of_cos, of_sin] : {std::pair{partners, other}, std::pair{other, partners}}) {
        const auto sin_alike = [](const PairFactors& pair) {
            return partners_alike(pair) || partners_opposite(pair);
        };
        if (!whole && factors.for_pairs(of_cos, own_alike) &&
            factors.for_pairs(of_sin, sin_alike)) {
            return Words(say::kSinLayout,
                         {side, name_of(partners), name_of(of_cos), name_of(of_sin)});
        }
    }
    return written_badly(factors, partners, side);
}

}  // namespace ropescope::diagnosis
