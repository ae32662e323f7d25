// --size WIDTHxHEIGHT, shared by the commands that make pictures.
#pragma once

#include <string_view>

namespace ropescope::cli {

struct PictureSize {
    int width = 0, height = 0;
};

/// "1600x1000"; throws InputError showing the form.
PictureSize parse_size(std::string_view text);

}  // namespace ropescope::cli
