// Reads frequencies and channels of one's own as a model: the file of `rotate --spec`.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "core/base/characters.h"
#include "core/formats/safetensors.h"
#include "core/formats/schemes/schemes.h"
#include "core/models/model.h"

namespace ropescope {

bool holds_scheme(const std::string& path) {
    std::error_code unknown;
    if (!path.ends_with(".safetensors") || !std::filesystem::is_regular_file(path, unknown)) {
        return false;
    }
    const SafetensorsFile file = SafetensorsFile::open(path);
    return file.find("omega") != nullptr && file.find("pairs") != nullptr;
}

Model scheme_model(const std::string& path) {
    const std::vector<std::int64_t> channels = to_i64(SafetensorsFile::open(path).at("pairs"));
    // A channel beyond any head is refused by the reader, which knows its place.
    const Index widest = channels.empty() ? 0
                                          : static_cast<Index>(std::clamp<std::int64_t>(
                                                std::ranges::max(channels), 0, kMaxHeadDim - 1));
    RotaryScheme scheme = read_scheme_tensors(path, {.head_dim = widest + 1}).scheme;
    if (scheme.axes.size() == 1) {
        scheme.axes = {"position"};  // as text in one axis is called everywhere
    }
    Part part = part_of(scheme);
    part.model = path;
    return {.name = path,
            .title = printable(path),
            .unread_text = fmt::format("{} holds frequencies and no sizes of a language model",
                                       printable(path)),
            .parts = {std::move(part)}};
}

}  // namespace ropescope
