// Opens a folder with config.json and weights.
#include <algorithm>

#include "core/base/error.h"
#include "core/encoder/encoder.h"

namespace ropescope {

EncoderFiles open_encoder(const std::filesystem::path& folder) {
    EncoderFiles files{read_encoder_config(folder), Weights::open(folder)};
    EncoderConfig& config = files.config;
    if (config.architecture == Architecture::hugging_face && config.has_head) {
        // A config that names no class leaves it to the weights.
        const auto& tensors = files.weights.tensors();
        config.has_head =
            std::any_of(tensors.begin(), tensors.end(),
                        [](const TensorBytes& tensor) { return tensor.name.starts_with("cls."); });
        config.tied_head = config.tied_head && config.has_head;
    }
    return files;
}

}  // namespace ropescope
