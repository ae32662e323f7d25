// Faults in the four products of a pair: (x, y) becomes x cos - y sin and x sin + y cos.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
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

struct ProductFault {
    std::function<std::string(const Product&)> text;
    std::function<double(double own, double other)> value;  ///< of the function in the product
    bool moved = false;                                     ///< to the other channel
};

std::vector<ProductFault> product_faults() {
    return {
        {[](const Product& p) { return fmt::format("{} was missing", p.name); },
         [](double, double) { return 0.0; }},
        {[](const Product& p) {
             return fmt::format("{} {} stood in place of {}", p.of, p.other_function, p.name);
         },
         [](double, double other) { return other; }},
        {[](const Product& p) {
             return fmt::format("-{} {} stood in place of {}", p.of, p.other_function, p.name);
         },
         [](double, double other) { return -other; }},
        {[](const Product& p) { return fmt::format("{} had the other sign", p.name); },
         [](double own, double) { return -own; }},
        {[](const Product& p) { return fmt::format("{} stood in place of {}", p.of, p.name); },
         [](double, double) { return 1.0; }},
        {[](const Product& p) {
             return fmt::format("{} {} stood in place of {}", p.other_of, p.function, p.name);
         },
         [](double own, double) { return own; }, true},
        {[](const Product& p) {
             return fmt::format("{} {} stood in place of {}", p.other_of, p.other_function, p.name);
         },
         [](double, double other) { return other; }, true},
        {[](const Product& p) { return fmt::format("{} was squared in {}", p.function, p.name); },
         [](double own, double) { return own * own; }},
        {[](const Product& p) { return fmt::format("{} had no sign in {}", p.function, p.name); },
         [](double own, double) { return std::abs(own); }},
    };
}

/// The right matrix with another number in one place.
PairMap with_product(double c, double s, std::size_t at, const ProductFault& fault) {
    PairMap map = {c, -s, s, c};
    const bool of_cos = at == 0 || at == 3;
    const double value = kProducts[at].sign * fault.value(of_cos ? c : s, of_cos ? s : c);
    map[at] = fault.moved ? 0.0 : value;
    map[at ^ 1U] += fault.moved ? value : 0.0;
    return map;
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
    const std::vector<ProductFault> faults = product_faults();
    for (const ProductFault& fault : faults) {
        for (std::size_t at = 0; at < kProducts.size(); ++at) {
            plan.map = [&](double c, double s) { return with_product(c, s, at, fault); };
            if (subject.matches(plan)) {
                return NamedFault{std::string(code("not_a_rotation")),
                                  fmt::format("{} in the {} channel of each pair (x, y)",
                                              fault.text(kProducts[at]), kProducts[at].channel)};
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
    return std::nullopt;
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
    return std::nullopt;
}

}  // namespace ropescope::faults
