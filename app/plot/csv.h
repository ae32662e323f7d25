// A table as CSV.
#pragma once

#include <string>

#include "app/plot/figure.h"

namespace ropescope::plot {

/// CSV with a header line, RFC 4180 quoting, 17 significant digits.
std::string to_csv(const DataTable& table);

}  // namespace ropescope::plot
