// Lists what a path contains: the format by its name or its first bytes, then the headers.
#include "core/formats/inspection.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <numeric>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/formats/model_presets.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"

namespace ropescope {
namespace {

namespace fs = std::filesystem;

/// "json", "safetensors", "npy" or "npz"; empty if neither name nor content says it.
std::string format_of(const fs::path& path) {
    const std::string ending = path.extension().string();
    for (const char* known : {".json", ".safetensors", ".npy", ".npz"}) {
        if (ending == known) {
            return ending.substr(1);
        }
    }
    std::string start(8, '\0');
    std::ifstream(path, std::ios::binary).read(start.data(), 8);
    if (start.starts_with("\x93NUMPY")) {
        return "npy";
    }
    if (start.starts_with("PK")) {
        return "npz";
    }
    return start.starts_with("{") ? "json" : "";
}

TensorFile list_safetensors(const fs::path& path) {
    TensorFile listed{path.string(), "safetensors", {}, {}};
    const SafetensorsFile file = SafetensorsFile::open(path);
    for (const TensorBytes& tensor : file.tensors()) {
        listed.tensors.push_back(
            {tensor.name, tensor.dtype, tensor.shape, std::ssize(tensor.bytes)});
    }
    listed.metadata = file.metadata();
    return listed;
}

TensorFile list_as(const std::string& format, const fs::path& path) {
    if (format == "npy") {
        return {path.string(), format, {list_npy(path)}, {}};
    }
    if (format == "npz") {
        return {path.string(), format, list_npz(path), {}};
    }
    return list_safetensors(path);
}

Inspection inspect_folder(const fs::path& folder) {
    Inspection inspection;
    std::error_code error;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".safetensors") {
            files.push_back(entry.path());
        }
    }
    if (error) {
        throw InputError(fmt::format("{}: {}", printable(folder.string()), error.message()));
    }
    std::ranges::sort(files);
    const bool has_config = fs::exists(folder / "config.json", error);
    if (!has_config && files.empty()) {
        throw InputError(
            fmt::format("{}: has neither a config.json nor a .safetensors file; a "
                        "model's folder has one of them",
                        printable(folder.string())));
    }
    if (has_config) {
        inspection.model = read_model_config(folder / "config.json");
    }
    for (const fs::path& file : files) {
        inspection.files.push_back(list_safetensors(file));
    }
    return inspection;
}

bool is_path(const std::string& name) {
    std::error_code ignored;
    return name.find('/') != name.npos || name.ends_with(".json") || fs::exists(name, ignored);
}

}  // namespace

std::int64_t count_of(const TensorInfo& tensor) {
    return std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1},
                           std::multiplies<>());
}

std::int64_t TensorFile::count() const {
    return std::accumulate(
        tensors.begin(), tensors.end(), std::int64_t{0},
        [](std::int64_t sum, const TensorInfo& tensor) { return sum + count_of(tensor); });
}

std::int64_t TensorFile::bytes() const {
    return std::accumulate(
        tensors.begin(), tensors.end(), std::int64_t{0},
        [](std::int64_t sum, const TensorInfo& tensor) { return sum + tensor.bytes; });
}

Inspection inspect(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        return inspect_folder(path);
    }
    const std::string format = format_of(path);
    if (format == "json") {
        return {read_model_config(path), {}};
    }
    if (format.empty() && fs::exists(path, ignored)) {
        throw InputError(
            fmt::format("{}: is neither a config.json nor a .safetensors, .npy or .npz "
                        "file",
                        printable(path.string())));
    }
    return {std::nullopt, {list_as(format, path)}};
}

Inspection open_model(const std::string& name) {
    return find_model_preset(name) != nullptr || !is_path(name) ? Inspection{model_preset(name), {}}
                                                                : inspect(name);
}

}  // namespace ropescope
