// In place of markdown.cpp where cmark-gfm was not there when the program was built.
#include "app/book/markdown.h"
#include "core/base/error.h"

namespace ropescope::book {

MarkdownPage read_markdown(std::string_view, const MapLink&, const PictureHtml&) {
    throw CapabilityError(
        "docs: this ropescope was built without cmark-gfm; install libcmark-gfm-dev and "
        "libcmark-gfm-extensions-dev, and build it again");
}

}  // namespace ropescope::book
