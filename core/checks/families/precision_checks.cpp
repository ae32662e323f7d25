// Checks of fp16 and bf16 rounding and of the precision chains.
#include "core/checks/families/precision_checks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "core/analysis/turns.h"
#include "core/base/number_format.h"
#include "core/checks/families/families.h"
#include "core/checks/reference/error_model.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"
#include "core/systems/source_text.h"

namespace ropescope {
namespace {

/// Of the whole row: the largest distance of cos or sin from the exact ones.
double row_error(const ChainRow& row, const Turn& exact) {
    double error = 0;
    for (std::size_t i = 0; i < exact.cos.size(); ++i) {
        error = std::max(
            {error, std::abs(row.cos[i] - exact.cos[i]), std::abs(row.sin[i] - exact.sin[i])});
    }
    return error;
}

/// How many of value(low), its midpoint with the next pattern and the doubles beside that midpoint
/// round wrongly.
int wrong_around(const HalfFormat& format, std::uint16_t low) {
    const auto high = static_cast<std::uint16_t>(low + 1);
    const auto a = static_cast<double>(format.value(low));
    // Beyond the largest finite value the next step would be as wide as the last.
    const double b =
        high == format.infinity
            ? 2 * a - static_cast<double>(format.value(static_cast<std::uint16_t>(low - 1)))
            : static_cast<double>(format.value(high));
    const double middle = (a + b) / 2;  // exact: 12 bits
    const std::uint16_t even = (low & 1U) == 0 ? low : high;
    const double far = std::numeric_limits<double>::infinity();
    int wrong = 0;
    const auto sign = static_cast<std::uint16_t>(0x8000U);
    const auto expect = [&](double value, std::uint16_t pattern) {
        wrong += format.rounded(value) == pattern ? 0 : 1;
        wrong += format.rounded(-value) == (pattern | sign) ? 0 : 1;
    };
    expect(a, low);
    expect(std::nextafter(middle, -far), low);
    expect(middle, even);
    expect(std::nextafter(middle, far), high);
    return wrong;
}

constexpr std::int64_t kPositions[] = {0, 1, 40, 257, 2000, 16000, 131071, 1048575};

}  // namespace

HalfFormat fp16_format() {
    return {"fp16", 10, 0x7c00, f32_from_f16, f16_from_f64};
}

HalfFormat bf16_format() {
    return {"bf16", 7, 0x7f80, f32_from_bf16, bf16_from_f64};
}

Finding rounds_to_nearest_even(const HalfFormat& format) {
    int wrong = 0;
    for (std::uint16_t low = 0; low < format.infinity; ++low) {
        wrong += wrong_around(format, low);
    }
    return at_most(wrong, 0.0, "bit for bit",
                   fmt::format("{}: every finite value of both signs, subnormals too, every "
                               "midpoint, and the doubles beside it; overflow to infinity",
                               format.name));
}

// Bound: half a unit in the last place below 1, and the angle's and the function's own error.
Finding tables_err_by_half_a_unit(const FillRow& fill, const Cases& cases) {
    WorstCase worst(cases);
    ChainRow row;
    for (const char* id : {"fp32_table", "fp16_table", "bf16_table"}) {
        const PrecisionChain& chain = precision_chain(id);
        for (const Rope& rope : spectrum_sweep(cases)) {
            for (const std::int64_t position : kPositions) {
                fill(chain, rope.spectrum, position, row);
                worst.add(row_error(row, make_turn(rope.spectrum, position)),
                          unit_roundoff(chain.stored) / 2 + 20 * kUnitDouble, [&] {
                              return fmt::format("chain={} {} m={}", id, case_name(rope.spec),
                                                 position);
                          });
            }
        }
    }
    return worst.finding("half a unit below 1 (fp32 2^-25, fp16 2^-12, bf16 2^-9) + 20 u",
                         "positions 0..1048575");
}

// inv_freq is off by 2^-24 of itself, the product by 2^-24 of itself, cos and sin by 2^-25.
Finding fp32_angles_err_with_position(const FillRow& fill, const Cases& cases) {
    WorstCase worst(cases);
    ChainRow row;
    const PrecisionChain& chain = precision_chain("fp32_angle");
    for (const Rope& rope : spectrum_sweep(cases)) {
        for (const std::int64_t position : kPositions) {
            fill(chain, rope.spectrum, position, row);
            const Turn exact = make_turn(rope.spectrum, position);
            for (std::size_t i = 0; i < exact.cos.size(); ++i) {
                const double angle = static_cast<double>(position) * rope.spectrum.inv_freq_rad[i];
                worst.add(std::max(std::abs(row.cos[i] - exact.cos[i]),
                                   std::abs(row.sin[i] - exact.sin[i])),
                          angle * 0x1p-23 * (1 + 0x1p-24) + 0x1p-25 + 20 * kUnitDouble, [&] {
                              return fmt::format("{} m={} pair={}", case_name(rope.spec), position,
                                                 i);
                          });
            }
        }
    }
    return worst.finding("m inv_freq 2^-23 + 2^-25 + 20 u", "positions 0..1048575");
}

Finding bf16_positions_collide(const FillRow& fill) {
    const Spectrum spectrum = make_spectrum({.head_dim = 128, .rotary_dim = 128});
    const PrecisionChain& chain = precision_chain("bf16_positions");
    ChainRow a, b;
    fill(chain, spectrum, 256, a);
    fill(chain, spectrum, 257, b);
    double difference = 0;
    for (std::size_t i = 0; i < a.cos.size(); ++i) {
        difference =
            std::max({difference, std::abs(a.cos[i] - b.cos[i]), std::abs(a.sin[i] - b.sin[i])});
    }
    return at_most(difference, 0.0, "equal bits: 257 rounds to 256",
                   "head_dim 128, base 10000, the rows of positions 256 and 257");
}

// Products of bf16 frequencies and positions below 2^16 are exact in fp32: what is left is rounding
// cos and sin by 2^-25 each. conj(z_m) z_n changes by 4 (2^-25 sqrt 2) at most, each way.
Finding bf16_frequencies_stay_relative(const FillRow& fill, const Cases& cases) {
    const PrecisionChain& chain = precision_chain("bf16_inv_freq");
    WorstCase worst(cases);
    ChainRow rows[4];
    for (const Rope& rope : spectrum_sweep(cases)) {
        for (const std::int64_t shift : {1, 100, 10000, 65000}) {
            const std::int64_t positions[4] = {12, 5, 12 + shift, 5 + shift};
            for (int i = 0; i < 4; ++i) {
                fill(chain, rope.spectrum, positions[i], rows[i]);
            }
            for (std::size_t i = 0; i < rows[0].cos.size(); ++i) {
                const auto part = [&](int m, int n) {
                    return rows[m].cos[i] * rows[n].cos[i] + rows[m].sin[i] * rows[n].sin[i];
                };
                worst.add(std::abs(part(2, 3) - part(0, 1)), 4 * kSqrt2Up * 0x1p-25, [&] {
                    return fmt::format("{} pair={} shift={}", case_name(rope.spec), i, shift);
                });
            }
        }
    }
    return worst.finding("4 sqrt(2) 2^-25: four stored numbers", "shifts 1..65000");
}

std::vector<Check> precision_checks() {
    const auto rounding = [](HalfFormat (*format)()) {
        return [format](const CheckContext&) { return rounds_to_nearest_even(format()); };
    };
    const auto rows = [](Finding (*finding)(const FillRow&, const Cases&)) {
        return [finding](const CheckContext& c) { return finding(fill_chain_row, c.cases); };
    };
    return {
        {.id = "precision.fp16_rounding",
         .title = "fp16, to nearest, ties to even",
         .source = "IEEE 754-2019, section 4.3.1",
         .statement =
             "Every value rounds to the nearest of the format; subnormals are kept, overflow is "
             "infinity.",
         .figure = "precision",
         .run = rounding(fp16_format)},
        {.id = "precision.bf16_rounding",
         .title = "bf16, to nearest, ties to even",
         .source = "IEEE 754-2019, section 4.3.1, for the upper half of binary32",
         .statement =
             "Every value rounds to the nearest of the format; subnormals are kept, overflow is "
             "infinity.",
         .figure = "precision",
         .run = rounding(bf16_format)},
        {.id = "precision.tables",
         .title = "a stored table costs half a unit",
         .source = cite(kRoformerNotebook, "the bf16 cache"),
         .statement =
             "Exact angles stored in 32 or 16 bits err by half a unit, at every position alike.",
         .figure = "precision",
         .run = rows(tables_err_by_half_a_unit)},
        {.id = "precision.fp32_angle",
         .title = "fp32 angles err with the position",
         .source = "Hugging Face and Meta: inv_freq, product and table in fp32",
         .statement = "The error grows with the angle, 2^-23 of it, and never faster.",
         .figure = "precision",
         .run = rows(fp32_angles_err_with_position)},
        {.id = "precision.bf16_positions",
         .title = "bf16 positions collide from 257 on",
         .source = "bf16 has 8 bits: 257 is not among its numbers",
         .statement = "Positions 256 and 257 get one row.",
         .figure = "precision",
         .run = [](const CheckContext&) { return bf16_positions_collide(fill_chain_row); }},
        {.id = "precision.bf16_inv_freq",
         .title = "wrong frequencies stay relative",
         .source = "a model cast to bf16 with its buffers",
         .statement = "With frequencies rounded to bf16 scores still depend on the distance alone.",
         .figure = "precision",
         .run = rows(bf16_frequencies_stay_relative)},
    };
}

}  // namespace ropescope
