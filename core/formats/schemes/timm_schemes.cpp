// Reads the arguments of timm's and RoPE-ViT's vision models.
#include <cmath>
#include <fmt/format.h>

#include "core/base/printable.h"
#include "core/formats/schemes/model_schemes.h"
#include "core/formats/schemes/scheme_reader.h"
#include "core/schemes/scaled_grids.h"
#include "core/schemes/vision_towers.h"

namespace ropescope {
namespace {

/// CLS, unless class_token is false, and registers.
Index tokens_before(const ConfigObject& arguments) {
    const Index cls = arguments.boolean("class_token").value_or(true) ? 1 : 0;
    return cls + arguments.integer("num_reg_tokens", 0, kMaxTokens).value_or(0);
}

TimmGrid read_grid(const SchemeReader& file) {
    const std::string indexing = file.config.text("rope_grid_indexing").value_or("ij");
    if (indexing != "ij" && indexing != "xy") {
        file.config.fail("rope_grid_indexing",
                         fmt::format("{}; ij or xy is expected", in_quotes(indexing)));
    }
    return {.head_dim = file.head_dim({"embed_dim"}, {"num_heads"}),
            .columns_first = indexing == "xy",
            .layout = file.config.boolean("rope_rotate_half").value_or(false) ? Layout::half_split
                                                                              : Layout::interleaved,
            .still_before = tokens_before(file.config)};
}

TimmLanguage read_language(const SchemeReader& file) {
    TimmLanguage language{.temperature = file.positive("rope_temperature", 10000.0),
                          .offset = file.config.number("rope_grid_offset").value_or(0.0)};
    const auto reference = file.config.numbers("ref_feat_shape", 2);
    if (reference && reference->size() != 2) {
        file.config.fail("ref_feat_shape", "two numbers are expected, rows and columns");
    }
    if (reference) {
        language.reference_rows = round_to_index((*reference)[0]);
        language.reference_columns = round_to_index((*reference)[1]);
    }
    return language;
}

RotaryScheme read_cat(const SchemeReader& file) {
    const TimmGrid grid = read_grid(file);
    if (!file.config.boolean("rope_in_pixels").value_or(false)) {
        return timm_language(grid, read_language(file));
    }
    return timm_pixels(grid, {.max_resolution = file.positive("rope_max_res", 224.0),
                              .linear = file.config.boolean("rope_linear_bands").value_or(false)});
}

/// timm's port of DINOv3 has base 100 and coordinates of each side.
RotaryScheme read_dinov3(const SchemeReader& file) {
    return dinov3({.head_dim = file.head_dim({"embed_dim"}, {"num_heads"}),
                   .base = file.positive("rope_temperature", 100.0),
                   .still_before = tokens_before(file.config)});
}

[[noreturn]] void refuse_learned(const ConfigObject& arguments, std::string_view key) {
    arguments.fail(key,
                   "the frequencies of a mixed model are learned; give the weight freqs of its "
                   "checkpoint");
}

}  // namespace

std::optional<ModelScheme> timm_scheme(const ConfigObject& config) {
    const std::optional<ConfigObject> arguments = config.object("model_args");
    if (!arguments || !config.has("architecture")) {
        return std::nullopt;
    }
    ModelScheme read{"vision", {}, {}};
    const SchemeReader file{*arguments, read.assumptions};
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
        read.scheme = ropevit_axial(file.head_dim({"embed_dim"}, {"num_heads"}),
                                    file.positive("rope_temperature", 100.0));
    } else if (type == "dinov3") {
        read.scheme = read_dinov3(file);
    } else if (type == "cat") {
        read.scheme = read_cat(file);
    } else {
        arguments->fail("rope_type",
                        type.empty() ? "is missing; this model has no rotary embedding, one with "
                                       "cat, axial, mixed or dinov3 is expected"
                                     : fmt::format("{}; cat, axial, mixed or dinov3 is expected",
                                                   in_quotes(type)));
    }
    return read;
}

}  // namespace ropescope
