// Reads a config.json, given by its own path or by its folder, or the metadata of a GGUF file.
#include "core/formats/config_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

#include "core/formats/gguf/file.h"
#include "core/formats/json_object.h"

namespace ropescope {
namespace {

/// What a file that lies beside a config.json is about, by its name; empty for other files.
std::string_view subject_of(std::string_view name) {
    struct Neighbour {
        std::string_view ending, subject;
    };
    constexpr std::array<Neighbour, 9> kNeighbours = {{
        {"tokenizer.json", "a tokenizer, which knows nothing of positions"},
        {"tokenizer_config.json", "a tokenizer, which knows nothing of positions"},
        {"special_tokens_map.json", "a tokenizer, which knows nothing of positions"},
        {"vocab.json", "a vocabulary"},
        {"generation_config.json", "how text is generated"},
        {"preprocessor_config.json", "how images are prepared"},
        {"processor_config.json", "how images are prepared"},
        {"adapter_config.json", "an adapter and not the model to which it belongs"},
        {".safetensors.index.json", "which file has which tensor"},
    }};
    const auto found = std::ranges::find_if(
        kNeighbours, [&](const Neighbour& each) { return name.ends_with(each.ending); });
    return found == kNeighbours.end() ? std::string_view() : found->subject;
}

}  // namespace

ConfigText read_config_text(const std::filesystem::path& path, Allowed allowed) {
    return read_config_text(path_kind(path) == PathKind::folder
                                ? OpenedFile(path / "config.json", Allowed::regular_file)
                                : OpenedFile(path, allowed));
}

ConfigText read_config_text(OpenedFile file) {
    // A file that is called so and is none gets the refusal of the format.
    if (gguf::is_gguf(file) || file.path().extension() == ".gguf") {
        return gguf::read_metadata_text(std::move(file));
    }
    if (const std::string_view subject = subject_of(file.path().filename().string());
        !subject.empty()) {
        throw_file_error(file.path(),
                         fmt::format("describes {}; open the config.json beside it", subject));
    }
    const std::string origin = file.path().string();
    return {std::move(file).text(kMaxJsonBytes), origin};
}

bool is_path(const std::string& name) {
    const std::string_view endings[] = {".json", ".gguf", ".safetensors", ".npy", ".npz"};
    return name.find('/') != name.npos || path_kind(name) != PathKind::nothing ||
           std::ranges::any_of(endings,
                               [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace ropescope
