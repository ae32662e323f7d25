// Reads models in one axis by their sizes and layers, and all others by their schemes.
#include "library/embedding.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/suggest.h"
#include "core/formats/config_text.h"
#include "core/formats/model_config.h"
#include "core/formats/model_presets.h"
#include "core/formats/schemes/model_schemes.h"
#include "core/formats/schemes/scheme_presets.h"
#include "core/schemes/direction.h"

namespace ropescope {
namespace {

/// The rotary embedding of the layers of that type.
RopeSpec rope_of_layers(const ModelConfig& model, const std::string& layer_type) {
    if (layer_type.empty()) {
        return model.rope;
    }
    if (model.layer_ropes.empty()) {
        throw InputError(
            fmt::format("layer_type: {}, and all layers of {} turn alike; leave it out",
                        in_quotes(layer_type), printable(model.id)));
    }
    return element_named(model.layer_ropes, &LayerRope::layer_type, layer_type,
                         [&](const std::string&) {
                             std::vector<std::string> types;
                             std::ranges::transform(model.layer_ropes, std::back_inserter(types),
                                                    &LayerRope::layer_type);
                             return fmt::format("layer_type: {} is not one of {}; give {}",
                                                in_quotes(layer_type), printable(model.id),
                                                fmt::join(types, " or "));
                         })
        .rope;
}

Embedding in_one_axis(const ModelConfig& model, const EmbeddingChoice& choice) {
    if (choice.seq_len < 0 || choice.seq_len > kMaxSeqLen) {
        throw InputError(fmt::format("seq_len: {}; give 0 to {}", choice.seq_len, kMaxSeqLen));
    }
    RopeSpec rope = rope_of_layers(model, choice.layer_type);
    rope.seq_len = choice.seq_len;
    Embedding embedding = make_embedding(rope);
    embedding.backwards = model.turns_backwards;
    embedding.scheme = text_scheme(rope, embedding.backwards);
    embedding.assumptions = model.assumptions;
    return embedding;
}

[[noreturn]] void refuse_name(const std::string& name) {
    std::vector<std::string> names;
    std::ranges::transform(model_presets(), std::back_inserter(names), &ModelConfig::id);
    std::ranges::transform(scheme_presets(), std::back_inserter(names), &SchemePreset::name);
    const std::string near = did_you_mean(name, names);
    throw InputError(
        fmt::format("{} is neither a file nor a published model{}", in_quotes(name),
                    near.empty() ? "; give a path or a name like llama-3.1-8b" : near));
}

}  // namespace

Embedding make_embedding(const RopeSpec& rope) {
    validate(rope);
    return {scheme_of(rope), {}, rope};
}

Embedding load_embedding(const std::string& path_or_name, const EmbeddingChoice& choice) {
    if (const ModelConfig* model = find_model_preset(path_or_name)) {
        if (!choice.part.empty() && choice.part != "text") {
            throw InputError(fmt::format("part: {} is not a part of {}; give text",
                                         in_quotes(choice.part), path_or_name));
        }
        return in_one_axis(*model, choice);
    }
    const SchemePreset* preset = find_scheme_preset(path_or_name);
    if (preset == nullptr && !is_path(path_or_name)) {
        refuse_name(path_or_name);
    }
    const ConfigText config = preset != nullptr ? ConfigText{preset->config_json, preset->name}
                                                : read_config_text(path_or_name);
    EmbeddingChoice of_preset = choice;
    if (preset != nullptr && choice.part.empty()) {
        of_preset.part = preset->part;
    }
    return parse_embedding(config.text, config.origin, of_preset);
}

Embedding parse_embedding(std::string_view json, const std::string& origin,
                          const EmbeddingChoice& choice) {
    const std::vector<ModelScheme> parts = parse_model_schemes(json, origin);
    const ModelScheme& chosen = part_named(parts, choice.part);
    if (chosen.part == "text" && chosen.scheme.axes.size() == 1) {
        return in_one_axis(parse_model_config(json, origin), choice);
    }
    if (!choice.layer_type.empty()) {
        throw InputError(
            fmt::format("layer_type: {}, and all layers of a model in several axes turn alike; "
                        "leave it out",
                        in_quotes(choice.layer_type)));
    }
    return {chosen.scheme, chosen.assumptions, {}};
}

}  // namespace ropescope
