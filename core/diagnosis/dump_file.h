// A file, or tensors in memory, with dumps of one layer or of several, which are read one at a
// time.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/diagnosis/layer_names.h"
#include "core/diagnosis/read_dump.h"

namespace ropescope::diagnosis {

class DumpFile {
  public:
    /// Reads names and shapes. Throws InputError that names the file: if it is of another format,
    /// and as layers_among() does.
    static DumpFile open(const std::filesystem::path& path, DumpOptions options = {});
    /// The same of tensors in memory, which `owner` keeps; `origin` starts every message.
    static DumpFile of(std::vector<TensorBytes> tensors, std::shared_ptr<const void> owner,
                       std::string origin, DumpOptions options = {});

    /// The numbers of its layers in order; empty if its tensors are those of one dump.
    const std::vector<Index>& layers() const { return numbers_; }

    /// The dump of layers()[place], or of the whole file if it has no layers. What it reads is
    /// freed with the result. Throws what make_dump() throws.
    Dump read(std::size_t place = 0) const;

  private:
    /// Tensors, and what keeps their bytes.
    struct Loaded {
        std::vector<TensorBytes> tensors;
        std::shared_ptr<const void> owner;
    };
    /// Loads the tensors with these places among names_.
    using Load = std::function<Loaded(std::span<const std::size_t>)>;

    DumpFile(std::string origin, DumpOptions options, std::vector<std::string> names, Load load);

    std::string origin_;
    DumpOptions options_;
    std::vector<std::string> names_;
    Load load_;
    std::vector<LayerNames> layers_;
    std::vector<Index> numbers_;
};

}  // namespace ropescope::diagnosis
