// Writing folders of files that belong together.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/removed_at_end.h"

namespace ropescope {

/// A folder that gets its files under a temporary name, so that it appears with all of them or not
/// at all, and folders above it that are missing appear with it. Files of a folder that is there
/// already are replaced at the end, each as a whole and the first one last, so that a disk that is
/// full or an error in between changes none of them; of two that end at once, one waits for the
/// other. What has not been published is removed however the program ends.
class FolderUnderWay {
  public:
    /// Throws InputError that names the folder and the reason.
    explicit FolderUnderWay(const std::filesystem::path& target);
    FolderUnderWay(const FolderUnderWay&) = delete;
    FolderUnderWay& operator=(const FolderUnderWay&) = delete;

    /// Lets `writer` write a file at the place where it lies until then; `name` may have folders,
    /// which are made. Throws InputError, which names the place that the file was to have.
    void write_by(const std::string& name,
                  const std::function<void(const std::filesystem::path&)>& writer);
    void write(const std::string& name, std::string_view bytes);
    std::size_t files() const { return names_.size(); }

    /// Of what an earlier program wrote to the folder itself, removes the files whose names `stale`
    /// is true of and that were not written again. Throws InputError.
    using NameFilter = std::function<bool(const std::string& name)>;
    void publish(const NameFilter& stale = {});

  private:
    void require_no_folder_in_place() const;
    void remove_others(const NameFilter& stale) const;

    std::filesystem::path target_;
    bool is_new_ = false;
    std::optional<TemporaryFolder>
        temporary_;                    ///< in the last folder above the target that is there
    std::filesystem::path contents_;   ///< what becomes the target: below `temporary_`, or the same
    std::filesystem::path first_new_;  ///< what `temporary_` is renamed to
    std::vector<std::string> names_;
};

}  // namespace ropescope
