// The names of files that hold a page.
#pragma once

#include <filesystem>

namespace ropescope::cli {

bool is_page(const std::filesystem::path& path);
/// Throws InputError unless the name ends in .html.
void require_page_ending(const std::filesystem::path& path);

}  // namespace ropescope::cli
