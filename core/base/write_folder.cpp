// Writes folders of files beside their place, and renames them at the end.
#include "core/base/write_folder.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/write_file.h"

namespace ropescope {
namespace {

namespace fs = std::filesystem;

/// Without a slash at the end, which would hide the folder's name.
fs::path plain_folder(const fs::path& target) {
    if (target.empty()) {
        throw InputError("output: the name is empty; give the name of a folder");
    }
    const fs::path normal = target.lexically_normal();
    return normal.has_filename() || !normal.has_relative_path() ? normal : normal.parent_path();
}

fs::path or_here(const fs::path& folder) {
    return folder.empty() ? fs::path(".") : folder;
}

void make_folders(const fs::path& folder, const fs::path& target) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) {
        throw_file_error(target, fmt::format("cannot be written: {}", failed.message()));
    }
}

}  // namespace

FolderUnderWay::FolderUnderWay(const fs::path& target) : target_(plain_folder(target)) {
    fs::path above = target_;
    std::vector<fs::path> missing;
    while (path_kind(or_here(above)) == PathKind::nothing) {
        refuse_dangling_link(target_, above);
        missing.push_back(above.filename());
        above = above.parent_path();
    }
    if (path_kind(or_here(above)) != PathKind::folder) {
        throw_file_error(target_, "cannot be made a folder: Not a directory; name another one");
    }
    is_new_ = !missing.empty();
    first_new_ = is_new_ ? above / missing.back() : target_;
    temporary_.emplace(or_here(above) / ".ropescope-folder-", mode_t{0777}, target_);
    contents_ = temporary_->path();
    if (is_new_) {
        missing.pop_back();
    }
    std::for_each(missing.rbegin(), missing.rend(),
                  [&](const fs::path& name) { contents_ /= name; });
}

void FolderUnderWay::write_by(const std::string& name,
                              const std::function<void(const fs::path&)>& writer) {
    const fs::path path = contents_ / name;
    make_folders(path.parent_path(), target_);
    names_.push_back(name);
    try {
        writer(path);
    } catch (const InputError& error) {
        std::string said = error.what();
        if (const std::size_t at = said.find(path.string()); at != std::string::npos) {
            said.replace(at, path.string().size(), (target_ / name).string());
        }
        throw InputError(said);
    }
}

void FolderUnderWay::write(const std::string& name, std::string_view bytes) {
    write_by(name, [&](const fs::path& path) { write_file_whole(path, bytes); });
}

void FolderUnderWay::require_no_folder_in_place() const {
    for (const std::string& name : names_) {
        make_folders((target_ / name).parent_path(), target_);
        if (path_kind(target_ / name) == PathKind::folder) {
            throw_file_error(target_ / name, "is a folder; a file has to be written there");
        }
    }
}

void FolderUnderWay::remove_others(const NameFilter& stale) const {
    std::vector<fs::path> found;
    std::error_code failed;
    for (fs::directory_iterator entry(target_, failed), end; entry != end && !failed;
         entry.increment(failed)) {
        const std::string name = entry->path().filename().string();
        if (stale(name) && std::ranges::find(names_, name) == names_.end()) {
            found.push_back(entry->path());
        }
    }
    for (const fs::path& path : found) {
        if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
            throw_file_error(path, "is of an earlier run and cannot be removed", errno);
        }
    }
}

void FolderUnderWay::publish(const NameFilter& stale) {
    if (is_new_ && temporary_->publish(first_new_)) {
        return;
    }
    make_folders(target_, target_);  // where another run has made a part of its path meanwhile
    // A file system that has no locks has none; then two that end at once may mix.
    const Descriptor locked(::open(target_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ::flock(locked.get(), LOCK_EX);
    require_no_folder_in_place();  // before any file is replaced
    std::for_each(names_.rbegin(), names_.rend(), [&](const std::string& name) {
        if (::rename((contents_ / name).c_str(), (target_ / name).c_str()) != 0) {
            throw_file_error(target_ / name, "cannot be replaced", errno);
        }
    });
    if (stale) {
        remove_others(stale);
    }
}

}  // namespace ropescope
