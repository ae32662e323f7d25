// The three faces at the pixel sizes that are drawn, so that text is never stretched.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "app/plot/painter.h"

struct ImFont;

namespace ropescope::gui {

/// Fills the atlas of the current ImGui context. Throws CapabilityError when DejaVu is not
/// installed.
class Fonts {
  public:
    /// `density`: framebuffer pixels per ImGui pixel (1 except where a compositor scales).
    explicit Fonts(double density = 1);

    /// The face at the nearest size there is; another size is remembered for load_wanted(). `size`
    /// is that of the em square, as Cairo and CSS count.
    ImFont* get(plot::Face face, double size_px);
    /// ImGui's size of a face: the line height, a whole number of pixels.
    double line_px(double size_px) const;
    /// Makes the sizes that were asked for; true when the atlas was built anew and its texture has
    /// to be uploaded. Not within a frame.
    bool load_wanted();

  private:
    using Key = std::pair<plot::Face, int>;
    double density_;
    std::map<Key, ImFont*> loaded_;
    std::set<Key> wanted_;
};

}  // namespace ropescope::gui
