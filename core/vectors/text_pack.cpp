// The pack of models in one axis: every published model and every family that ropescope knows.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/formats/model_family.h"
#include "core/formats/presets.h"
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
std::optional<Model> model_of_family(const ModelFamily& family) {
    try {
        Model model = parse_model(family_config(family), std::string(family.model_type));
        if (!model.parts.front().spec) {
            return std::nullopt;
        }
        model.name = fmt::format("families/{}", family.model_type);
        model.title = fmt::format("any {} with the usual values", family.model_type);
        return model;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

/// A part that goes to any position: a method of scaling is there for what lies beyond.
Part without_end(Part part) {
    part.reach = 0;
    return part;
}

}  // namespace

Pack text_pack() {
    Pack pack{.name = "text"};
    for (const Preset& preset : one_axis_presets()) {
        const Model model = open_model(preset.name);
        pack.rotations.push_back(far_case(model, without_end(model.part())));
    }
    const Model batched = open_model("llama-3.1-8b");
    for (const auto& make : {decode_case, late_case}) {
        pack.rotations.push_back(make(batched, batched.part()));
    }
    for (const ModelFamily& family : model_families()) {
        if (const auto model = model_of_family(family)) {
            pack.rotations.push_back(short_case(*model, model->part()));
        }
    }
    return pack;
}

Pack pack_of_model(const Model& model) {
    if (model.config.text.empty()) {
        throw InputError(fmt::format("{} has no config.json, which cases hold", model.name));
    }
    Pack pack{.name = "model"};
    Model named = model;
    named.title = model.name;
    for (const Part& part : model.kinds()) {
        if (part.spec) {
            named.name = "model";
            const bool scaled = !std::holds_alternative<NoScaling>(part.spec->scaling);
            for (const auto& make : {far_case, decode_case, late_case}) {
                pack.rotations.push_back(make(named, scaled ? without_end(part) : part));
            }
        } else {
            named.name = "model/" + part.kind;
            pack.rotations.push_back(axes_case(named, part));
            pack.rotations.push_back(batched_axes_case(named, part));
        }
    }
    return pack;
}

}  // namespace ropescope::vectors
