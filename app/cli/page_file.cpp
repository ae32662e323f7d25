// Tells pages by the ending of their names.
#include "app/cli/page_file.h"

#include "core/base/ascii.h"
#include "core/base/error.h"

namespace ropescope::cli {

bool is_page(const std::filesystem::path& path) {
    return lower_case(path.extension().string()) == ".html";
}

void require_page_ending(const std::filesystem::path& path) {
    if (!is_page(path)) {
        throw InputError(path.string() + " is not the name of a page; end it in .html");
    }
}

}  // namespace ropescope::cli
