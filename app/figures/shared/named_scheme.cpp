// Finds a model of several axes by name or path.
#include "app/figures/shared/named_scheme.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "app/scene/offered_values.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/printable.h"
#include "core/base/suggest.h"
#include "core/formats/model_presets.h"
#include "core/formats/schemes/scheme_presets.h"
#include "core/schemes/mixed_start.h"

namespace ropescope::figures {
namespace {

/// What a name stands for, before a part is chosen.
struct Opened {
    std::string title;
    std::vector<ModelScheme> parts;
    std::string usual_part = {};  ///< the first if empty
};

/// The sizes of rope_mixed_deit_small_patch16_LS.
Opened mixed_start() {
    constexpr Index kHeadDim = 64, kHeads = 6;
    return {"RoPE-ViT mixed S/16 before training",
            {{"vision",
              ropevit_mixed_at_start(kHeadDim, kHeads, 1),
              {"directions at random, as they are before training"}}}};
}

Opened open_file(const std::string& path) {
    const bool folder = path_kind(path) == PathKind::folder;
    const ConfigText config =
        folder ? read_config_text(path) : read_config_text(OpenedFile(path, Allowed::regular_file));
    return {printable(path, 60), parse_model_schemes(config.text, config.origin)};
}

Opened open_name(const std::string& parameter, const std::string& name) {
    if (name == kMixedStart) {
        return mixed_start();
    }
    if (const SchemePreset* preset = find_scheme_preset(name)) {
        return {preset->title, parse_model_schemes(preset->config_json, preset->name),
                preset->part};
    }
    if (const ModelConfig* model = find_model_preset(name)) {
        return {model->title, {{"text", scheme_of(model->rope), model->assumptions}}};
    }
    if (path_kind(name) != PathKind::nothing || name.find('/') != name.npos) {
        return open_file(name);
    }
    const std::vector<std::string>& names = offered_values(Scene{}, "axes_model");
    const std::string near = did_you_mean(name, names);
    throw InputError(fmt::format("{}: {} is neither a model nor a file{}", parameter,
                                 in_quotes(name),
                                 near.empty() ? fmt::format("; give a published model like {}, or "
                                                            "the path of a config.json",
                                                            names.front())
                                              : near));
}

ModelScheme chosen_part(const Opened& opened, const std::string& parameter, AxesPart part) {
    const std::string wanted =
        part == AxesPart::first ? opened.usual_part : std::string(to_string(part));
    const auto found = wanted.empty() ? opened.parts.begin()
                                      : std::ranges::find(opened.parts, wanted, &ModelScheme::part);
    if (found == opened.parts.end()) {
        throw InputError(fmt::format("axes_part: the model of {} has no {} part; give first or {}",
                                     parameter, wanted, opened.parts.front().part));
    }
    return *found;
}

}  // namespace

NamedScheme open_scheme(const std::string& parameter, const std::string& name, AxesPart part) {
    const Opened opened = open_name(parameter, name);
    return {name, opened.title, chosen_part(opened, parameter, part)};
}

}  // namespace ropescope::figures
