// One line of text as Pango lays it out: alike at every place and on every machine.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "app/plot/cairo_handles.h"
#include "app/plot/painter.h"

namespace ropescope::plot {

class TextLine {
  public:
    /// The context must live as long as this.
    explicit TextLine(cairo_t* context);

    void set(std::string_view text, const TextStyle& style);
    Pixel size() const;       ///< of what was set, in pixels
    double baseline() const;  ///< pixels below the top
    PangoLayout* layout() const { return layout_.get(); }

  private:
    std::unique_ptr<PangoLayout, FreedBy<g_object_unref>> layout_;
};

}  // namespace ropescope::plot
