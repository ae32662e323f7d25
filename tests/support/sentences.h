// The sentences of a figure, and patterns that take numbers and words out of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/plot/figure.h"

namespace ropescope::test {

/// A number as it is printed.
struct Printed {
    double value = 0;
    double half_unit = 0;  ///< of the last digit; a whole number is exact up to four digits

    /// Whether `exact` could have been printed in this way.
    bool shows(double exact) const;
};

/// What stood in the places of a pattern.
struct Places {
    std::vector<Printed> numbers;
    std::vector<std::string> words;
};
/// Matches the whole text: `#` in the pattern takes a number, `*` any words, everything else stands
/// for itself. Nothing if the text is another one.
std::optional<Places> match(std::string_view pattern, std::string_view text);

/// The sentences of a text, without their full stops.
std::vector<std::string> sentences_of(const std::string& text);
/// Whether the sentence holds a number or a word that relates one thing to another, or is too long
/// for a name.
bool claims_something(const std::string& sentence);

/// Every sentence that a figure shows: title, subtitle, legend, and the texts in its panels. Facts
/// are "name: text".
std::vector<std::string> shown_sentences(const plot::Figure& figure);

}  // namespace ropescope::test
