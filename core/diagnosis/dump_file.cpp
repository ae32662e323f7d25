// Opens dumps of several formats and hands out their layers.
#include "core/diagnosis/dump_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/printable.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"

namespace ropescope::diagnosis {
namespace {

std::vector<std::string> names_of(std::span<const TensorBytes> tensors) {
    std::vector<std::string> names;
    std::ranges::transform(tensors, std::back_inserter(names), &TensorBytes::name);
    return names;
}

std::vector<TensorBytes> chosen(std::span<const TensorBytes> tensors,
                                std::span<const std::size_t> places) {
    std::vector<TensorBytes> found;
    for (const std::size_t place : places) {
        found.push_back(tensors[place]);
    }
    return found;
}

/// Keeps a file of which this reads some tensors, and lets their pages go when nobody needs them.
std::shared_ptr<const void> owner_of(std::shared_ptr<const SafetensorsFile> file,
                                     std::vector<TensorBytes> tensors, bool regular) {
    if (!regular) {
        return file;
    }
    const void* const address = file.get();
    return {address, [file = std::move(file), tensors = std::move(tensors)](const void*) {
                for (const TensorBytes& tensor : tensors) {
                    release_mapped(tensor.bytes);
                }
            }};
}

}  // namespace

DumpFile::DumpFile(std::string origin, DumpOptions options, std::vector<std::string> names,
                   Load load)
    : origin_(std::move(origin)),
      options_(std::move(options)),
      names_(std::move(names)),
      load_(std::move(load)),
      layers_(layers_among(names_, options_.names, origin_)) {
    std::ranges::transform(layers_, std::back_inserter(numbers_), &LayerNames::number);
}

DumpFile DumpFile::open(const std::filesystem::path& path, DumpOptions options) {
    std::string origin = printable(path.string());
    OpenedFile opened(path);
    const bool regular = opened.is_regular();
    if (is_safetensors(opened)) {
        auto file =
            std::make_shared<const SafetensorsFile>(SafetensorsFile::open(std::move(opened)));
        std::vector<std::string> names = names_of(file->tensors());
        return {std::move(origin), std::move(options), std::move(names),
                [file, regular](std::span<const std::size_t> places) {
                    std::vector<TensorBytes> tensors = chosen(file->tensors(), places);
                    return Loaded{tensors, owner_of(file, tensors, regular)};
                }};
    }
    if (is_npz(opened) && regular) {
        const auto file = std::make_shared<const NpzFile>(std::move(opened));
        return {std::move(origin), std::move(options), file->names(),
                [file](std::span<const std::size_t> places) {
                    const auto tensors =
                        std::make_shared<const std::vector<Tensor>>(file->read(places));
                    std::vector<TensorBytes> views;
                    std::ranges::transform(*tensors, std::back_inserter(views), &Tensor::view);
                    return Loaded{views, tensors};
                }};
    }
    throw InputError(fmt::format(
        "{}: is neither a .safetensors nor a .npz file; a dump holds q, q_rot, k and k_rot",
        origin));
}

DumpFile DumpFile::of(std::vector<TensorBytes> tensors, std::shared_ptr<const void> owner,
                      std::string origin, DumpOptions options) {
    std::vector<std::string> names = names_of(tensors);
    return {std::move(origin), std::move(options), std::move(names),
            [tensors = std::move(tensors),
             owner = std::move(owner)](std::span<const std::size_t> places) {
                return Loaded{chosen(tensors, places), owner};
            }};
}

Dump DumpFile::read(std::size_t place) const {
    std::vector<std::size_t> wanted(names_.size());
    std::iota(wanted.begin(), wanted.end(), std::size_t{0});
    DumpOptions options = options_;
    if (!layers_.empty()) {
        options.names = layers_[place].names;
        std::erase_if(wanted, [&](std::size_t i) {
            return std::ranges::none_of(options.names,
                                        [&](const auto& each) { return each.second == names_[i]; });
        });
    }
    const Loaded loaded = load_(wanted);
    return make_dump(loaded.tensors, loaded.owner, origin_, options);
}

}  // namespace ropescope::diagnosis
