// Pictures as PNG, and several of them as an animated PNG.
#pragma once

#include <string>
#include <vector>

#include "app/plot/painter.h"

namespace ropescope::pages {

/// The bytes of a PNG with transparency; the same image gives the same bytes. Each channel of a
/// colour is at most 2 of 255 away, so that a map of values has a palette and takes few bytes.
std::string png_bytes(const plot::ImageView& image);

/// Frames, each the bytes of a PNG of the same size and form, as one animated PNG that repeats for
/// ever (https://www.w3.org/TR/png-3/, chunks acTL, fcTL and fdAT). Programs that know no animation
/// show the first frame. Throws InputError if there is no frame or a frame has another form.
std::string animated_png(const std::vector<std::string>& frames, int milliseconds_a_frame);

}  // namespace ropescope::pages
