// The three faces at the pixel sizes in which text is drawn, so that it is never stretched.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "app/plot/painter.h"

struct ImFont;

namespace ropescope::gui {

/// Fills the atlas of the current ImGui context.
class Fonts {
  public:
    /// `density`: framebuffer pixels per ImGui pixel (1 except where a compositor scales).
    explicit Fonts(double density = 1);

    /// Returns the face at this size, or else at the nearest one that is loaded; load_wanted() then
    /// loads the size. It is the size of the em square, as in Cairo and CSS.
    ImFont* get(plot::Face face, double size_px);
    /// ImGui's size of a face: the line height, a whole number of pixels.
    double line_px(double size_px) const;
    /// Loads the sizes that get() did not find. Returns whether the atlas is a new one, whose
    /// texture must be uploaded. Not to be called within a frame.
    bool load_wanted();

  private:
    using Key = std::pair<plot::Face, int>;
    double density_;
    std::map<Key, ImFont*> loaded_;
    std::set<Key> wanted_;
};

}  // namespace ropescope::gui
