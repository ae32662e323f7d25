// Checks of the sinusoidal table, its shift map and additive encodings.
#include "core/checks/families/absolute_checks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/analysis/absolute.h"
#include "core/checks/families/families.h"
#include "core/checks/reference/error_model.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"
#include "core/systems/source_text.h"
#include "core/systems/transcriptions/transcriptions.h"

namespace ropescope {
namespace {

constexpr std::int64_t kTableShifts[] = {0, 1, 17, 1000, 65536};
constexpr std::int64_t kFrom[] = {0, 5, 4096, 131071};

/// Small widths: a written-down map has width^2 entries.
std::vector<Rope> narrow_sweep(const Cases& wanted) {
    std::vector<Rope> ropes = spectrum_sweep(wanted);
    std::erase_if(ropes, [](const Rope& rope) { return rope.spec.rotary_dim > 64; });
    return ropes;
}

std::vector<double> times(const std::vector<double>& map, const std::vector<double>& x) {
    std::vector<double> y(x.size(), 0.0);
    for (std::size_t i = 0; i < map.size(); ++i) {
        y[i / x.size()] += map[i] * x[i % x.size()];
    }
    return y;
}

std::vector<double> sum(std::span<const double> a, std::span<const double> b) {
    std::vector<double> both(a.begin(), a.end());
    for (std::size_t i = 0; i < both.size(); ++i) {
        both[i] += b[i];
    }
    return both;
}

}  // namespace

// The walk through Llama divides the position by the power where the table here multiplies by the
// inverse: the two angles differ by three roundings, 3 u of the angle; the functions by 20 u.
CheckFinding sinusoids_match_document(const PositionRow& row, const Cases& cases) {
    constexpr std::int64_t kRows = 65;
    WorstCase worst(cases);
    for (const int width : {2, 8, 64, 128}) {
        SystemInput input;
        input.arithmetic = Arithmetic::real_numbers;
        const nd::Array table = systems::d2l_table(input, kRows, width);
        const Spectrum spectrum = make_spectrum({.head_dim = width, .rotary_dim = width});
        for (std::int64_t m = 0; m < kRows; ++m) {
            const std::vector<double> mine = row(spectrum, m);
            for (std::size_t c = 0; c < mine.size(); ++c) {
                const double theirs = table.values.at(static_cast<std::size_t>(m * width) + c);
                worst.add(std::abs(mine[c] - theirs),
                          (3 * static_cast<double>(m) + 20) * kUnitDouble,
                          [&] { return fmt::format("width={} m={} channel={}", width, m, c); });
            }
        }
    }
    return worst.finding("(3 m + 20) u", "widths 2..128, positions 0..64");
}

// p_{m+s}, the map and p_m are each within 10 u, a row of the map has two entries; the three angles
// share inv_freq, so its rounding cancels.
CheckFinding shift_map_carries(const ShiftMapUnderTest& map, const Cases& cases) {
    WorstCase worst(cases);
    for (const Rope& rope : narrow_sweep(cases)) {
        for (const std::int64_t shift : kTableShifts) {
            const std::vector<double> m = map(rope.spectrum, shift);
            for (const std::int64_t from : kFrom) {
                const auto carried = times(m, sinusoidal_row(rope.spectrum, from));
                const auto there = sinusoidal_row(rope.spectrum, from + shift);
                for (std::size_t c = 0; c < there.size(); ++c) {
                    worst.add(std::abs(carried[c] - there[c]), 60 * kUnitDouble, [&] {
                        return fmt::format("{} m={} shift={}", case_name(rope.spec), from, shift);
                    });
                }
            }
        }
    }
    return worst.finding("60 u: three tables of 10 u, two products and a sum",
                         "positions 0..131071, shifts 0..65536");
}

CheckFinding shift_map_is_orthogonal(const ShiftMapUnderTest& map, const Cases& cases) {
    WorstCase worst(cases);
    for (const Rope& rope : narrow_sweep(cases)) {
        for (const std::int64_t shift : kTableShifts) {
            const std::vector<double> m = map(rope.spectrum, shift);
            const auto size = static_cast<std::size_t>(rope.spec.rotary_dim);
            for (std::size_t a = 0; a < size; ++a) {
                for (std::size_t b = 0; b < size; ++b) {
                    double product = 0;
                    for (std::size_t row = 0; row < size; ++row) {
                        product += m[row * size + a] * m[row * size + b];
                    }
                    worst.add(std::abs(product - (a == b ? 1 : 0)), 50 * kUnitDouble, [&] {
                        return fmt::format("{} shift={}", case_name(rope.spec), shift);
                    });
                }
            }
        }
    }
    return worst.finding("50 u: columns of two entries, each within 10 u", "shifts 0..65536");
}

// Four dot products against one of sums: d terms each, |x| and |p| up to sqrt(d).
CheckFinding four_terms_make_the_score(const Cases& cases) {
    WorstCase worst(cases);
    for (const int width : {2, 16, 128}) {
        const auto size = static_cast<std::size_t>(width);
        const Spectrum spectrum = make_spectrum({.head_dim = width, .rotary_dim = width});
        const Projection query(size, 1), key(size, 2);
        const HeadRows content = random_rows(2, width, 5);
        const auto p_m = sinusoidal_row(spectrum, 40), p_n = sinusoidal_row(spectrum, 33);
        const AdditiveTerms terms = additive_terms(query.apply(content[0]), query.apply(p_m),
                                                   key.apply(content[1]), key.apply(p_n));
        const double whole =
            dot(query.apply(sum(content[0], p_m)), key.apply(sum(content[1], p_n))) /
            std::sqrt(width);
        worst.add(std::abs(terms.sum() - whole), 40.0 * width * std::sqrt(width) * kUnitDouble,
                  [&] { return fmt::format("width={}", width); });
    }
    return worst.finding("40 d sqrt(d) u: five dot products of d terms, |W(x + p)|^2 <= 4 d",
                         "widths 2, 16 and 128");
}

// Measured: how much of the sum's movement along the sequence is missing for it to be at least 1e-3
// of its terms; RoPE's own constancy is rope.shift_invariance.
CheckFinding added_positions_are_not_relative() {
    constexpr int kWidth = 128;
    const Spectrum spectrum = make_spectrum({.head_dim = kWidth, .rotary_dim = kWidth});
    const Projection query(kWidth, 1), key(kWidth, 2);
    const HeadRows content = random_rows(2, kWidth, 5);
    const auto x = query.apply(content[0]), y = key.apply(content[1]);
    double least = 1e300, most = -1e300;
    for (std::int64_t m = 7; m < 256; ++m) {
        const double score = additive_terms(x, query.apply(sinusoidal_row(spectrum, m)), y,
                                            key.apply(sinusoidal_row(spectrum, m - 7)))
                                 .sum();
        least = std::min(least, score);
        most = std::max(most, score);
    }
    constexpr double kClear = 1e-3;
    return at_most(std::max(0.0, kClear - (most - least)), 0.0,
                   "a movement of 1e-3 is 1e9 times what rounding does",
                   fmt::format("distance 7, query positions 7..255: the score runs from {:.3f} to "
                               "{:.3f}",
                               least, most));
}

std::vector<Check> absolute_checks() {
    return {
        {.id = "absolute.table",
         .title = "the sinusoidal table",
         .source = cite(kLlamaWalkthrough, "PositionalEncoding"),
         .statement =
             "p[2i] = sin(m theta_i) and p[2i+1] = cos(m theta_i), as the document's code has it.",
         .figure = "absolute",
         .run =
             [](const CheckContext& c) {
                 return sinusoids_match_document(sinusoidal_row, c.cases);
             }},
        {.id = "absolute.shift_map",
         .title = "one map shifts every position",
         .source = "Vaswani et al. 2017, section 3.5; Llama walk-through",
         .statement = "p_{m+s} = M_s p_m with one M_s for every m.",
         .figure = "absolute",
         .run = [](const CheckContext& c) { return shift_map_carries(shift_map, c.cases); }},
        {.id = "absolute.shift_orthogonal",
         .title = "the shift map is a rotation",
         .source = cite(kLlamaWalkthrough, "the shift of the sinusoidal table"),
         .statement = "M_s^T M_s is the identity.",
         .figure = "absolute",
         .run = [](const CheckContext& c) { return shift_map_is_orthogonal(shift_map, c.cases); }},
        {.id = "absolute.four_terms",
         .title = "four terms make the score",
         .source = "RoFormer, eq. 6",
         .statement = "(W_q (x + p_m))^T W_k (y + p_n) is the sum of its four products.",
         .figure = "absolute",
         .run = [](const CheckContext& c) { return four_terms_make_the_score(c.cases); }},
        {.id = "absolute.not_relative",
         .title = "added positions are not relative",
         .source = "RoFormer, eq. 6-10",
         .statement = "At one distance the score of added positions moves along the sequence.",
         .figure = "absolute",
         .run = [](const CheckContext&) { return added_positions_are_not_relative(); }},
    };
}

}  // namespace ropescope
