// Tables as text.
#pragma once

#include <string>
#include <vector>

namespace ropescope {

/// Rows of cells under a header, right-aligned in columns two spaces apart.
std::string text_table(const std::vector<std::string>& header,
                       const std::vector<std::vector<std::string>>& rows);

}  // namespace ropescope
