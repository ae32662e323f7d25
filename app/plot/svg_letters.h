// Sizes and outlines of letters, for SvgPainter.
// Sources: svg_letters.cpp, by Pango and Cairo; svg_letters_freetype.cpp, by FreeType alone, where
// they are missing.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "app/plot/painter.h"

namespace ropescope::plot {

/// One line of text at a time, as it lies in a picture.
class SvgLetters {
  public:
    /// `font` as ExportOptions has it.
    explicit SvgLetters(std::string_view font = "sans");
    ~SvgLetters();

    void set(std::string_view text, const TextStyle& style);
    Pixel size() const;       ///< of what was set, in pixels
    double baseline() const;  ///< pixels below the top
    /// By which other programs find the font, with what to take in its place.
    const std::string& family() const;
    /// The outlines as the commands of an SVG path, with the top left of the line at `at`.
    std::string outlines(Pixel at) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace ropescope::plot
