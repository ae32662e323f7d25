// The pack of models in one axis: every published model and every family that ropescope knows.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/formats/model_family.h"
#include "core/formats/model_presets.h"
#include "core/formats/schemes/model_schemes.h"
#include "core/vectors/model_cases.h"
#include "core/vectors/packs.h"

namespace ropescope::vectors {
namespace {

/// The keys that most families need, with the sizes of a small model.
std::string family_config(const ModelFamily& family) {
    nlohmann::ordered_json config = {{"model_type", family.model_type},
                                     {"hidden_size", 2048},
                                     {"max_position_embeddings", 8192},
                                     {"num_hidden_layers", 4}};
    config[std::string(family.heads_key)] = 16;
    return config.dump();
}

/// The model of a family whose file says nothing about its rotary embedding but sizes; empty if the
/// family needs more keys than that, has no RoPE then, or turns in several axes.
std::optional<ModelConfig> model_of_family(const std::string& config, std::string_view name) {
    try {
        const std::string origin(name);
        const std::vector<ModelScheme> parts = parse_model_schemes(config, origin);
        if (parts.front().part == "text" && parts.front().scheme.axes.size() == 1) {
            return parse_model_config(config, origin);
        }
    } catch (const InputError&) {
        return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

Pack text_pack() {
    Pack pack{.name = "text"};
    for (const ModelConfig& model : model_presets()) {
        const CaseModel named{.id = model.id,
                              .title = model.title,
                              .config_json = preset_config_json(model.id),
                              .backwards = model.turns_backwards};
        pack.rotations.push_back(far_case(named, model.rope));
    }
    const ModelConfig& batched = model_preset("llama-3.1-8b");
    for (const auto& make : {decode_case, late_case}) {
        pack.rotations.push_back(
            make({batched.id, batched.title, preset_config_json(batched.id)}, batched.rope));
    }
    for (const ModelFamily& family : model_families()) {
        const std::string config = family_config(family);
        if (const auto model = model_of_family(config, family.model_type)) {
            const std::string id = fmt::format("families/{}", family.model_type);
            pack.rotations.push_back(
                short_case({.id = id,
                            .title = fmt::format("any {} with the usual values", family.model_type),
                            .config_json = config,
                            .backwards = model->turns_backwards},
                           model->rope));
        }
    }
    return pack;
}

Pack pack_of_model(std::string_view config_json, const std::string& name) {
    Pack pack{.name = "model"};
    for (const ModelScheme& part : parse_model_schemes(config_json, name)) {
        CaseModel model{"model", name, std::string(config_json), part.part};
        if (part.scheme.axes.size() == 1 && part.part == "text") {
            const ModelConfig text = parse_model_config(config_json, name);
            model.backwards = text.turns_backwards;
            // A method of scaling is there for what lies beyond.
            const bool scaled = !std::holds_alternative<NoScaling>(text.rope.scaling);
            model.max_positions = scaled ? 0 : text.max_positions;
            for (const auto& make : {far_case, decode_case, late_case}) {
                pack.rotations.push_back(make(model, text.rope));
            }
        } else {
            model.id += "/" + part.part;
            pack.rotations.push_back(axes_case(model, part.scheme));
            pack.rotations.push_back(batched_axes_case(model, part.scheme));
        }
    }
    return pack;
}

}  // namespace ropescope::vectors
