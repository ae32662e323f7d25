// A file, or tensors in memory, with dumps of one layer or of several, which are read one at a
// time.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/diagnosis/read_dump.h"

namespace ropescope::diagnosis {

/// The tensors of one layer.
struct LayerNames {
    Index number = 0;
    std::map<std::string, std::string> names = {};  ///< "q" is "layers.3.q"
};

/// The layers of a file, by number; empty if its tensors are those of one dump. The number of a
/// layer stands in front of the name that a dump gives a tensor ("layers.3.q", "3.attn.q_rot") or
/// behind it ("q.3"), parted by '.', '/' or '_'. `mapped` is what the user calls the tensors: a *
/// stands for the number ("blk.*.Qcur"). Positions without a number belong to all layers. Throws
/// InputError that begins with `origin`: for a layer with a tensor before the rotation and not
/// behind it, two tensors for one place, and tensors with and without layers side by side.
std::vector<LayerNames> layers_among(std::span<const std::string> names,
                                     const std::map<std::string, std::string>& mapped,
                                     const std::string& origin);

/// The tensors of one layer under the names that a dump gives them, and what keeps their bytes.
struct LayerTensors {
    std::vector<TensorBytes> tensors = {};
    std::shared_ptr<const void> owner = {};
};

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
    /// The same tensors as they are: nothing is held to anything. A tensor that is none of a dump
    /// keeps its name.
    LayerTensors tensors(std::size_t place = 0) const;

    /// Tensors of a file with layers that belong to none of them, and are no tensors of a dump;
    /// what a file without layers holds is all in tensors().
    std::vector<std::string> outside_layers() const;
    /// One of them.
    LayerTensors tensor_named(const std::string& name) const;

    /// How messages call the file.
    const std::string& origin() const { return origin_; }
    const DumpOptions& options() const { return options_; }

  private:
    /// Loads the tensors with these places among names_.
    using Load = std::function<LayerTensors(std::span<const std::size_t>)>;

    /// One of them without its bytes.
    using Describe = std::function<TensorBytes(std::size_t)>;

    DumpFile(std::string origin, DumpOptions options, std::vector<std::string> names, Load load,
             Describe describe = {});

    /// What the tensors of layers()[place] are called in the file.
    const std::map<std::string, std::string>& names_at(std::size_t place) const;
    std::vector<std::size_t> places_of_layer(std::size_t place) const;
    /// The same, of which only what a dump has is loaded, and nothing if shapes disagree.
    LayerTensors load_dump(std::span<const std::size_t> places, const DumpOptions& options) const;

    std::string origin_;
    DumpOptions options_;
    std::vector<std::string> names_;
    std::map<std::string, std::size_t> places_;  ///< of each name among them
    Load load_;
    Describe describe_;  ///< empty where loading unpacks nothing
    std::vector<LayerNames> layers_;
    std::vector<Index> numbers_;
};

}  // namespace ropescope::diagnosis
