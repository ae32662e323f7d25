// Reads the tables of a file.
#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/diagnosis/tables/rope_table.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"

namespace ropescope::diagnosis {
namespace {

/// The tables of an archive, and nothing else that lies in it.
std::vector<Tensor> tables_of_npz(OpenedFile opened, const AcceptTensor& accept) {
    const NpzFile file(std::move(opened));
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < file.names().size(); ++place) {
        if (is_of_tables(file.names()[place])) {
            accept(file.list(place));
            places.push_back(place);
        }
    }
    return file.read(places);
}

std::vector<std::string> names_in(std::span<const TensorBytes> tensors) {
    std::vector<std::string> names;
    std::ranges::transform(tensors, std::back_inserter(names), &TensorBytes::name);
    return names;
}

}  // namespace

std::vector<RopeTable> read_tables(const std::filesystem::path& path) {
    const std::string origin = printable(path.string());
    OpenedFile opened(path);
    const AcceptTensor accept = [&](const TensorInfo& tensor) {
        require_table_size(origin, tensor);
    };
    if (is_npy(opened)) {
        const Tensor tensor = read_npy(path, accept);
        const TensorBytes view = tensor.view();
        return tables_among({&view, 1}, origin);
    }
    if (is_npz(opened)) {
        const std::vector<Tensor> tensors = tables_of_npz(std::move(opened), accept);
        std::vector<TensorBytes> views;
        std::ranges::transform(tensors, std::back_inserter(views), &Tensor::view);
        return tables_among(views, origin);
    }
    if (!is_safetensors(opened)) {
        throw InputError(
            fmt::format("{}: is neither a .safetensors, a .npz nor a .npy file", origin));
    }
    const SafetensorsFile file = SafetensorsFile::open(std::move(opened));
    return tables_among(file.tensors(), origin);
}

bool is_table_file(const std::filesystem::path& path) {
    if (path_kind(path) != PathKind::file) {
        return false;
    }
    OpenedFile opened(path);
    if (is_npy(opened)) {
        const std::vector<std::string> names = {path.stem().string()};
        return are_tables(names);
    }
    if (is_npz(opened)) {
        std::vector<std::string> names;
        for (const TensorInfo& tensor : list_npz(std::move(opened))) {
            names.push_back(tensor.name);
        }
        return are_tables(names);
    }
    return is_safetensors(opened) &&
           are_tables(names_in(SafetensorsFile::open(std::move(opened)).tensors()));
}

}  // namespace ropescope::diagnosis
