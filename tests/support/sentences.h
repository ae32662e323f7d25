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
    double rounded = 0;    ///< of a value of a sentence: as it is printed

    /// Whether `exact` could have been printed in this way.
    bool shows(double exact) const;
};

/// What stood in the places of a pattern.
struct Places {
    std::vector<Printed> numbers;
    std::vector<std::string> words;
};
/// The number with which a text begins; nothing if it begins with none.
std::optional<Printed> printed(std::string_view text);
/// Whether what is printed of a value shows it.
bool is_printed(const plot::SentenceValue& value);
/// The values of a sentence; of a number the value itself, and half a unit of what is printed.
Places places_of(const plot::Sentence& sentence);
/// Its words, without the spaces and full stops that join it to others.
std::string words_of(const plot::Sentence& sentence);
/// What remains of a text without its sentences.
std::string without_sentences(const plot::Text& text);
/// Whether a number stands in the text, apart from indices and exponents in markup.
bool has_number(const std::string& text);

/// Matches the whole text: `#` in the pattern takes a number, `*` any words, everything else stands
/// for itself. Nothing if the text is another one.
std::optional<Places> match(std::string_view pattern, std::string_view text);

/// The sentences of a text, without their full stops.
std::vector<std::string> sentences_of(const std::string& text);
/// Every text that a figure shows: title, subtitle, legend, and the texts in its panels.
std::vector<plot::Text> shown_texts(const plot::Figure& figure);

}  // namespace ropescope::test
