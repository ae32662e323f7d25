// Mistakes that people make in y = x cos + rotate_half(x) sin, and what they make of its factors.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <string_view>

#include "core/diagnosis/channel_mixture.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::diagnosis {
namespace {

/// Half a unit in the last place of bf16: cos and sin may come from such a table.
constexpr double kTableError = 0x1p-9;

/// Factors of two channels of a pair at a token.
struct Pair {
    double first, second, error;
};

class Factors {
  public:
    explicit Factors(const ChannelMixture& mixture) : mixture_(mixture) {}

    /// Whether it holds for both channels of every pair at every token that the dump leaves not
    /// open; false if it leaves most of them open.
    bool for_pairs(Layout layout, const std::vector<double>& factors,
                   const std::function<bool(const Pair&)>& holds) const {
        Index seen = 0;
        const auto pairs = channel_pairs(layout, mixture_.width);
        for (Index t = 0; t < mixture_.tokens; ++t) {
            for (const ChannelPair& pair : pairs) {
                const Index a = t * mixture_.width + pair.first;
                const Index b = t * mixture_.width + pair.second;
                const double error = mixture_.error[a] + mixture_.error[b];
                if (error <= kLoosest) {
                    ++seen;
                    if (!holds({factors[a], factors[b], error})) {
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

bool alike(const Pair& pair) {
    return std::abs(pair.first - pair.second) <= pair.error + 2.0 * kTableError;
}
bool opposite(const Pair& pair) {
    return alike({pair.first, -pair.second, pair.error});
}
bool alike_but_for_sign(const Pair& pair) {
    return alike(pair) || opposite(pair);
}
bool absent(const Pair& pair) {
    return std::abs(pair.first) <= pair.error && std::abs(pair.second) <= pair.error;
}

std::string_view words(Layout layout) {
    return layout == Layout::half_split ? "half_split" : "interleaved";
}

/// cos or sin with a factor; empty if neither explains the lengths.
std::optional<std::string> scaled_part(const ChannelMixture& mixture, const Factors& factors,
                                       const std::string& side) {
    const double sin = factors.factor_on(mixture.partner, mixture.own);
    const double cos = factors.factor_on(mixture.own, mixture.partner);
    if (sin > 0.0 && factors.on_ellipse(1.0, 1.0 / (sin * sin))) {
        return fmt::format(
            "sin is multiplied by {:.4g} in {}, and cos is not: that is no rotation.", sin, side);
    }
    if (cos > 0.0 && factors.on_ellipse(1.0 / (cos * cos), 1.0)) {
        return fmt::format(
            "cos is multiplied by {:.4g} in {}, and sin is not: that is no rotation.", cos, side);
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> mixture_text(const ChannelMixture& mixture, const std::string& side) {
    const Factors factors(mixture);
    const Layout partners = mixture.layout;
    const Layout other = partners == Layout::half_split ? Layout::interleaved : Layout::half_split;
    if (factors.for_pairs(partners, mixture.partner, absent)) {
        return fmt::format(
            "Channels of {} are multiplied by factors of their own, and their partners are never "
            "added: the term with sin is missing.",
            side);
    }
    const bool whole = factors.on_ellipse(1.0, 1.0);
    if (factors.for_pairs(partners, mixture.own, alike)) {
        if (whole && factors.for_pairs(partners, mixture.partner, alike)) {
            return fmt::format(
                "The partner is added in both channels of every pair of {}, where it is subtracted "
                "in one: {} lost its minus sign.",
                side,
                partners == Layout::half_split ? "rotate_half" : "the rotation of neighbours");
        }
        if (!whole && factors.for_pairs(partners, mixture.partner, opposite)) {
            return scaled_part(mixture, factors, side);
        }
        return std::nullopt;
    }
    if (whole && factors.for_pairs(other, mixture.own, alike) &&
        factors.for_pairs(other, mixture.partner, alike_but_for_sign)) {
        return fmt::format(
            "Channels of {} are added to their {} partners, but cos and sin are laid out for {} "
            "pairs: the two channels of a pair turn by different angles.",
            side, words(partners), words(other));
    }
    return std::nullopt;
}

}  // namespace ropescope::diagnosis
