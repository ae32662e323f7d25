// The small language in which a lesson states numbers: sums and products of named numbers, and
// comparisons of them. It knows nothing of scenes; the caller says what the names stand for.
//
//   score[query_position=13, key_position=6] = score        a name may be asked in another scene
//   unfinished_pairs >= 2 * 20                              = != < <= > >=
//   layout is interleaved,   systems is not different       names that stand for words
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope::lessons {

/// What the names in an expression stand for. `settings` are "name=value", as --set takes them.
struct Names {
    /// Throws InputError if there is no number of this name.
    std::function<double(std::string_view name, const std::vector<std::string>& settings)> number;
    /// Throws InputError if there is no word of this name.
    std::function<std::string(std::string_view name, const std::vector<std::string>& settings)>
        word;
};

/// The value of an expression without a comparison. Throws InputError for a mistake in its form.
double value_of(std::string_view expression, const Names& names);

/// A statement with the numbers on its two sides.
struct JudgedStatement {
    bool holds = false;
    std::string sides;  ///< "0.7318 = 0.7318", for messages
};
/// Judges a comparison. Throws InputError for a mistake in its form.
JudgedStatement judge(std::string_view statement, const Names& names);

/// What "=" allows two numbers to differ by, relative to the larger one or to 1. The numbers are
/// means and sums of at most 2^11 cosines and sines in double, with an error below 2^-50 each:
/// summing adds at most 2^11 2^-53 to either side, the difference of two such numbers is below
/// 2^-41, and 2^-40 leaves room for the last roundings.
inline constexpr double kEqualWithin = 0x1p-40;

}  // namespace ropescope::lessons
