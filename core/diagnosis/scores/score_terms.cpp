// Rounds queries, keys and scores as kernels do.
#include "core/diagnosis/scores/score_terms.h"

#include <bit>
#include <cmath>

namespace ropescope::diagnosis {
namespace {

/// Drops 13 of the bits of a float32, after `add` was added to them.
double to_tf32(double value, std::uint32_t add, bool ties_to_even) {
    const auto bits = std::bit_cast<std::uint32_t>(to_float(value));
    const std::uint32_t odd = ties_to_even ? bits >> 13U & 1U : 0U;
    return std::bit_cast<float>((bits + add + odd) & ~std::uint32_t{0x1fff});
}

double rounded_term(TermRounding rounding, double value) {
    switch (rounding) {
        case TermRounding::f16:
            return round_to(Dtype::f16, value);
        case TermRounding::bf16:
            return round_to(Dtype::bf16, value);
        case TermRounding::tf32:
            return to_tf32(value, 0xfff, true);
        case TermRounding::tf32_away:
            return to_tf32(value, 0x1000, false);
        case TermRounding::tf32_cut:
            return to_tf32(value, 0, false);
        default:
            return value;
    }
}

}  // namespace

double ScoreTerms::apply(bool to_query, std::span<double> vector) const {
    const TermRounding rounding = to_query ? q : k;
    if (rounding == TermRounding::none) {
        return 0.0;
    }
    const double scale = factor_on == FactorOn::both                 ? std::sqrt(std::abs(factor))
                         : to_query && factor_on != FactorOn::scores ? std::abs(factor)
                                                                     : 1.0;
    // A number of float32 that was rotated, or scaled by a factor that is not known better.
    const double unsure = of_kept_numbers && factor_on == FactorOn::scores ? 0.0 : 0x1p-21;
    const auto term = [&](double x, double share) {
        const double first = rounded_before ? rounded_term(rounding, x * share) : x;
        return rounded_term(rounding, to_float(first * scale * share)) / scale;
    };
    double squares = 0.0;
    for (double& x : vector) {
        const double spread = term(x, 1.0 + unsure) - term(x, 1.0 - unsure);
        squares += spread * spread;
        x = term(x, 1.0);
    }
    return std::sqrt(squares);
}

std::vector<ScoreTerms> usual_terms() {
    using enum TermRounding;
    using On = ScoreTerms::FactorOn;
    std::vector<ScoreTerms> all = {{none, none}};
    for (const TermRounding rounding : {bf16, f16, tf32, tf32_away, tf32_cut}) {
        all.push_back({rounding, rounding});
        for (const On on : {On::queries, On::both}) {
            all.push_back({rounding, rounding, on, false});
            if (rounding == f16 || rounding == bf16) {
                all.push_back({rounding, rounding, on, true});
            }
        }
    }
    for (const TermRounding rounding : {f16, bf16}) {  // a cache of another format
        all.push_back({none, rounding});
        all.push_back({rounding, none});
    }
    return all;
}

bool ScoreGrid::holds(double score) const {
    if (dtype == Dtype::f64 || !std::isfinite(score) || round_to(dtype, score) == score) {
        return true;
    }
    const double sum = score / factor;
    return factor != 1.0 && std::abs(round_to(dtype, sum) - sum) <= 0x1p-22 * std::abs(sum);
}

}  // namespace ropescope::diagnosis
