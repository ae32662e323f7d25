// Writes pages through Cairo.
#include "app/plot/pdf_document.h"

#include <cairo-pdf.h>
#include <fmt/format.h>
#include <optional>
#include <stdexcept>

#include "app/plot/cairo_painter.h"
#include "app/plot/picture_layout.h"

namespace ropescope::plot {

struct PdfDocument::Drawn {
    std::string bytes;
    CairoSurface surface;
    Context context;
    std::optional<CairoPainter> painter;
};

PdfDocument::PdfDocument(Pixel page, const std::string& title) : drawn_(std::make_unique<Drawn>()) {
    drawn_->surface.reset(cairo_pdf_surface_create_for_stream(
        append_bytes, &drawn_->bytes, page.x * kPointsPerPixel, page.y * kPointsPerPixel));
    const auto set = [&](cairo_pdf_metadata_t key, const char* value) {
        cairo_pdf_surface_set_metadata(drawn_->surface.get(), key, value);
    };
    // With a fixed date the same pages give the same bytes.
    set(CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    set(CAIRO_PDF_METADATA_CREATOR, "ropescope");
    set(CAIRO_PDF_METADATA_TITLE, title.c_str());
    drawn_->context.reset(cairo_create(drawn_->surface.get()));
    cairo_scale(drawn_->context.get(), kPointsPerPixel, kPointsPerPixel);
    drawn_->painter.emplace(drawn_->context.get(), true);
}

PdfDocument::~PdfDocument() = default;

Painter& PdfDocument::painter() {
    return *drawn_->painter;
}

void PdfDocument::next_page() {
    cairo_show_page(drawn_->context.get());
}

std::string PdfDocument::finish() {
    const cairo_status_t drawing = cairo_status(drawn_->context.get());
    drawn_->painter.reset();
    drawn_->context.reset();
    cairo_surface_finish(drawn_->surface.get());
    for (const cairo_status_t status : {drawing, cairo_surface_status(drawn_->surface.get())}) {
        if (status != CAIRO_STATUS_SUCCESS) {
            throw std::runtime_error(
                fmt::format("handout: Cairo cannot draw it: {}", cairo_status_to_string(status)));
        }
    }
    return std::move(drawn_->bytes);
}

}  // namespace ropescope::plot
