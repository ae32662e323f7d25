// Objects of Cairo and Pango that free themselves.
#pragma once

#include <cairo.h>
#include <memory>
#include <pango/pangocairo.h>
#include <string>

namespace ropescope::plot {

template <auto free_function>
struct FreedBy {
    template <typename T>
    void operator()(T* object) const {
        free_function(object);
    }
};
using Surface = std::unique_ptr<cairo_surface_t, FreedBy<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, FreedBy<cairo_destroy>>;

/// Receives what Cairo writes: `text` is a std::string*.
inline cairo_status_t append_bytes(void* text, const unsigned char* data, unsigned length) {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace ropescope::plot
