// Opens the weight files of a model and hands out their tensors.
#include "core/encoder/weights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/name_list.h"
#include "core/base/printable.h"
#include "core/formats/config_object.h"
#include "core/formats/json_object.h"
#include "core/formats/safetensors.h"

namespace ropescope {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
    return path_kind(path) != PathKind::nothing;
}

/// The weight_map of model.safetensors.index.json: file of every tensor.
std::map<std::string, std::string> read_index(const fs::path& path) {
    const std::string origin = path.string();
    const nlohmann::json parsed =
        parse_json_object(read_file(path, kMaxJsonBytes, Allowed::regular_file), origin);
    const ConfigObject index(parsed, printable(origin));
    if (!index.object("weight_map")) {
        index.fail("weight_map", "is missing; an object from tensor to file is expected");
    }
    std::map<std::string, std::string> files;
    for (const auto& [tensor, file] : index.find("weight_map")->items()) {
        const fs::path name = file.is_string() ? file.get<std::string>() : "";
        if (name.empty() || name != name.filename() || name == "." || name == "..") {
            index.fail("weight_map", fmt::format("{}: the name of a file beside the index is "
                                                 "expected",
                                                 in_quotes(tensor)));
        }
        files.emplace(tensor, name.string());
    }
    return files;
}

/// The files of a model and, if there is an index, the tensors that each must hold.
struct ModelFiles {
    std::vector<fs::path> paths;
    std::map<std::string, std::string> index;
};

ModelFiles find_files(const fs::path& path) {
    const bool folder = path_kind(path) == PathKind::folder;
    if (!folder) {
        refuse_pickle(path);
        if (!path.string().ends_with(".index.json")) {
            return {{path}, {}};
        }
    }
    const fs::path home = folder ? path : path.parent_path();
    if (folder && is_there(home / "model.safetensors")) {
        return {{home / "model.safetensors"}, {}};
    }
    const fs::path index = folder ? home / "model.safetensors.index.json" : path;
    if (is_there(index)) {
        ModelFiles files{{}, read_index(index)};
        std::set<std::string> names;
        for (const auto& [tensor, file] : files.index) {
            names.insert(file);
        }
        for (const std::string& name : names) {
            files.paths.push_back(home / name);
        }
        return files;
    }
    if (is_there(home / "weights.safetensors")) {
        return {{home / "weights.safetensors"}, {}};
    }
    if (is_there(home / "pytorch_model.bin")) {
        refuse_pickle(home / "pytorch_model.bin");
    }
    if (is_there(home / "pytorch_model.bin.index.json")) {
        refuse_pickle(home / "pytorch_model-*.bin");
    }
    throw InputError(
        fmt::format("{}: contains no weights; model.safetensors, model.safetensors.index.json or "
                    "weights.safetensors is expected",
                    printable(path.string())));
}

/// Throws if a file that the index names does not exist.
void require_files(const fs::path& path, const ModelFiles& files) {
    std::vector<std::string> lost;
    for (const fs::path& file : files.paths) {
        if (!files.index.empty() && !is_there(file)) {
            lost.push_back(printable(file.filename().string()));
        }
    }
    if (!lost.empty()) {
        throw InputError(fmt::format(
            "{}: {} of the {} files that the index names are not there: "
            "{}; put them beside it",
            printable(path.string()), lost.size(), files.paths.size(), first_names(lost)));
    }
}

/// Throws if a tensor of the index is not in the files.
void require_indexed(const Weights& weights, const ModelFiles& files) {
    std::vector<std::string> lost;
    for (const auto& [tensor, file] : files.index) {
        if (weights.find(tensor) == nullptr) {
            lost.push_back(fmt::format("{} ({})", printable(tensor), printable(file)));
        }
    }
    if (!lost.empty()) {
        throw InputError(fmt::format(
            "{}: the index names {} that its files do not hold: {}; give "
            "the index that belongs to these files",
            weights.origin(), lost.size() == 1 ? "a tensor" : "tensors", first_names(lost)));
    }
}

}  // namespace

void refuse_pickle(const fs::path& path) {
    const fs::path ending = path.extension();
    if (ending != ".bin" && ending != ".pt" && ending != ".pth") {
        return;
    }
    const std::string file = printable(path.filename().string());
    throw InputError(fmt::format(
        "{}: a pickle can run any code, so it is not read; convert it in its folder with: python3 "
        "-c \"import glob, torch; from safetensors.torch import save_file; save_file({{k: "
        "v.clone().contiguous() for f in glob.glob('{}') for k, v in torch.load(f, "
        "map_location='cpu', weights_only=True).items()}}, 'model.safetensors')\"",
        printable(path.string()), file));
}

Weights Weights::open(const std::filesystem::path& path) {
    const ModelFiles files = find_files(path);
    require_files(path, files);
    Weights weights;
    weights.origin_ = printable(path.string());
    for (const fs::path& file : files.paths) {
        OpenedFile opened(file, file == path ? Allowed::anything : Allowed::regular_file);
        const bool mapped = opened.is_regular();
        const auto tensors =
            std::make_shared<const SafetensorsFile>(SafetensorsFile::open(std::move(opened)));
        for (const TensorBytes& tensor : tensors->tensors()) {
            weights.add(tensor, {tensors, mapped});
        }
    }
    require_indexed(weights, files);
    return weights;
}

Weights Weights::from_safetensors(std::span<const std::byte> bytes, std::string origin) {
    Weights weights;
    weights.origin_ = std::move(origin);
    const SafetensorsFile file =
        SafetensorsFile::read({.owner = nullptr, .bytes = bytes}, weights.origin_);
    for (const TensorBytes& tensor : file.tensors()) {
        weights.add(tensor, {nullptr, false});
    }
    return weights;
}

Weights Weights::from_tensors(std::vector<Tensor> tensors, std::string origin) {
    Weights weights;
    weights.origin_ = std::move(origin);
    for (Tensor& tensor : tensors) {
        const auto kept = std::make_shared<const Tensor>(std::move(tensor));
        weights.add(kept->view(), {kept, false});
    }
    return weights;
}

void Weights::add(TensorBytes tensor, Owner owner) {
    if (!index_.emplace(tensor.name, tensors_.size()).second) {
        throw InputError(fmt::format("{}: tensor {} is there twice; one is expected", origin_,
                                     in_quotes(tensor.name)));
    }
    tensors_.push_back(std::move(tensor));
    owners_.push_back(std::move(owner));
}

const TensorBytes* Weights::find(std::string_view name) const {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : &tensors_[found->second];
}

HostFloats Weights::floats(std::string_view name) const {
    const std::size_t place = index_.find(name)->second;
    const TensorBytes& tensor = tensors_[place];
    const std::byte* bytes = tensor.bytes.data();
    const bool aligned = reinterpret_cast<std::uintptr_t>(bytes) % alignof(float) == 0;
    if (tensor.dtype == Dtype::f32 && aligned) {
        return {owners_[place].memory,
                std::span(reinterpret_cast<const float*>(bytes), tensor.count())};
    }
    const auto converted = std::make_shared<const std::vector<float>>(to_f32(tensor));
    return {converted, *converted};
}

void Weights::release(std::string_view name) const {
    const std::size_t place = index_.find(name)->second;
    if (owners_[place].mapped) {
        release_mapped(tensors_[place].bytes);
    }
}

}  // namespace ropescope
