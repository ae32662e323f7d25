// Words the notes of the context view.
#include "app/figures/context/notes.h"

#include <algorithm>
#include <fmt/format.h>

#include "app/figures/describe.h"
#include "app/figures/text.h"
#include "app/plot/number_text.h"
#include "app/scene/several_axes.h"
#include "core/base/error.h"
#include "core/formats/model_family.h"

namespace ropescope::figures {
namespace {

using Notes = std::vector<plot::Facts::Fact>;

/// What to mind when a row's block is pasted; "" for methods whose block says all.
struct BlockNote {
    const Scene& scene;
    const std::string& key;  ///< of the base in the model's config.json; "" if it has none

    std::string operator()(const auto&) const { return ""; }
    std::string operator()(const DynamicNtkScaling&) const {
        return fmt::format(
            "leave max_position_embeddings at the trained {}: the stretch begins there. The factor "
            "is 1 because the stretch grows with the sequence; the target is {} times as long, {} "
            "positions",
            whole_text(scene.original_length), plot::number_text(needed_factor(scene)),
            whole_text(scene.target_length));
    }
    std::string operator()(const NtkScaling&) const {
        return key.empty()
                   ? "this family's config.json has no key for the base"
                   : "transformers has no rope_type for it; the larger base is the whole method";
    }
    std::string operator()(const LongRopeScaling&) const {
        return scene.longrope_long.empty()
                   ? "without lists of its own, every pair is slowed by the factor, as with linear"
                   : "the lists were searched for the model's own target; another target changes "
                     "the attention factor alone. The text export has the whole lists";
    }
};

/// That the model is scaled already: the rows start without its scaling, from which length, and
/// whether one of them is what the model has. "" for a model without scaling.
std::string own_scaling_note(const Scene& scene, const Methods& methods, const ModelConfig& model) {
    const Scaling& own = model.rope.scaling;
    if (std::holds_alternative<NoScaling>(own)) {
        return "";
    }
    std::string text = fmt::format("{} is scaled already ({}); the rows start without it",
                                   model.title, scaling_words(own));
    const auto original = original_positions(own);
    if (original && *original == scene.original_length) {
        text += fmt::format(", from the {} positions before it", whole_text(*original));
    } else if (!original && model.max_positions == scene.original_length) {
        text += fmt::format(
            ". The file names no length before it, and {} is max_position_embeddings: set "
            "original_length to the length trained without it",
            whole_text(scene.original_length));
    }
    const MethodRow* same = methods.find(std::string(scaling_type(own)));
    if (same != nullptr && same->spec.scaling == own) {
        text += fmt::format(". The row {} is what the model has", scaling_name(same->name));
    }
    return text;
}

std::string marked_note(const Scene& scene, const Methods& methods, const MethodRow& chosen) {
    if (scene.scaling == chosen.name) {
        return "";
    }
    return fmt::format("{}. {}; click a row for another method", scaling_name(chosen.name),
                       methods.find(scene.scaling) != nullptr
                           ? "No scaling is chosen"
                           : "The scaling " + scaling_name(scene.scaling) + " has no row");
}

std::string missing_note(const Methods& methods) {
    std::string text;
    for (const MissingMethod& method : methods.missing) {
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", scaling_name(method.name),
                            method.why);
    }
    return text;
}

}  // namespace

std::optional<ModelConfig> named_model(const Scene& scene) {
    try {
        return open_scene_model(scene.model).text;
    } catch (const InputError&) {
        return std::nullopt;  // the model view says why
    }
}

std::string base_key(const std::optional<ModelConfig>& model) {
    const ModelFamily* family = model ? find_model_family(model->model_type) : nullptr;
    return family == nullptr ? "rope_theta" : std::string(family->base_key);
}

Notes context_notes(const Scene& scene, const Methods& methods, const MethodRow& chosen,
                    const std::optional<ModelConfig>& model) {
    Notes notes;
    const auto add = [&](const char* name, const std::string& text) {
        if (!text.empty()) {
            notes.push_back({name, text});
        }
    };
    const std::string key = base_key(model);
    add("block", std::visit(BlockNote{scene, key}, chosen.spec.scaling));
    add("model", model ? own_scaling_note(scene, methods, *model) : "");
    add("showing", marked_note(scene, methods, chosen));
    add("not listed", missing_note(methods));
    return notes;
}

}  // namespace ropescope::figures
