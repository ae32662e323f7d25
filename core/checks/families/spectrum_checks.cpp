// Checks of inv_freq, wavelengths and reduced angles.
#include "core/checks/families/spectrum_checks.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "core/checks/families/families.h"
#include "core/checks/reference/error_model.h"
#include "core/checks/reference/long_double_reference.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"

namespace ropescope {
namespace {

std::string swept_specs() {
    return "head_dim 2..256, base 100..1e7, full and partial rotary";
}

std::string where_in_spectrum(const RopeSpec& spec, Index pair) {
    return fmt::format("{} pair={}", case_name(spec), pair);
}

/// Relative error of base^(-2 pair / rotary_dim) rounded to double from long double: u, and in long
/// double, here and in the reference, a few units of 2^-64: rounding the exponent moves the result
/// by x = 2 pair / rotary_dim ln(base) of them, pow and exp are within two, the logarithm, two
/// products and a quotient in the reference make 4 x.
double inv_freq_error(const RopeSpec& spec, Index pair) {
    const double x = 2.0 * to_double(pair) / to_double(spec.rotary_dim) * std::log(spec.base);
    return kUnitDouble + (5 * x + 4) * 0x1p-64;
}

}  // namespace

// Bound 0: base^0 is exactly 1.
CheckFinding first_frequency_is_one(const MakeSpectrum& make, const Cases& cases) {
    WorstCase worst(cases);
    for (const Rope& rope : spectrum_sweep(cases)) {
        const RopeSpec& spec = rope.spec;
        const Spectrum spectrum = make(spec);
        worst.add(std::abs(spectrum.inv_freq_rad.at(0) - 1.0), 0.0,
                  [&] { return case_name(spec); });
    }
    return worst.finding("exact: base^0 = 1", swept_specs());
}

// Bound: both frequencies carry their own error, and the quotient rounds.
CheckFinding ratio_is_geometric(const MakeSpectrum& make, const Cases& cases) {
    WorstCase worst(cases);
    for (const Rope& rope : spectrum_sweep(cases)) {
        const RopeSpec& spec = rope.spec;
        const std::vector<double> inv_freq = make(spec).inv_freq_rad;
        const long double ratio = reference_inv_freq(spec.base, spec.rotary_dim, 1);
        for (Index pair = 0; pair + 1 < std::ssize(inv_freq); ++pair) {
            const long double measured = inv_freq[pair + 1] / inv_freq[pair];
            worst.add(static_cast<double>(std::abs(measured / ratio - 1)),
                      inv_freq_error(spec, pair) + inv_freq_error(spec, pair + 1) + kUnitDouble,
                      [&] { return where_in_spectrum(spec, pair); });
        }
    }
    return worst.finding("3 u, and (5 x + 4) 2^-64 of each, x = (2i / rotary_dim) ln base",
                         swept_specs());
}

CheckFinding frequencies_match_long_double(const MakeSpectrum& make, const Cases& cases) {
    WorstCase worst(cases);
    for (const Rope& rope : spectrum_sweep(cases)) {
        const RopeSpec& spec = rope.spec;
        const std::vector<double> inv_freq = make(spec).inv_freq_rad;
        // A spectrum of the wrong length is wrong without bound.
        worst.add(to_double(std::abs(std::ssize(inv_freq) - spec.pairs())), 0.0,
                  [&] { return case_name(spec) + " number=pairs"; });
        for (Index pair = 0; pair < std::min<Index>(spec.pairs(), std::ssize(inv_freq)); ++pair) {
            const long double expected = reference_inv_freq(spec.base, spec.rotary_dim, pair);
            const long double measured = inv_freq[pair];
            worst.add(static_cast<double>(std::abs(measured / expected - 1)),
                      inv_freq_error(spec, pair), [&] { return where_in_spectrum(spec, pair); });
        }
    }
    return worst.finding(
        "u + (5 x + 4) 2^-64, x = (2i / rotary_dim) ln base: rounded once from long double",
        swept_specs());
}

// Bound: the frequency's own error cancels here (both sides use it); 2 pi rounds by u, the division
// by u and the product that checks it by u.
CheckFinding wavelengths_are_turns(const Wavelength& wavelength_positions, const Cases& cases) {
    WorstCase worst(cases);
    for (const Rope& rope : spectrum_sweep(cases)) {
        const RopeSpec& spec = rope.spec;
        const Spectrum& spectrum = rope.spectrum;
        for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
            const double turn = wavelength_positions(spectrum, pair) * spectrum.inv_freq_rad[pair];
            worst.add(std::abs(turn / (2 * std::numbers::pi) - 1.0), 3 * kUnitDouble,
                      [&] { return where_in_spectrum(spec, pair); });
        }
    }
    return worst.finding("3 u: 2 pi, quotient and product round", swept_specs());
}

// Bound: kReductionError, and the reference's own error: the product of 20 and 53 bits rounds by
// 2^-64 of it, and so does the first subtraction.
CheckFinding angles_match_long_double(const ReduceAngle& reduce, const Cases& cases) {
    WorstCase worst(cases);
    for (const Rope& rope : spectrum_sweep(cases)) {
        for (const double inv_freq_rad : rope.spectrum.inv_freq_rad) {
            for (const std::int64_t position : sweep_positions()) {
                const long double angle = static_cast<long double>(position) * inv_freq_rad;
                const long double difference =
                    static_cast<long double>(reduce(position, inv_freq_rad)) - angle;
                worst.add(static_cast<double>(std::abs(reference_reduced(difference))),
                          kReductionError + 2 * static_cast<double>(angle) * 0x1p-64,
                          [&] { return fmt::format("inv_freq={} m={}", inv_freq_rad, position); });
            }
        }
    }
    return worst.finding("8 u + |m| inv_freq 2^-63: the product is exact, 2 pi has two parts",
                         swept_specs() + ", positions 0..1048575");
}

std::vector<Check> spectrum_checks() {
    const auto spectrum_check = [](CheckFinding (*finding)(const MakeSpectrum&, const Cases&)) {
        return [finding](const CheckContext& c) { return finding(make_spectrum, c.cases); };
    };
    return {
        {.id = "rope.spectrum_first",
         .title = "inv_freq[0] = 1",
         .source = "RoFormer, section 3.2.2, Theta",
         .statement = "The first pair turns by one radian a position, whatever the base.",
         .figure = "spectrum spectrum_quantity=inv_freq",
         .run = spectrum_check(first_frequency_is_one)},
        {.id = "rope.spectrum_ratio",
         .title = "geometric ratio base^(-2/d)",
         .source = "RoFormer, section 3.2.2, Theta",
         .statement = "Each pair is slower than the one before by the same factor.",
         .figure = "spectrum spectrum_quantity=inv_freq",
         .run = spectrum_check(ratio_is_geometric)},
        {.id = "rope.spectrum_values",
         .title = "inv_freq = base^(-2i/d)",
         .source = "RoFormer, section 3.2.2, Theta",
         .statement = "Every frequency is the one that the definition gives.",
         .figure = "spectrum spectrum_quantity=inv_freq",
         .run = spectrum_check(frequencies_match_long_double)},
        {.id = "rope.spectrum_wavelength",
         .title = "wavelength = 2 pi / inv_freq",
         .source = "YaRN, section 2.2, eq. 12",
         .statement = "A pair comes round once every wavelength.",
         .figure = "spectrum spectrum_quantity=wavelength",
         .run =
             [](const CheckContext& c) {
                 return wavelengths_are_turns(
                     [](const Spectrum& spectrum, Index pair) {
                         return spectrum.wavelength_positions(pair);
                     },
                     c.cases);
             }},
        {.id = "rope.reduced_angle",
         .title = "angles modulo 2 pi",
         .source = "RoFormer, eq. 15",
         .statement = "The reduced angle differs from position * inv_freq by whole turns only.",
         .figure = "table table_quantity=angle",
         .run =
             [](const CheckContext& c) {
                 return angles_match_long_double(reduced_angle_rad, c.cases);
             }},
    };
}

}  // namespace ropescope
