// One line of text as Pango lays it out: alike at every place and on every machine.
#pragma once

#include <cairo.h>
#include <memory>
#include <pango/pangocairo.h>
#include <string>
#include <string_view>

#include "app/plot/painter.h"

namespace ropescope::plot {

// Objects of Cairo and Pango that free themselves.

template <auto free_function>
struct FreedBy {
    template <typename T>
    void operator()(T* object) const {
        free_function(object);
    }
};
using CairoSurface = std::unique_ptr<cairo_surface_t, FreedBy<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, FreedBy<cairo_destroy>>;

/// Receives what Cairo writes: `text` is a std::string*.
inline cairo_status_t append_bytes(void* text, const unsigned char* data, unsigned length) {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

class TextLine {
  public:
    /// The context must live as long as this. `family`: ChosenFont::pango.
    explicit TextLine(cairo_t* context, std::string family = {});

    /// Lays out. Throws std::runtime_error if Pango cannot open a font that the text needs: a
    /// picture with other letters would be another picture.
    void set(std::string_view text, const TextStyle& style);
    Pixel size() const;       ///< of what was set, in pixels
    double baseline() const;  ///< pixels below the top
    PangoLayout* layout() const { return layout_.get(); }

  private:
    std::unique_ptr<PangoLayout, FreedBy<g_object_unref>> layout_;
    std::string family_;
};

// The compiled-in fonts as Pango finds them.

/// The family by which Pango finds a face; the faces are made known to fontconfig by the first
/// call. If that fails, and for other characters, the family names what the system may have.
const char* pango_family(Face face);

/// A font that is chosen for a picture.
struct ChosenFont {
    std::string pango;   ///< the family by which Pango finds it; empty: the compiled-in faces
    std::string family;  ///< the same for other programs
};

/// `font` as ExportOptions has it. Throws InputError if it is a file that is not a font.
ChosenFont chosen_font(std::string_view font);

}  // namespace ropescope::plot
