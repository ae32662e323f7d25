// The size of a picture as people write it: units of the screen, millimetres or inches.
#pragma once

#include <string_view>

namespace ropescope::plot {

/// Units of a picture in an inch, as CSS has them; a PNG has `scale` pixels for each unit.
inline constexpr double kUnitsPerInch = 96;

struct PictureSize {
    int width = 0, height = 0;  ///< units
};

/// "1600x1000", "84x60mm" or "3.3x2.5in". Throws InputError that shows the forms, beginning with
/// `name`.
PictureSize parse_picture_size(std::string_view name, std::string_view text);

}  // namespace ropescope::plot
