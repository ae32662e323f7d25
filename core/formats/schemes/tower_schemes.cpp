// Reads the part of a model that sees: vision towers of transformers and of Mistral, DINOv3, SAM 2.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/memo.h"
#include "core/base/names.h"
#include "core/formats/limits.h"
#include "core/formats/model_family.h"
#include "core/formats/schemes/scheme_reader.h"
#include "core/formats/schemes/schemes.h"
#include "core/formats/schemes/type_line.h"
#include "core/formats/table_row.h"
#include "core/schemes/scaled_grids.h"
#include "core/schemes/vision_towers.h"

namespace ropescope {
namespace {

Index tower_head_dim(const SchemeReader& file) {
    return file.head_dim({"embed_dim", "hidden_size", "vt_hidden_size", "width"},
                         {"num_heads", "num_attention_heads", "vt_num_attention_heads", "heads"});
}

/// A vision tower: a row of `towers` in assets/families.json. The first that fits a type counts.
struct Tower {
    std::string_view begins = {};    ///< of model_type
    std::string_view rotation = {};  ///< which of kRotations
    double base = 10000;             ///< if the file has no rope_theta
    bool reads_base = true;          ///< otherwise no key of the file changes the base
    /// ... but rope_theta in rope_parameters, which only newer files of the family have.
    bool reads_parameters = false;
    bool by_own_type = false;  ///< a tower inside a model of this type is what its own type says
    Index merge = 0;           ///< of the patches' order, whatever the file says; 0: by the file
    bool alone = false;        ///< a whole file of this type describes what sees
    /// The side of a window of layers with window attention, in pixels, if the file has no
    /// window_size; in Muse Glimmer in patches, without pos_emb_height. 0: there are none.
    Index window = 0;
    Layout layout = Layout::half_split;
    std::string_view note = {};  ///< what the scheme does not say; an assumption
    std::string_view source = {};
};
template <typename Visit>
void each_field(const Tower*, Visit visit) {
    visit("begins", &Tower::begins);
    visit("rotation", &Tower::rotation);
    visit("base", &Tower::base);
    visit("reads_base", &Tower::reads_base);
    visit("reads_parameters", &Tower::reads_parameters);
    visit("by_own_type", &Tower::by_own_type);
    visit("merge", &Tower::merge);
    visit("alone", &Tower::alone);
    visit("window", &Tower::window);
    visit("layout", &Tower::layout);
    visit("note", &Tower::note);
    visit("source", &Tower::source);
}

/// A base that the code has as a constant, whatever the file states; what it states is said then.
double constant_base(const SchemeReader& file, const Tower& tower) {
    const auto parameters = file.config.object("rope_parameters");
    const bool inside = parameters && parameters->has("rope_theta");
    std::vector<std::string> unused;
    const double stated = SchemeReader{file.config, unused}.base(tower.base);
    if (stated != tower.base) {
        file.assumptions.push_back(fmt::format(
            "{}{}rope_theta {} is passed over: the code of this tower has {} as a constant",
            file.within, inside ? "rope_parameters." : "", stated, tower.base));
    }
    return tower.base;
}

double base_of(const SchemeReader& file, const Tower& tower) {
    const bool is_newer = tower.reads_parameters && file.config.has("rope_parameters");
    return tower.reads_base || is_newer ? file.base(tower.base) : constant_base(file, tower);
}

Index merge_of(const SchemeReader& file, const Tower& tower, std::string_view key) {
    return tower.merge != 0 ? tower.merge : file.integer(key, 2);
}

/// The scheme with the windows of its layers, `window` blocks of patches wide.
RotaryScheme with_windows(RotaryScheme scheme, Index window) {
    std::get<GridRule>(scheme.positions).window = window;
    return scheme;
}

RotaryScheme read_qwen(const SchemeReader& file, const Tower& tower) {
    const Index merge = merge_of(file, tower, "spatial_merge_size");
    Index window = 0;
    if (tower.window > 0) {
        const Index pixels =
            file.config.integer("window_size", 1, kMaxPixels).value_or(tower.window);
        const Index patch = file.config.integer("patch_size", 1, kMaxPixels).value_or(14);
        window = pixels / patch / merge;
    }
    return with_windows(qwen2_vl_vision(tower_head_dim(file), base_of(file, tower), merge), window);
}
RotaryScheme read_muse(const SchemeReader& file, const Tower& tower) {
    return with_windows(
        muse_glimmer_vision(tower_head_dim(file), base_of(file, tower),
                            merge_of(file, tower, "merge_size")),
        file.config.integer("pos_emb_height", 1, kMaxTokens).value_or(tower.window));
}
RotaryScheme read_minimax_m3(const SchemeReader& file, const Tower& tower) {
    return minimax_m3_vision(tower_head_dim(file), base_of(file, tower),
                             merge_of(file, tower, "spatial_merge_size"));
}
RotaryScheme read_sam3(const SchemeReader& file, const Tower& tower) {
    return sam3_vit(tower_head_dim(file), base_of(file, tower));
}
/// The default of partial_rotary_factor is 4, which only heads / 2 allows: the tables are as wide
/// as all heads together.
RotaryScheme read_efficientloftr(const SchemeReader& file, const Tower& tower) {
    const Index heads = file.config.integer("num_attention_heads", 1, kMaxCount).value_or(8);
    const auto inside = file.config.object("rope_parameters");
    const double factor = (inside && inside->has("partial_rotary_factor") ? *inside : file.config)
                              .positive("partial_rotary_factor", kMaxFactor)
                              .value_or(4.0);
    if (factor != to_double(heads) / 2.0) {
        file.config.fail("partial_rotary_factor",
                         fmt::format("{}; this model turns all {} heads as one, so that {} is "
                                     "expected",
                                     factor, heads, to_double(heads) / 2.0));
    }
    return efficientloftr(tower_head_dim(file), heads, base_of(file, tower));
}
RotaryScheme read_pixtral(const SchemeReader& file, const Tower& tower) {
    return pixtral(tower_head_dim(file), base_of(file, tower), tower.layout);
}
RotaryScheme read_llama4(const SchemeReader& file, const Tower& tower) {
    return llama4_vision(tower_head_dim(file), base_of(file, tower));
}
RotaryScheme read_gemma4(const SchemeReader& file, const Tower& tower) {
    return gemma4_vision(tower_head_dim(file), base_of(file, tower));
}
RotaryScheme read_moonvit(const SchemeReader& file, const Tower& tower) {
    return moonvit(tower_head_dim(file), base_of(file, tower), tower.layout);
}

Dinov3::Normalise read_normalise(const SchemeReader& file) {
    const std::string stated =
        file.config.text("pos_embed_rope_normalize_coords").value_or("separate");
    const auto known = enum_value<Dinov3::Normalise>(stated);
    if (!known) {
        file.config.fail("pos_embed_rope_normalize_coords",
                         fmt::format("{}; separate, max or min is expected", in_quotes(stated)));
    }
    return *known;
}

/// Settings of the original repository stand in an object of their own or at the same level.
RotaryScheme read_dinov3(const SchemeReader& file, const Tower& tower) {
    const SchemeReader own{file.config.object("original").value_or(file.config), file.assumptions};
    Dinov3 arguments{.head_dim = tower_head_dim(file), .normalise = read_normalise(own)};
    const auto min = own.config.positive("pos_embed_rope_min_period", 1e12);
    const auto max = own.config.positive("pos_embed_rope_max_period", 1e12);
    const auto base = own.config.positive("pos_embed_rope_base", 1e12);
    const bool both = min && max;
    // RopePositionEmbedding wants a base or two periods, and passes over one period beside a base.
    if ((min || max) && both == base.has_value()) {
        own.config.fail(min ? "pos_embed_rope_min_period" : "pos_embed_rope_max_period",
                        base ? "stands beside pos_embed_rope_base; give a base or both periods"
                             : "is one of two periods; give both, or pos_embed_rope_base");
    }
    if (both) {
        arguments.periods = {*min, *max};
    } else {
        arguments.base = base ? *base : base_of(file, tower);
    }
    if (!both && (min || max)) {
        file.assumptions.emplace_back("one period beside pos_embed_rope_base is not used");
    }
    const auto registers = file.config.integer("num_register_tokens", 0, kMaxTokens);
    arguments.still_before = 1 + file.or_usual<Index>(registers, "num_register_tokens", 4);
    return dinov3(arguments);
}

struct Rotation {
    std::string_view name;
    RotaryScheme (*read)(const SchemeReader& file, const Tower& tower);
};
constexpr std::array kRotations = {Rotation{"muse", read_muse},
                                   Rotation{"minimax_m3", read_minimax_m3},
                                   Rotation{"efficientloftr", read_efficientloftr},
                                   Rotation{"sam3", read_sam3},
                                   Rotation{"qwen", read_qwen},
                                   Rotation{"pixtral", read_pixtral},
                                   Rotation{"llama4", read_llama4},
                                   Rotation{"gemma4", read_gemma4},
                                   Rotation{"moonvit", read_moonvit},
                                   Rotation{"dinov3", read_dinov3}};

RotaryScheme read_tower(const SchemeReader& file, const Tower& tower) {
    const auto name = [](const Rotation& rotation) { return std::string(rotation.name); };
    return element_named(kRotations, name, tower.rotation,
                         [&](const std::string& near) {
                             return fmt::format("{}: {}: rotation {} is not known{}", kFamiliesFile,
                                                tower.begins, in_quotes(tower.rotation), near);
                         })
        .read(file, tower);
}

const Tower* find_tower(std::string_view type) {
    const std::vector<Tower>& towers = made_once(
        [] { return read_rows<Tower>(family_tables(), "towers", "begins", kFamiliesFile); });
    const auto found = std::ranges::find_if(
        towers, [&](const Tower& tower) { return type.starts_with(tower.begins); });
    const bool is_still = !other_positions("without_rope", type).empty();
    return found == towers.end() || is_still ? nullptr : &*found;
}

/// width / rate / heads, which must divide.
Index sam2_head_dim(const ConfigObject& config, std::string_view width_key, Index width, Index rate,
                    Index heads) {
    if (width % (rate * heads) != 0 || width / (rate * heads) > kMaxHeadDim) {
        config.fail(width_key,
                    fmt::format("{} does not give {} heads a head_dim at downsample rate {}; a "
                                "multiple of {} is expected, at most {} times as much",
                                width, heads, rate, rate * heads, kMaxHeadDim));
    }
    return width / (rate * heads);
}

/// SAM 2 as its own configuration and as transformers (sam2_video) write it.
std::optional<Part> sam2_scheme(const ConfigObject& config) {
    Part read{.kind = "vision"};
    if (config.has("memory_attention_rope_theta") || config.has("memory_attention_hidden_size")) {
        const SchemeReader file{config, read.assumptions};
        const Index width = file.integer("memory_attention_hidden_size", 256);
        const Index heads = file.integer("memory_attention_num_attention_heads", 1);
        const Index rate =
            config.integer("memory_attention_downsample_rate", 1, kMaxHeadDim).value_or(1);
        read.scheme =
            sam2(sam2_head_dim(config, "memory_attention_hidden_size", width, rate, heads),
                 file.positive("memory_attention_rope_theta", 10000.0));
        return read;
    }
    std::optional<ConfigObject> at = config;
    for (const char* key : {"memory_attention", "layer", "self_attention"}) {
        at = at ? at->object(key) : std::nullopt;
    }
    if (!at) {
        return std::nullopt;
    }
    const SchemeReader file{*at, read.assumptions};
    const Index rate = at->integer("downsample_rate", 1, kMaxHeadDim).value_or(1);
    const Index width = file.required({"embedding_dim"});
    const Index heads = file.integer("num_heads", 1);
    read.scheme = sam2(sam2_head_dim(*at, "embedding_dim", width, rate, heads), file.base(10000.0));
    return read;
}

/// A fragment may hold what the language model needs of its tower, and no sizes.
bool has_sizes(const ConfigObject& tower) {
    return tower.has("head_dim") || tower.has("hidden_size") || tower.has("embed_dim") ||
           tower.has("vt_hidden_size") || tower.has("width");
}

/// A tower that is a part of a file.
struct TowerObject {
    ConfigObject config;
    std::string within;  ///< "vision_config.": where it lies
    /// Its own model_type, else that of the whole, whose class makes its tower of the same family
    /// whatever type the tower's object states, unless the row says `by_own_type`.
    std::string type;
    std::string passed_over = {};  ///< the type that its object states instead
};

std::optional<TowerObject> inside(const TowerObject& outer, const char* key) {
    const auto found = outer.config.object(key);
    if (!found) {
        return std::nullopt;
    }
    const std::string within = fmt::format("{}{}.", outer.within, key);
    const std::string own = found->text("model_type").value_or(outer.type);
    const Tower* const of_whole = find_tower(outer.type);
    if (find_tower(own) == nullptr && of_whole != nullptr && !of_whole->by_own_type) {
        return TowerObject{*found, within, outer.type, own};
    }
    return TowerObject{*found, within, own};
}

/// What lies in the thinker of Qwen Omni, in the detector of SAM 3, and there behind the neck.
std::optional<TowerObject> vision_part(const ConfigObject& config) {
    TowerObject whole{config, "", config.text("model_type").value_or("")};
    for (const char* key : {"thinker_config", "detector_config"}) {
        whole = inside(whole, key).value_or(whole);
    }
    const std::optional<TowerObject> part = inside(whole, "vision_config");
    if (part && has_sizes(part->config)) {
        return part;
    }
    const std::optional<TowerObject> behind = inside(part.value_or(whole), "backbone_config");
    return behind && find_tower(behind->type) != nullptr ? behind : part;
}

/// Whether a file without parts describes what sees. Language models of the same name have a
/// vocabulary, sections or a count of key and value heads.
bool is_tower(const ConfigObject& config, const std::string& type) {
    constexpr std::array kEndings = {"_vision", "_vision_model", "_vision_encoder",
                                     "_vision_transformer"};
    const bool ends = std::ranges::any_of(
        kEndings, [&](std::string_view ending) { return type.ends_with(ending); });
    const Tower* tower = find_tower(type);
    const bool named = ends || type == "pixtral" || type == "moonvit" ||
                       type.starts_with("dinov3") || (tower != nullptr && tower->alone);
    return named || (tower != nullptr && config.has("depth") && config.has("patch_size") &&
                     !config.has("num_attention_heads"));
}

/// "vision_config:", before what is said of the object.
std::string place_of(const TowerObject& part) {
    return part.within.substr(0, part.within.size() - 1) + ':';
}

}  // namespace

bool is_tower_alone(const ConfigObject& config) {
    const std::string type = config.text("model_type").value_or("");
    return !vision_part(config) && is_tower(config, type) && find_tower(type) != nullptr &&
           has_sizes(config);
}

std::string why_no_tower(const ConfigObject& config) {
    const auto part = vision_part(config);
    if (!part) {
        return {};
    }
    return find_tower(part->type) == nullptr
               ? fmt::format(
                     "{} model_type {} is not known as a vision tower with rotary embedding",
                     place_of(*part), in_quotes(part->type))
               : fmt::format("{} hidden_size and head_dim are missing; one of them is expected",
                             place_of(*part));
}

std::optional<Part> tower_scheme(const ConfigObject& config) {
    if (std::optional<Part> sam = sam2_scheme(config)) {
        return sam;
    }
    Part read{.kind = "vision"};
    if (const auto mistral = config.object("vision_encoder")) {
        // Mistral's own code, which pairs neighbours.
        read.scheme = read_pixtral({*mistral, read.assumptions, "vision_encoder."},
                                   {.layout = Layout::interleaved});
        return read;
    }
    const std::string whole_type = config.text("model_type").value_or("");
    const auto part = vision_part(config);
    if (!part && !is_tower(config, whole_type)) {
        return std::nullopt;
    }
    const TowerObject tower = part.value_or(TowerObject{config, "", whole_type});
    const Tower* const found = find_tower(tower.type);
    if (found == nullptr || !has_sizes(tower.config)) {
        return std::nullopt;
    }
    if (!is_known_in_line(tower.type, found->begins)) {
        read.inferred = inferred_from_line(tower.type, found->begins);
        read.assumptions.push_back(read.inferred);
    }
    read.scheme = read_tower({tower.config, read.assumptions, tower.within}, *found);
    if (!tower.passed_over.empty()) {
        read.assumptions.push_back(
            fmt::format("{}model_type {} is passed over: a model of type {} "
                        "makes its own tower",
                        tower.within, in_quotes(tower.passed_over), tower.type));
    }
    if (!found->note.empty()) {
        read.assumptions.emplace_back(found->note);
    }
    return read;
}

}  // namespace ropescope
