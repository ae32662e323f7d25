// Numbers and tables as text, for titles, readouts and reports.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/sentence.h"
#include "core/base/index.h"
#include "core/base/text_table.h"

namespace ropescope::figures {

/// "+0.878", "−0.989": always signed, with a true minus, so that columns do not jump.
plot::Number signed_text(double value, int decimals);
/// "−2.214", "0.732"
plot::Number fixed_text(double value, int decimals);
/// fixed_text(), but as many significant digits below 0.1: a number other than zero never becomes
/// "0.000".
plot::Number small_text(double value, int decimals);
/// As fmt's "g" writes it with so many digits, for reports.
plot::Number general_text(double value, int digits);
/// "( +0.878, −0.479 )"
std::string point_text(double x, double y);
/// "131 072", "−7": every digit below 1e9, thin spaces between thousands, a true minus.
plot::Number whole_text(Index value);
/// "43.21", "43.21 positions" with such a unit behind it; "stands still" for the infinite
/// wavelength of a pair that does not turn.
std::string wavelength_text(double wavelength, std::string_view unit = "");
/// To two digits, never below the value, which is not negative: a sentence says that nothing is
/// larger.
double two_digits_up(double value);
/// "18 pairs", "1 pair"
plot::Number counted(Index count, const std::string& noun);
/// The same for a noun with a plural of its own: "1 spectrum", "2 spectra".
plot::Number counted(Index count, const std::string& noun, const std::string& plural);
/// The verb after a count: "never finishes" for 1 of them, "never finish" for any other number.
std::string_view agreeing(Index count, std::string_view one, std::string_view several);

/// All indices from 0 to count - 1, or `most` of them at even steps, the first and the last among
/// them. `most` is at least 2.
inline std::vector<Index> evenly_chosen(Index count, Index most) {
    const Index shown = std::min(count, most);
    std::vector<Index> chosen;
    for (Index i = 0; i < shown; ++i) {
        chosen.push_back(shown == 1 ? 0 : i * (count - 1) / (shown - 1));
    }
    return chosen;
}

// Panels of text in lines and columns, without axes.

/// A panel without axes for lines of text, line n at y = -n and column c from x = c to c + 1.
plot::Panel lines_panel(const char* id, double columns, Index lines, int row);

/// Adds a line of cells: the first at the left of its column, the others at the right of theirs
/// and, below the first line, in letters of equal width.
void add_line(plot::Panel& panel, double line, const std::vector<std::string>& cells,
              plot::Role role);

}  // namespace ropescope::figures
