// Numbers and tables as text, for titles, readouts and reports.
#pragma once

#include <string>
#include <vector>

#include "core/base/index.h"

namespace ropescope::figures {

/// "+0.878", "−0.989": always signed, with a true minus, so that columns do not jump.
std::string signed_text(double value, int decimals);
/// "−2.214", "0.732"
std::string fixed_text(double value, int decimals);
/// fixed_text(), but as many significant digits below 0.1: a number other than zero never becomes
/// "0.000".
std::string small_text(double value, int decimals);
/// "( +0.878, −0.479 )"
std::string point_text(double x, double y);
/// "131 072", "−7": every digit below 1e9, thin spaces between thousands, a true minus.
std::string whole_text(Index value);
/// "18 pairs", "1 pair"
std::string counted(Index count, const std::string& noun);

/// Rows of cells under a header, right-aligned in columns two spaces apart.
std::string text_table(const std::vector<std::string>& header,
                       const std::vector<std::vector<std::string>>& rows);

}  // namespace ropescope::figures
