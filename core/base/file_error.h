// The one-line errors about files.
#pragma once

#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <system_error>

#include "core/base/error.h"
#include "core/base/printable.h"

namespace ropescope {

/// Throws InputError: the path, made printable, and what is wrong with it.
[[noreturn]] inline void throw_file_error(const std::filesystem::path& path,
                                          std::string_view what) {
    throw InputError(fmt::format("{}: {}", printable(path.string()), what));
}

/// The same with the system's reason, an errno.
[[noreturn]] inline void throw_file_error(const std::filesystem::path& path, std::string_view what,
                                          int error) {
    throw_file_error(path, fmt::format("{}: {}", what, std::generic_category().message(error)));
}

}  // namespace ropescope
