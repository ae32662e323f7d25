// Finds models by name or path, and their parts in a file.
#include "core/models/model.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/names.h"
#include "core/formats/gguf/file.h"
#include "core/formats/gguf/model.h"
#include "core/formats/json_object.h"
#include "core/formats/presets.h"
#include "core/formats/schemes/schemes.h"
#include "core/formats/unread_keys.h"
#include "core/models/indexer.h"
#include "core/models/transformers.h"
#include "core/schemes/vision_towers.h"

namespace ropescope {
namespace {

constexpr std::size_t kLongestTitle = 60;

/// What people see of a model that is no published one.
std::string title_of(const std::string& name, const Model& model) {
    const bool inferred =
        std::ranges::any_of(model.parts, [](const Part& part) { return !part.inferred.empty(); });
    return printable(name, kLongestTitle) + (inferred ? " (inferred, not known)" : "");
}

/// The part that sees, or why it cannot be read.
struct Tower {
    std::optional<Part> part;
    std::string refusal;
};

Tower find_tower(const ConfigObject& config) {
    try {
        return {tower_scheme(config), ""};
    } catch (const InputError& error) {
        return {std::nullopt, error.what()};
    }
}

/// The language model alone: what sees has a file of its own.
void read_parts_of_gguf(const ConfigObject& config, Model& model) {
    if (std::optional<Part> text = gguf::sections_scheme(config)) {
        model.parts = {*std::move(text)};
        model.unread_vision =
            "it lies in a GGUF file of its own (mmproj), which says nothing about rotation; give "
            "the config.json";
    } else if (model.text) {
        model.parts = parts_of_text(*model.text);
    } else {
        throw InputError(model.unread_text);
    }
}

/// The language model in several axes, or in one. What sees may be readable where it is not.
void read_text(const ConfigObject& config, Model& model) {
    try {
        model.parts = multimodal_schemes(config);
    } catch (const InputError& refused) {
        model.unread_text = refused.what();
        model.text.reset();
    }
    if (model.parts.empty() && model.text) {
        model.parts = parts_of_text(*model.text);
    }
}

/// Text first: one or two. What sees and cannot be read is one of the language model's assumptions.
void read_parts(const ConfigObject& config, Model& model) {
    if (gguf::is_metadata(config)) {
        read_parts_of_gguf(config, model);
        return;
    }
    for (const auto& read : {diffusion_scheme, timm_scheme}) {
        if (std::optional<Part> only = read(config)) {
            model.parts = {*std::move(only)};
            return;
        }
    }
    if (is_tower_alone(config)) {
        model.parts = {tower_scheme(config).value()};
        return;
    }
    read_text(config, model);
    append_other_transformers(config, model);
    append_indexer(config, model);
    Tower tower = find_tower(config);
    if (model.parts.empty() && !tower.part) {
        throw InputError(tower.refusal.empty() ? model.unread_text : tower.refusal);
    }
    model.lacks_language_model = model.parts.empty() && has_language_model(config);
    if (tower.part) {
        model.parts.push_back(*std::move(tower.part));
    } else if (tower.refusal.empty()) {
        model.unread_vision = why_no_tower(config);
    }
    for (Part& part : model.parts) {
        if (!tower.refusal.empty()) {
            part.assumptions.push_back(
                fmt::format("the part that sees is not shown: {}", tower.refusal));
        }
    }
}

/// The keys that none of the readers has looked at, among what the language model's parts leave
/// open; in a file without one, among what the first part leaves open.
void say_what_is_unread(const ConfigObject& config, const LookedAt& looked_at, Model& model) {
    if (gguf::is_metadata(config)) {
        return;
    }
    const std::vector<std::string> unread = unread_rope_keys(config, looked_at);
    const auto say_in = [&](std::vector<std::string>& assumptions) {
        assumptions.insert(assumptions.end(), unread.begin(), unread.end());
    };
    if (model.text) {
        say_in(model.text->assumptions);
    }
    const bool has_text = model.text || std::ranges::any_of(model.parts, [](const Part& part) {
                              return part.kind == "text";
                          });
    for (Part& part : model.parts) {
        if (has_text ? part.kind == "text" : &part == &model.parts.front()) {
            say_in(part.assumptions);
        }
    }
}

/// The sizes of rope_mixed_deit_small_patch16_LS.
Model mixed_start() {
    constexpr Index kHeadDim = 64, kHeads = 6;
    return {.name = kMixedStart,
            .title = "RoPE-ViT mixed S/16 before training",
            .published = true,
            .unread_text = fmt::format("{} has no language model", kMixedStart),
            .parts = {{.model = kMixedStart,
                       .kind = "vision",
                       .scheme = ropevit_mixed_at_start(kHeadDim, kHeads, 1),
                       .assumptions = {"directions at random, as they are before training"}}}};
}

[[noreturn]] void refuse_name(const std::string& name) {
    std::vector<std::string> names;
    for (const auto* presets : {&one_axis_presets(), &several_axes_presets()}) {
        std::ranges::transform(*presets, std::back_inserter(names), &Preset::name);
    }
    names.emplace_back(kMixedStart);
    const std::string near = did_you_mean(name, names);
    throw InputError(fmt::format("{} is neither a file nor a published model{}", in_quotes(name),
                                 near.empty() ? "; give a path or a name like llama-3-8b" : near));
}

/// An id like "meta-llama/Llama-3.1-8B-Instruct" names nothing here, and comes near a model that
/// is known.
void refuse_id_of_a_hub(const std::string& id) {
    const std::size_t slash = id.rfind('/');
    std::error_code unknown;
    if (std::ranges::count(id, '/') != 1 || slash == 0 || id.starts_with('.') ||
        std::filesystem::exists(id, unknown)) {
        return;
    }
    const std::string name = lower_case(id.substr(slash + 1));
    const auto known = std::ranges::find_if(
        one_axis_presets(), [&](const Preset& preset) { return name.starts_with(preset.name); });
    if (known != one_axis_presets().end()) {
        throw InputError(
            fmt::format("{} is neither a folder here nor the id of a published model; {} is one, "
                        "from {}: give it, or the path of your config.json",
                        in_quotes(id), known->name, known->source));
    }
}

}  // namespace

const Part& Model::part(std::string_view wanted) const {
    if (wanted.empty() && lacks_language_model) {
        throw InputError(fmt::format("{}; --part {} takes the other part of this model",
                                     unread_text, parts.front().kind));
    }
    const auto is_wanted = [&](const Part& part) {
        return wanted.empty() || part.layer_type == wanted || part.kind == wanted;
    };
    const auto found = std::ranges::find_if(parts, is_wanted);
    if (found != parts.end()) {
        return *found;
    }
    if (wanted == "vision" && !unread_vision.empty()) {
        throw InputError(fmt::format("part: {}", unread_vision));
    }
    std::vector<std::string> names;
    std::ranges::transform(parts, std::back_inserter(names), &Part::name);
    throw InputError(fmt::format("part: {} is not a part of {}; give {}", in_quotes(wanted),
                                 printable(name), fmt::join(names, " or ")));
}

std::vector<Part> Model::kinds() const {
    std::vector<Part> first;
    for (const Part& part : parts) {
        if (std::ranges::find(first, part.kind, &Part::kind) == first.end()) {
            first.push_back(part);
        }
    }
    return first;
}

bool Model::turns_in_several_axes() const {
    return std::ranges::any_of(parts, [](const Part& part) { return part.axes() > 1; });
}

Model parse_model(std::string_view json, const std::string& origin) {
    const nlohmann::json parsed = parse_json_object(json, origin);
    const std::string where = printable(origin);
    LookedAt looked_at;
    const ConfigObject config = ConfigObject(parsed, where).noting(looked_at);
    Model model{.name = origin, .config = {std::string(json), origin}};
    try {
        model.text = read_model(config, origin);
    } catch (const InputError& refused) {
        model.unread_text = refused.what();
    }
    try {
        read_parts(config, model);
    } catch (const InputError& refused) {
        // What a scheme refuses names a key; the file is known here.
        const std::string text = refused.what();
        throw InputError(text.starts_with(where) ? text : fmt::format("{}: {}", where, text));
    }
    say_what_is_unread(config, looked_at, model);
    for (Part& part : model.parts) {
        part.model = origin;
        if (model.text && part.kind == "text") {
            part.q_heads = model.text->n_heads;
            part.kv_heads = model.text->n_kv_heads;
        }
    }
    model.title = title_of(origin, model);
    return model;
}

ConfigText open_config(const std::string& name_or_path, Allowed allowed) {
    if (const Preset* preset = find_preset(name_or_path)) {
        return {preset->config_json, preset->name};
    }
    if (name_or_path == kMixedStart) {
        throw InputError(fmt::format("{} has no config.json; give another model", kMixedStart));
    }
    if (!is_path(name_or_path)) {
        refuse_name(name_or_path);
    }
    refuse_id_of_a_hub(name_or_path);
    return read_config_text(name_or_path, allowed);
}

Model open_model(const std::string& name_or_path, Allowed allowed) {
    if (name_or_path == kMixedStart) {
        return mixed_start();
    }
    if (holds_scheme(name_or_path)) {
        return scheme_model(name_or_path);
    }
    const ConfigText config = open_config(name_or_path, allowed);
    Model model = parse_model(config.text, config.origin);
    model.title = title_of(name_or_path, model);
    if (const Preset* preset = find_preset(name_or_path)) {
        model.published = true;
        model.title = preset->title;
        model.source = preset->source;
        if (model.text && !model.turns_in_several_axes()) {
            model.text->title = preset->title;
        }
    }
    return model;
}

Model open_with_tensors(const std::string& name_or_path, Allowed allowed) {
    if (!is_path(name_or_path) || find_preset(name_or_path) != nullptr) {
        return open_model(name_or_path, allowed);
    }
    refuse_id_of_a_hub(name_or_path);
    Inspection found = list_contents(name_or_path, allowed);
    // An empty config.json is a mistake, and none is not.
    const bool has_config = !found.config.text.empty() || !found.config.origin.empty();
    Model model = holds_scheme(name_or_path) ? scheme_model(name_or_path)
                  : has_config               ? parse_model(found.config.text, found.config.origin)
                                             : Model{.name = name_or_path};
    model.title = title_of(name_or_path, model);
    model.files = std::move(found.files);
    return model;
}

}  // namespace ropescope
