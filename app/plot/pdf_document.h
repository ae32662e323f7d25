// A PDF of several pages, each drawn by a painter.
#pragma once

#include <memory>
#include <string>

#include "app/plot/painter.h"

namespace ropescope::plot {

/// The same drawing gives the same bytes. Throws std::runtime_error if Cairo refuses something.
class PdfDocument {
  public:
    /// `page`: units of the screen, 96 to an inch, as ExportOptions has them.
    PdfDocument(Pixel page, const std::string& title);
    ~PdfDocument();
    PdfDocument(const PdfDocument&) = delete;
    PdfDocument& operator=(const PdfDocument&) = delete;

    /// Draws on the page that is open, in units with y down.
    Painter& painter();
    /// Ends the page and opens another.
    void next_page();
    /// Ends the document and returns its bytes. Nothing can be drawn afterwards.
    std::string finish();

  private:
    struct Drawn;
    std::unique_ptr<Drawn> drawn_;
};

}  // namespace ropescope::plot
