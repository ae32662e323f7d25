// Findings of several sides, heads or layers as one list: what all say alike is said once.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "core/diagnosis/explanation.h"
#include "core/diagnosis/finding.h"

namespace ropescope::diagnosis {

/// What parts of a dump are, and the member of Place that tells them apart.
enum class Among : std::uint8_t { sides, heads, layers };

struct FindingsOfPart {
    std::vector<Finding> findings = {};
    Place place = {};  ///< the side, the heads or the layers
};

/// For numbers that are compared elsewhere.
inline constexpr double kAnyNumber = std::numeric_limits<double>::infinity();

/// Whether two findings differ in nothing but the part that they are of. Numbers that were measured
/// may differ by `rounding`, as a share of them, or by errors of their own; those of heads, rows,
/// tokens and channels may not.
bool same(const Finding& a, const Finding& b, Among part, double rounding);
bool same(const Words& a, const Words& b, Among part, double rounding);

/// How exactly lengths of channels, and what is fitted to them, are known.
double rounding_of(std::span<const Explanation> sides);

/// The findings of all parts in their order, once with all places if several parts have the same.
std::vector<Finding> grouped(std::span<const FindingsOfPart> parts, Among part, double rounding);

void add_numbers(std::vector<Index>& all, const std::vector<Index>& more);

/// Makes layouts faults if there are several: they cannot all meet weights that were made for one.
/// Heads of one layout have the same pairs; layers may have other widths.
void weigh_layouts(std::vector<Finding>& findings, Among part);

/// The spectrum of some heads or layers.
struct SpectrumOfPart {
    Words words = {};
    std::vector<Index> numbers = {};
    bool learned = false;  ///< like no other, though it has the same words
};
Words words_of_spectrum(const Explanation& side);

/// "Heads turn at 2 different sets of speeds: heads 0 to 3: base 10000; heads 4 to 7: base
/// 500000."; empty if all have the same.
Words words_of_spectra(std::span<const SpectrumOfPart> parts, Among part);

}  // namespace ropescope::diagnosis
