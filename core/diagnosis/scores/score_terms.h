// What becomes of queries and keys before they are multiplied, and of the scores behind it. Kernels
// round what they are given, so that the rounded numbers follow from those of a dump: scores in
// 16-bit arithmetic are predicted as exactly as those in float32, and none has room to be wrong.
#pragma once

#include <span>
#include <vector>

#include "core/diagnosis/rounding.h"

namespace ropescope::diagnosis {

/// To nearest, ties to even, but for TF32 (float32 with 10 bits behind the point), which hardware
/// also rounds with ties away from zero, or cuts off.
enum class TermRounding : std::uint8_t { none, f16, bf16, tf32, tf32_away, tf32_cut };

struct ScoreTerms {
    /// Where the factor is applied: to the scores; to queries; its root to queries and to keys.
    enum class FactorOn : std::uint8_t { scores, queries, both };

    TermRounding q = TermRounding::none, k = TermRounding::none;
    FactorOn factor_on = FactorOn::scores;
    bool rounded_before = false;  ///< the terms are rounded before the factor, and again behind it
    double factor = 1.0;
    /// The dump has the very numbers that the kernel rounded: they have 16 bits, as in its memory.
    bool of_kept_numbers = false;

    bool as_dumped() const { return q == TermRounding::none && k == TermRounding::none; }
    /// Puts what is multiplied in place of a query or a key, with the factor divided out. Returns
    /// by how much it may be another vector: a number that lies within some float32 units of the
    /// middle between two of the format may be rounded to either.
    double apply(bool to_query, std::span<double> vector) const;
};

/// Those that kernels have: the dumped ones, and then from the most frequent on.
std::vector<ScoreTerms> usual_terms();

/// The numbers that a score may be: those of a format, or those times the factor, which was then
/// applied in float32 to sums in the format. Any number if the format is float64.
struct ScoreGrid {
    Dtype dtype = Dtype::f64;
    double factor = 1.0;

    bool holds(double score) const;
};

}  // namespace ropescope::diagnosis
