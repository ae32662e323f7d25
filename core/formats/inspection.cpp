// Lists what a path contains: the format by its name or its first bytes, then the headers.
#include "core/formats/inspection.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <numeric>
#include <string_view>

#include "core/base/file.h"
#include "core/formats/gguf/file.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"

namespace ropescope {
namespace {

namespace fs = std::filesystem;

/// "json", "gguf", "safetensors", "npy" or "npz"; empty if neither name nor content says it.
std::string format_of(const OpenedFile& file) {
    const std::string ending = file.path().extension().string();
    for (const char* known : {".json", ".gguf", ".safetensors", ".npy", ".npz"}) {
        if (ending == known) {
            return ending.substr(1);
        }
    }
    if (gguf::is_gguf(file)) {
        return "gguf";
    }
    if (is_npy(file)) {
        return "npy";
    }
    if (is_npz(file)) {
        return "npz";
    }
    if (is_safetensors(file)) {  // its first byte may be a brace, too
        return "safetensors";
    }
    const std::string_view start = file.start();
    const std::size_t first = start.find_first_not_of(" \t\r\n");
    return first != start.npos && start[first] == '{' ? "json" : "";
}

/// Whether its name is one that torch.save() is given; such a file is a zip archive, too.
bool is_pickle_name(const fs::path& path) {
    constexpr std::array<std::string_view, 5> kEndings = {".bin", ".pt", ".pth", ".ckpt", ".pkl"};
    return std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
}

TensorFile list_safetensors(OpenedFile opened) {
    TensorFile listed{opened.path().string(), "safetensors", {}, {}};
    const SafetensorsFile file = SafetensorsFile::open(std::move(opened));
    for (const TensorBytes& tensor : file.tensors()) {
        listed.tensors.push_back(
            {tensor.name, tensor.dtype, tensor.shape, std::ssize(tensor.bytes)});
    }
    listed.metadata = file.metadata();
    return listed;
}

TensorFile list_as(const std::string& format, OpenedFile file) {
    const std::string path = file.path().string();
    if (format == "npy") {
        return {path, format, {list_npy(std::move(file))}, {}};
    }
    if (format == "npz") {
        return {path, format, list_npz(std::move(file)), {}};
    }
    return list_safetensors(std::move(file));
}

/// The folder's .safetensors, by name.
std::vector<fs::path> tensor_files(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        if (entry->path().extension() == ".safetensors") {
            files.push_back(entry->path());
        }
    }
    if (error) {
        throw_file_error(folder, "cannot be read", error.value());
    }
    std::ranges::sort(files);
    return files;
}

Inspection list_folder(const fs::path& folder) {
    const std::vector<fs::path> files = tensor_files(folder);
    const bool has_config = path_kind(folder / "config.json") != PathKind::nothing;
    if (!has_config && files.empty()) {
        throw_file_error(folder,
                         "has neither a config.json nor a .safetensors file; a model's folder has "
                         "one of them, and a .gguf file is named itself");
    }
    Inspection listed;
    if (has_config) {
        listed.config = read_config_text(folder);
    }
    for (const fs::path& file : files) {
        listed.files.push_back(list_safetensors(OpenedFile(file, Allowed::regular_file)));
    }
    return listed;
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

Inspection list_contents(const fs::path& path, Allowed allowed) {
    if (path_kind(path) == PathKind::folder) {
        return list_folder(path);
    }
    OpenedFile file(path, allowed);
    const std::string format = format_of(file);
    if ((format.empty() || format == "npz") && is_pickle_name(path)) {
        throw_file_error(path,
                         "is written by torch.save, which runs code when it is read; save its "
                         "tensors as .safetensors or .npz");
    }
    if (format == "json" || format == "gguf") {
        return {.config = read_config_text(std::move(file))};
    }
    if (format.empty()) {
        throw_file_error(path, file.start().empty() ? "is empty; a config.json or a .gguf, "
                                                      ".safetensors, .npy or .npz file is expected"
                                                    : "is neither a config.json nor a .gguf, "
                                                      ".safetensors, .npy or .npz file");
    }
    return {.files = {list_as(format, std::move(file))}};
}

}  // namespace ropescope
