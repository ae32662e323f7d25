// The fonts that are compiled in: a subset of DejaVu for each face (assets/fonts/).
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "app/plot/painter.h"

namespace ropescope::plot {

/// The bytes of a face's TrueType file.
std::string_view face_bytes(Face face);

/// The first and the last of each range of characters that the faces have.
const std::vector<std::pair<char32_t, char32_t>>& face_characters();

}  // namespace ropescope::plot
