// Faults in the four products of a pair: (x, y) becomes x cos - y sin and x sin + y cos.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "core/faults/codes.h"
#include "core/faults/rotation/near_families.h"

namespace ropescope::faults {
namespace {

using Map = PairMap (*)(double c, double s);

struct TermFault {
    std::string_view code, text;
    Map map;
};

PairMap with_cosine(double cosine, double s) {
    return {cosine, -s, s, cosine};
}

/// cos and sin of the angle by the first terms of their series.
PairMap by_series(double c, double s, int terms) {
    const double a = std::atan2(s, c), a2 = a * a, gain = std::hypot(c, s);
    const double cosine = terms == 1   ? 1.0
                          : terms == 2 ? 1.0 - a2 / 2.0
                                       : 1.0 - a2 / 2.0 + a2 * a2 / 24.0;
    const double sine = terms == 1   ? a
                        : terms == 2 ? a - a * a2 / 6.0
                                     : a - a * a2 / 6.0 + a * a2 * a2 / 120.0;
    return {gain * cosine, -gain * sine, gain * sine, gain * cosine};
}

/// Faults of more than one product.
std::vector<TermFault> whole_faults() {
    const std::string_view broken = code("not_a_rotation"), order = code("layout.other");
    return {
        {broken,
         "the second channel of each pair was made of the new first one: the pair was overwritten "
         "in place",
         [](double c, double s) {
             return PairMap{c, -s, s * c, c - s * s};
         }},
        {broken,
         "the first channel of each pair was made of the new second one: the pair was overwritten "
         "in place",
         [](double c, double s) {
             return PairMap{c - s * s, -s * c, s, c};
         }},
        {broken, "the pair was multiplied by cos in place, and then turned by sin",
         [](double c, double s) {
             return PairMap{c, -s * c, s * c, c};
         }},
        {broken, "the pair was multiplied by sin in place, and then by cos",
         [](double c, double s) {
             return PairMap{s * c, -s, s, s * c};
         }},
        {broken, "cos was that of twice the angle",
         [](double c, double s) { return with_cosine(c * c - s * s, s); }},
        {broken, "sin was that of twice the angle",
         [](double c, double s) {
             return PairMap{c, -2.0 * s * c, 2.0 * s * c, c};
         }},
        {broken, "the table of cos held sin",
         [](double, double s) {
             return PairMap{s, -s, s, s};
         }},
        {broken, "the table of sin held cos",
         [](double c, double) {
             return PairMap{c, -c, c, c};
         }},
        {broken, "the terms with sin were missing",
         [](double c, double) {
             return PairMap{c, 0, 0, c};
         }},
        {broken, "the terms with cos were missing",
         [](double, double s) {
             return PairMap{0, -s, s, 0};
         }},
        {broken, "cos was left out: its terms were x and y themselves",
         [](double, double s) { return with_cosine(1.0, s); }},
        {broken, "sin was left out: its terms were -y and x themselves",
         [](double c, double) {
             return PairMap{c, -1, 1, c};
         }},
        {broken, "sin had no sign, as sqrt(1 - cos^2) has none",
         [](double c, double s) {
             return PairMap{c, -std::abs(s), std::abs(s), c};
         }},
        {broken, "cos had no sign, as sqrt(1 - sin^2) has none",
         [](double c, double s) { return with_cosine(std::abs(c), s); }},
        {broken, "cos and sin had no signs",
         [](double c, double s) {
             return PairMap{std::abs(c), -std::abs(s), std::abs(s), std::abs(c)};
         }},
        {broken, "cos was squared", [](double c, double s) { return with_cosine(c * c, s); }},
        {broken, "sin was squared",
         [](double c, double s) {
             return PairMap{c, -s * s, s * s, c};
         }},
        {broken, "cos and sin were squared",
         [](double c, double s) {
             return PairMap{c * c, -s * s, s * s, c * c};
         }},
        {broken, "cos had the other sign",
         [](double c, double s) {
             return PairMap{-c, -s, s, -c};
         }},
        {broken, "cos and sin were exchanged in the first channel of each pair",
         [](double c, double s) {
             return PairMap{s, -c, s, c};
         }},
        {broken, "cos and sin were exchanged in the second channel of each pair",
         [](double c, double s) {
             return PairMap{c, -s, c, s};
         }},
        {broken, "cos and sin were exchanged and each pair was turned the other way",
         [](double c, double s) {
             return PairMap{s, c, -c, s};
         }},
        {broken, "the half that is multiplied by sin was (x, x) in place of (-y, x)",
         [](double c, double s) {
             return PairMap{c + s, 0, s, c};
         }},
        {broken, "the half that is multiplied by sin was (-y, -y) in place of (-y, x)",
         [](double c, double s) {
             return PairMap{c, -s, 0, c - s};
         }},
        {broken, "the half that is multiplied by sin was (y, y) in place of (-y, x)",
         [](double c, double s) {
             return PairMap{c, s, 0, c + s};
         }},
        {broken, "the half that is multiplied by sin was (x, -y) in place of (-y, x)",
         [](double c, double s) {
             return PairMap{c + s, 0, 0, c - s};
         }},
        {broken, "the half that is multiplied by sin was (-x, y) in place of (-y, x)",
         [](double c, double s) {
             return PairMap{c - s, 0, 0, c + s};
         }},
        {broken, "the half that is multiplied by sin was (x, y) in place of (-y, x)",
         [](double c, double s) {
             return PairMap{c + s, 0, 0, c + s};
         }},
        {broken, "the new second channel of each pair was written to both",
         [](double c, double s) {
             return PairMap{s, c, s, c};
         }},
        {broken, "the new first channel of each pair was written to both",
         [](double c, double s) {
             return PairMap{c, -s, c, -s};
         }},
        {broken, "the second channel of each pair stayed as it was",
         [](double c, double s) {
             return PairMap{c, -s, 0, 1};
         }},
        {broken, "the first channel of each pair stayed as it was",
         [](double c, double s) {
             return PairMap{1, 0, s, c};
         }},
        {order, "the two channels of each pair came out exchanged",
         [](double c, double s) {
             return PairMap{s, c, c, -s};
         }},
        {order, "the two channels of each pair went in exchanged",
         [](double c, double s) {
             return PairMap{-s, c, c, s};
         }},
        {code("phase"), "the turned channels had the other sign",
         [](double c, double s) {
             return PairMap{-c, s, -s, -c};
         }},
        {broken, "the first channel of each pair came out with the other sign",
         [](double c, double s) {
             return PairMap{-c, s, s, c};
         }},
        {broken, "the second channel of each pair came out with the other sign",
         [](double c, double s) {
             return PairMap{c, -s, -s, -c};
         }},
        {broken, "sin was the angle itself, and cos was 1",
         [](double c, double s) { return by_series(c, s, 1); }},
        {broken, "cos and sin were the first two terms of their series",
         [](double c, double s) { return by_series(c, s, 2); }},
        {broken, "cos and sin were the first three terms of their series",
         [](double c, double s) { return by_series(c, s, 3); }},
    };
}

/// One of the four products.
struct Product {
    std::string_view channel, name, of, function, other_function, other_of;
    double sign;
};
constexpr std::array<Product, 4> kProducts = {{{"first", "x cos", "x", "cos", "sin", "y", 1.0},
                                               {"first", "y sin", "y", "sin", "cos", "x", -1.0},
                                               {"second", "x sin", "x", "sin", "cos", "y", 1.0},
                                               {"second", "y cos", "y", "cos", "sin", "x", 1.0}}};

/// What stands in place of the function in a product, or in that of the other channel.
struct ProductFault {
    std::string_view text;  ///< {0}: "x cos", {1}: "x", {2}: "cos", {3}: "sin", {4}: "y"
    double (*value)(double own, double other, bool of_cos);
    bool moved = false;
};

constexpr std::array<ProductFault, 10> kProductFaults = {{
    {"{0} was missing", [](double, double, bool) { return 0.0; }},
    {"{1} {3} stood in place of {0}", [](double, double other, bool) { return other; }},
    {"-{1} {3} stood in place of {0}", [](double, double other, bool) { return -other; }},
    {"{0} had the other sign", [](double own, double, bool) { return -own; }},
    {"{1} stood in place of {0}", [](double, double, bool) { return 1.0; }},
    {"{4} {2} stood in place of {0}", [](double own, double, bool) { return own; }, true},
    {"{4} {3} stood in place of {0}", [](double, double other, bool) { return other; }, true},
    {"{2} was squared in {0}", [](double own, double, bool) { return own * own; }},
    {"{2} had no sign in {0}", [](double own, double, bool) { return std::abs(own); }},
    {"{2} was that of twice the angle in {0}",
     [](double own, double other, bool of_cos) {
         return of_cos ? own * own - other * other : 2.0 * own * other;
     }},
}};

/// The right matrix with another number in one place.
PairMap with_product(double c, double s, std::size_t at, const ProductFault& fault) {
    PairMap map = {c, -s, s, c};
    const bool of_cos = at == 0 || at == 3;
    const double value = kProducts[at].sign * fault.value(of_cos ? c : s, of_cos ? s : c, of_cos);
    map[at] = fault.moved ? 0.0 : value;
    map[at ^ 1U] += fault.moved ? value : 0.0;
    return map;
}

/// The numbers of the matrix that a factor may be on.
struct FactorOn {
    unsigned which;
    std::string_view text;
};
constexpr std::array<FactorOn, 8> kFactorsOn = {
    {{9, "cos was multiplied by {:.7g}"},
     {6, "sin was multiplied by {:.7g}"},
     {3, "the first channel of each pair was multiplied by {:.7g}"},
     {12, "the second channel of each pair was multiplied by {:.7g}"},
     {1, "x cos was multiplied by {:.7g} in the first channel of each pair (x, y)"},
     {2, "y sin was multiplied by {:.7g} in the first channel of each pair (x, y)"},
     {4, "x sin was multiplied by {:.7g} in the second channel of each pair (x, y)"},
     {8, "y cos was multiplied by {:.7g} in the second channel of each pair (x, y)"}}};

/// The factor on some of the products, from the vector that shows it best: what comes out is a sum
/// of those with the factor and those without.
double factor_in(const NearSubject& subject, unsigned which) {
    double best = 0.0, factor = 1.0;
    for (const MeasuredAngle& at : subject.measured) {
        const PairMap right = planned_map(subject.right, at.pair, at.b, at.h, at.l, {});
        const std::array<double, 4> products = {right[0] * at.x, right[1] * at.y, right[2] * at.x,
                                                right[3] * at.y};
        for (const std::size_t row : {std::size_t{0}, std::size_t{2}}) {
            double with = 0.0, without = 0.0;
            for (const std::size_t i : {row, row + 1}) {
                ((which >> i & 1U) != 0 ? with : without) += products[i];
            }
            const double share = std::abs(with) / std::hypot(at.x, at.y);
            if (share > best) {
                best = share;
                factor = ((row == 0 ? at.to_x : at.to_y) - without) / with;
            }
        }
    }
    return factor;
}

Near other_factors(const NearSubject& subject) {
    if (subject.measured.empty()) {
        return std::nullopt;
    }
    for (const FactorOn& on : kFactorsOn) {
        const double measured = factor_in(subject, on.which);
        constexpr int kMostDigits = 5;
        for (int digits = 1; digits <= kMostDigits; ++digits) {
            const double factor =
                std::strtod(fmt::format("{:.{}e}", measured, digits - 1).c_str(), nullptr);
            if (factor == 1.0 || !std::isfinite(factor) || std::abs(factor) > 4.0) {
                continue;
            }
            RotationPlan plan = subject.right;
            plan.longest = 4.0;
            plan.map = [&](double c, double s) {
                PairMap map = {c, -s, s, c};
                for (std::size_t i = 0; i < map.size(); ++i) {
                    map[i] *= (on.which >> i & 1U) != 0 ? factor : 1.0;
                }
                return map;
            };
            if (subject.matches(plan)) {
                return NamedFault{std::string(code("not_a_rotation")),
                                  fmt::format(fmt::runtime(on.text), factor), true};
            }
        }
    }
    return std::nullopt;
}

/// A change of the angle moves no row of the matrices above by more than 2 times as much: sums of
/// two numbers, or squares. Those of a series, which may move more, only cost a name.
constexpr double kLongest = 2.0;

}  // namespace

Near other_terms(const NearSubject& subject) {
    RotationPlan plan = subject.right;
    plan.longest = kLongest * std::max(1.0, plan.gain * plan.gain);
    for (const TermFault& fault : whole_faults()) {
        plan.map = fault.map;
        if (subject.matches(plan)) {
            return NamedFault{std::string(fault.code), std::string(fault.text)};
        }
    }
    for (const ProductFault& fault : kProductFaults) {
        for (std::size_t at = 0; at < kProducts.size(); ++at) {
            plan.map = [&](double c, double s) { return with_product(c, s, at, fault); };
            if (subject.matches(plan)) {
                const Product& product = kProducts[at];
                const std::string what =
                    fmt::format(fmt::runtime(fault.text), product.name, product.of,
                                product.function, product.other_function, product.other_of);
                return NamedFault{
                    std::string(code("not_a_rotation")),
                    fmt::format("{} in the {} channel of each pair (x, y)", what, product.channel)};
            }
        }
    }
    // A shortcut for angles whose sine is small, of a whole turn or of half a turn, too.
    for (const double below : {0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3}) {
        for (const bool half : {false, true}) {
            plan.map = [=](double c, double s) {
                return std::abs(s) < below && (half || c > 0.0) ? with_cosine(1.0, s)
                                                                : with_cosine(c, s);
            };
            if (subject.matches(plan)) {
                return NamedFault{
                    std::string(code("not_a_rotation")),
                    fmt::format("1 stood in place of cos where |sin| was below {}", below)};
            }
        }
    }
    return other_factors(subject);
}

Near other_entries(const NearSubject& subject) {
    const Index pairs = std::ssize(subject.right.pairs);
    if (pairs < 2) {
        return std::nullopt;
    }
    const auto moved = [&](Index by) {
        std::vector<Index> entries;
        for (Index i = 0; i < pairs; ++i) {
            entries.push_back((i + by + pairs) % pairs);
        }
        return entries;
    };
    struct Entries {
        std::string_view code, text;
        std::vector<Index> of_pair, of_sine;
    };
    std::vector<Index> reversed = moved(0);
    std::ranges::reverse(reversed);
    const std::vector<Entries> all = {
        {code("spectrum.exponent_off_by_one"),
         "each pair took cos and sin of the next one",
         moved(1),
         {}},
        {code("spectrum.exponent_off_by_one"),
         "each pair took cos and sin of the one before",
         moved(-1),
         {}},
        {code("not_a_rotation"),
         "each pair took sin of the next one beside its own cos",
         {},
         moved(1)},
        {code("not_a_rotation"),
         "each pair took sin of the one before beside its own cos",
         {},
         moved(-1)},
        {code("spectrum.inverted"), "the pairs took cos and sin in reverse order", reversed, {}},
        {code("spectrum.inverted"),
         "the pairs took sin, and not cos, in reverse order",
         {},
         reversed},
        {code("spectrum.flat"),
         "all pairs took cos and sin of the first",
         std::vector<Index>(static_cast<std::size_t>(pairs), 0),
         {}},
    };
    for (const Entries& entries : all) {
        RotationPlan plan = subject.right;
        plan.first_entry = entries.of_pair;
        plan.second_entry = entries.of_pair;
        plan.sine_entry = entries.of_sine;
        if (subject.matches(plan)) {
            return NamedFault{std::string(entries.code), std::string(entries.text)};
        }
    }
    for (const Index by : {Index{1}, Index{-1}}) {
        RotationPlan plan = subject.right;
        Index first = plan.shape.head_dim;
        for (const ChannelPair& pair : plan.pairs) {
            first = std::min({first, pair.first, pair.second});
        }
        for (ChannelPair& pair : plan.pairs) {
            const auto on = [&](Index channel) {
                return first + (channel - first + by + 2 * pairs) % (2 * pairs);
            };
            pair = {on(pair.first), on(pair.second)};
        }
        plan.written = plan.pairs;
        if (subject.matches(plan)) {
            return NamedFault{
                std::string(code("layout.other")),
                fmt::format("the pairs began one channel {}", by > 0 ? "later" : "earlier")};
        }
    }
    return std::nullopt;
}

}  // namespace ropescope::faults
