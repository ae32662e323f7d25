// Finds the parts of a model and reads the scheme of each.
#include "core/formats/schemes/model_schemes.h"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/suggest.h"
#include "core/formats/json_object.h"
#include "core/formats/model_config.h"
#include "core/schemes/vision_towers.h"

namespace ropescope {
namespace {

/// A part, or why it cannot be read.
struct Attempt {
    std::optional<ModelScheme> part;
    std::string refusal;
};

template <typename Read>
Attempt attempt(const Read& read) {
    try {
        return {read(), ""};
    } catch (const InputError& error) {
        return {std::nullopt, error.what()};
    }
}

ModelScheme text_in_one_axis(const ConfigObject& config) {
    const ModelConfig model = read_model(config, config.where());
    return {"text", scheme_of(model.rope), model.assumptions};
}

}  // namespace

std::vector<ModelScheme> read_model_schemes(const ConfigObject& config) {
    for (const auto& read : {diffusion_scheme, timm_scheme}) {
        if (std::optional<ModelScheme> only = read(config)) {
            return {*std::move(only)};
        }
    }
    if (is_tower_alone(config)) {
        return {tower_scheme(config).value()};
    }
    Attempt text{multimodal_scheme(config), ""};
    if (!text.part) {
        text = attempt([&] { return text_in_one_axis(config); });
    }
    Attempt vision = attempt([&] { return tower_scheme(config); });
    if (!text.part && !vision.part) {
        throw InputError(vision.refusal.empty() ? text.refusal : vision.refusal);
    }
    std::vector<ModelScheme> parts;
    if (text.part) {
        parts.push_back(*std::move(text.part));
    }
    if (vision.part) {
        parts.push_back(*std::move(vision.part));
    } else if (!vision.refusal.empty()) {
        parts.front().assumptions.push_back(
            fmt::format("the part that sees is not shown: {}", vision.refusal));
    } else {
        parts.front().unread_vision = why_no_tower(config);
    }
    if (!text.part && has_language_model(config)) {
        parts.front().unread_text = text.refusal;
    }
    return parts;
}

const ModelScheme& part_named(const std::vector<ModelScheme>& parts, std::string_view name) {
    if (name.empty() && !parts.front().unread_text.empty()) {
        throw InputError(fmt::format("{}; --part {} takes the other part of this model",
                                     parts.front().unread_text, parts.front().part));
    }
    if (name.empty()) {
        return parts.front();
    }
    return element_named(parts, &ModelScheme::part, name, [&](const std::string&) {
        if (name == "vision" && !parts.front().unread_vision.empty()) {
            return fmt::format("--part: {}", parts.front().unread_vision);
        }
        std::vector<std::string> names;
        for (const ModelScheme& part : parts) {
            names.push_back(part.part);
        }
        return fmt::format("--part: {} is not a part of this model; give {}", in_quotes(name),
                           fmt::join(names, " or "));
    });
}

std::vector<ModelScheme> parse_model_schemes(std::string_view json, const std::string& origin) {
    const nlohmann::json parsed = parse_json_object(json, origin);
    const std::string where = printable(origin);
    try {
        return read_model_schemes(ConfigObject(parsed, where));
    } catch (const InputError& error) {
        // What a scheme refuses names a key; the file is known here.
        const std::string text = error.what();
        throw InputError(text.starts_with(where) ? text : fmt::format("{}: {}", where, text));
    }
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
    if (layers == 0) {
        refuse("a layer at least is expected");
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
