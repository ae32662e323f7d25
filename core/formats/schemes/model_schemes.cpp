// Finds the parts of a model and reads the scheme of each.
#include "core/formats/schemes/model_schemes.h"

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/formats/model_config.h"
#include "core/schemes/vision_towers.h"

namespace ropescope {
namespace {

/// The language model in one axis. A file that describes what sees alone has none.
std::optional<ModelScheme> text_scheme(const ConfigObject& config, bool other_parts) {
    try {
        const ModelConfig model = read_model(config, config.where());
        return ModelScheme{"text", scheme_of(model.rope), model.assumptions};
    } catch (const InputError&) {
        if (other_parts) {
            return std::nullopt;
        }
        throw;
    }
}

}  // namespace

std::vector<ModelScheme> read_model_schemes(const ConfigObject& config) {
    for (const auto& read : {diffusion_scheme, timm_scheme}) {
        if (std::optional<ModelScheme> only = read(config)) {
            return {*std::move(only)};
        }
    }
    std::optional<ModelScheme> vision = tower_scheme(config);
    std::optional<ModelScheme> text = multimodal_scheme(config);
    if (!text) {
        text = text_scheme(config, vision.has_value());
    }
    std::vector<ModelScheme> parts;
    for (std::optional<ModelScheme>& part : {std::ref(text), std::ref(vision)}) {
        if (part) {
            parts.push_back(*std::move(part));
        }
    }
    return parts;
}

std::vector<ModelScheme> parse_model_schemes(std::string_view json, const std::string& origin) {
    const nlohmann::json parsed = parse_config_json(json, origin);
    return read_model_schemes(ConfigObject(parsed, printable(origin)));
}

RotaryScheme mixed_scheme_of_weights(const TensorBytes& freqs, Index layer, Index heads) {
    const auto refuse = [&](const std::string& expected) {
        throw InputError(
            fmt::format("{}: shape {}; {}", freqs.name, shape_text(freqs.shape), expected));
    };
    const bool by_head = freqs.shape.size() == 4;
    if ((!by_head && freqs.shape.size() != 3) || freqs.shape[0] != 2) {
        refuse("[2, layers, heads, pairs] or [2, layers, heads * pairs] is expected");
    }
    const Index layers = freqs.shape[1];
    const Index each = freqs.count() / std::max<Index>(2 * layers, 1);
    if (heads < 1 || each % heads != 0 || (by_head && freqs.shape[2] != heads)) {
        refuse(fmt::format("frequencies of {} heads are expected", heads));
    }
    if (layer < 0 || layer >= layers) {
        refuse(fmt::format("layer {} is not one of its {} layers; give 0 to {}", layer, layers,
                           layers - 1));
    }
    const std::vector<double> all = to_f64(freqs);
    std::vector<double> of_layer;
    for (const Index axis : {0, 1}) {
        const auto first = all.begin() + (axis * layers + layer) * each;
        of_layer.insert(of_layer.end(), first, first + each);
    }
    return ropevit_mixed(2 * (each / heads), heads, of_layer);
}

}  // namespace ropescope
