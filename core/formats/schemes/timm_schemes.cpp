// Reads the arguments of timm's and RoPE-ViT's vision models.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/embedded.h"
#include "core/base/memo.h"
#include "core/formats/json_object.h"
#include "core/formats/schemes/scheme_reader.h"
#include "core/formats/schemes/schemes.h"
#include "core/schemes/scaled_grids.h"
#include "core/schemes/vision_towers.h"

namespace ropescope {
namespace {

/// CLS and registers. Eva has a CLS unless class_token is false, NaFlexVit only if it is true.
Index tokens_before(const ConfigObject& arguments, bool usual_class_token = true) {
    const Index cls = arguments.boolean("class_token").value_or(usual_class_token) ? 1 : 0;
    return cls + arguments.integer({"num_reg_tokens", "reg_tokens"}, 0, kMaxTokens).value_or(0);
}

TimmGrid read_grid(const SchemeReader& file, Index still_before) {
    const std::string indexing = file.config.text("rope_grid_indexing").value_or("ij");
    if (indexing != "ij" && indexing != "xy") {
        file.config.fail("rope_grid_indexing",
                         fmt::format("{}; ij or xy is expected", in_quotes(indexing)));
    }
    return {.head_dim = file.head_dim({"embed_dim"}, {"num_heads"}),
            .columns_first = indexing == "xy",
            .layout = file.config.boolean("rope_rotate_half").value_or(false) ? Layout::half_split
                                                                              : Layout::interleaved,
            .still_before = still_before};
}

TimmLanguage read_language(const SchemeReader& file, std::string_view reference_key) {
    TimmLanguage language{.temperature = file.positive("rope_temperature", 10000.0),
                          .offset = file.config.number("rope_grid_offset").value_or(0.0)};
    if (const auto reference = file.integers(reference_key, 1, kMaxTokens, 2, "rows and columns")) {
        language.reference_rows = (*reference)[0];
        language.reference_columns = (*reference)[1];
    }
    return language;
}

RotaryScheme read_cat(const SchemeReader& file) {
    const TimmGrid grid = read_grid(file, tokens_before(file.config));
    if (!file.config.boolean("rope_in_pixels").value_or(false)) {
        return timm_language(grid, read_language(file, "ref_feat_shape"));
    }
    return timm_pixels(grid, {.max_resolution = file.positive("rope_max_res", 224.0),
                              .linear = file.config.boolean("rope_linear_bands").value_or(false)});
}

/// NaFlexVit's axial is cat by other keys. Source: timm/models/naflexvit.py, NaFlexVit,
/// NaFlexVitCfg.
RotaryScheme read_naflex(const SchemeReader& file) {
    return timm_language(read_grid(file, tokens_before(file.config, false)),
                         read_language(file, "rope_ref_feat_shape"));
}

/// timm's port of DINOv3 has base 100 and coordinates of each side. Pairs are halves where
/// rope_rotate_half is true, as in every architecture of DINOv3.
RotaryScheme read_timm_dinov3(const SchemeReader& file, bool naflex) {
    const bool halves = file.config.boolean("rope_rotate_half").value_or(false);
    return dinov3({.head_dim = file.head_dim({"embed_dim"}, {"num_heads"}),
                   .base = file.positive("rope_temperature", 100.0),
                   .still_before = tokens_before(file.config, !naflex),
                   .layout = halves ? Layout::half_split : Layout::interleaved});
}

/// NaFlexVit's sections: of time, rows and columns.
RotaryScheme read_timm_mrope(const SchemeReader& file) {
    const auto sections = file.integers("rope_mrope_section", 0, kMaxHeadDim, 3,
                                        "the pairs of time, rows and columns");
    if (!sections) {
        file.config.fail("rope_mrope_section",
                         "is missing beside rope_type mrope; three numbers "
                         "are expected");
    }
    return timm_mrope({.head_dim = file.head_dim({"embed_dim"}, {"num_heads"}),
                       .rows = (*sections)[1],
                       .columns = (*sections)[2],
                       .temperature = file.positive("rope_temperature", 10000.0),
                       .still_before = tokens_before(file.config, false)});
}

[[noreturn]] void refuse_learned(const ConfigObject& arguments, std::string_view key) {
    arguments.fail(key,
                   "the frequencies of a mixed model are learned; give rotate --spec a "
                   ".safetensors with its tensor freqs");
}

/// Arguments that the code of timm has, for files without their own. Empty if the architecture is
/// not in the table, which tools/timm_arguments.py makes of timm's source.
std::optional<nlohmann::json> known_arguments(const std::string& architecture) {
    constexpr const char* kFile = "assets/timm_models.json";
    const nlohmann::json& models = made_once([] {
        return parse_json_object(embedded_file(kFile).value_or("{}"), kFile)
            .value("models", nlohmann::json::object());
    });
    const auto found = models.find(architecture);
    return found == models.end() ? std::nullopt : std::optional<nlohmann::json>(*found);
}

/// The file with all of model_args: timm lays those of a file over those of the architecture, which
/// files of the hub leave to the code.
std::optional<nlohmann::json> completed(const ConfigObject& config, Part& read) {
    const bool of_timm = config.has("architecture") && config.has("pretrained_cfg");
    const std::optional<ConfigObject> own = config.object("model_args");
    if (!of_timm && !own) {
        return std::nullopt;
    }
    const std::string architecture = config.text("architecture").value_or("");
    const auto known = known_arguments(architecture);
    if (!known && own) {
        return std::nullopt;
    }
    if (!known) {
        config.fail("architecture",
                    fmt::format("the arguments of {} are in timm's code and not in this file; add "
                                "model_args with embed_dim, num_heads, rope_type or "
                                "use_rot_pos_emb",
                                in_quotes(architecture)));
    }
    read.assumptions.push_back(
        fmt::format("{}: those of {} in timm's code",
                    own ? "what model_args does not say" : "model_args is missing", architecture));
    nlohmann::json with_arguments = config.json();
    with_arguments["model_args"] = *known;
    with_arguments["model_args"].update(own ? own->json() : nlohmann::json::object());
    return with_arguments;
}

}  // namespace

std::optional<Part> timm_scheme(const ConfigObject& config) {
    Part read{.kind = "vision"};
    const std::optional<nlohmann::json> whole = completed(config, read);
    const ConfigObject complete = whole ? config.changed(*whole) : config;
    const std::optional<ConfigObject> arguments = complete.object("model_args");
    if (!arguments || !complete.has("architecture")) {
        return std::nullopt;
    }
    const SchemeReader file{*arguments, read.assumptions, "model_args."};
    if (const auto mixed = arguments->boolean("rope_mixed")) {
        if (*mixed) {
            refuse_learned(*arguments, "rope_mixed");
        }
        read.scheme = ropevit_axial(file.head_dim({"embed_dim"}, {"num_heads"}), file.base(100.0));
        return read;
    }
    const std::string type =
        arguments->text("rope_type")
            .value_or(arguments->boolean("use_rot_pos_emb").value_or(false) ? "cat" : "");
    if (type == "mixed") {
        refuse_learned(*arguments, "rope_type");
    }
    if (type == "axial") {
        read.scheme = read_naflex(file);
    } else if (type == "dinov3") {
        read.scheme = read_timm_dinov3(
            file, complete.text("architecture").value_or("").starts_with("naflexvit"));
    } else if (type == "mrope") {
        read.scheme = read_timm_mrope(file);
    } else if (type == "cat") {
        read.scheme = read_cat(file);
    } else {
        arguments->fail("rope_type",
                        type.empty()
                            ? "is missing; this model has no rotary embedding, one with "
                              "cat, axial, mixed, mrope or dinov3 is expected"
                            : fmt::format("{}; cat, axial, mixed, mrope or dinov3 is expected",
                                          in_quotes(type)));
    }
    return read;
}

}  // namespace ropescope
