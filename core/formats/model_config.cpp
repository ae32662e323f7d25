#include "core/formats/model_config.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/printable.h"
#include "core/formats/config_object.h"
#include "core/formats/model_family.h"
#include "core/formats/model_object.h"

namespace ropescope {
namespace {

constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 24;
constexpr std::int64_t kMaxSize = std::int64_t{1} << 24;   // of hidden_size
constexpr std::int64_t kMaxCount = std::int64_t{1} << 16;  // of heads and layers
constexpr std::int64_t kMaxContext = std::int64_t{1} << 40;
constexpr double kMaxBase = 1e300;

using Assumptions = std::vector<std::string>;

/// Keys by which a file of no known family shows that it has RoPE, and how to read them.
ModelFamily guessed_family(const ConfigObject& config, const std::string& model_type) {
    ModelFamily family{.model_type = "", .base_key = "", .factor_key = ""};
    const auto first_of = [&](std::initializer_list<std::string_view> keys) {
        for (const std::string_view key : keys) {
            if (config.has(key)) {
                return key;
            }
        }
        return std::string_view();
    };
    family.base_key = first_of({"rope_theta", "rotary_emb_base", "rope_base", "rotary_base"});
    family.factor_key =
        first_of({"partial_rotary_factor", "rotary_pct", "rope_pct", "rotary_percent"});
    family.width_key = first_of({"rotary_dim", "rotary_ndims"});
    const bool has_rope = !family.base_key.empty() || !family.factor_key.empty() ||
                          !family.width_key.empty() || config.has("rope_parameters") ||
                          config.has("rope_scaling");
    if (!has_rope) {
        config.fail("model_type",
                    fmt::format("{} is not known, and no key tells of RoPE; rope_theta, "
                                "rope_parameters, rotary_dim or rotary_pct is expected",
                                in_quotes(model_type)));
    }
    return family;
}

ModelFamily family_of(const ConfigObject& config, const std::string& model_type,
                      Assumptions& assumptions) {
    if (const ModelFamily* known = find_model_family(model_type)) {
        return *known;
    }
    if (model_type.empty() && config.has("rope_base") && config.has("n_heads")) {
        assumptions.emplace_back("no model_type: rope_base and n_heads are read as the notebook's");
        return *find_model_family(kNotebookType);
    }
    assumptions.push_back(
        fmt::format("model_type {} is not known: half-split pairs", in_quotes(model_type)));
    return guessed_family(config, model_type);
}

/// Families in which a key can switch RoPE off.
void check_has_rope(const ConfigObject& config, const ModelFamily& family) {
    const nlohmann::json* value = config.find(family.condition_key);
    if (value != nullptr && *value != nlohmann::json::parse(family.condition_value)) {
        config.fail(family.condition_key,
                    fmt::format("this model has no RoPE; a {} model has it where this is {}",
                                family.model_type, family.condition_value));
    }
}

/// rope_scaling, or rope_parameters as transformers 5 calls it: the default type only.
void check_rope_type(const ConfigObject& config, std::string_view key) {
    const std::optional<ConfigObject> scaling = config.object(key);
    if (!scaling) {
        return;
    }
    const std::string_view type_key = scaling->has("rope_type") ? "rope_type" : "type";
    const std::optional<std::string> type = scaling->text(type_key);
    if (!type && !scaling->has("rope_theta")) {
        config.fail(fmt::format("{}.rope_type", key), "is missing; 'default' is expected");
    }
    if (type && *type != "default") {
        config.fail(
            fmt::format("{}.{}", key, type_key),
            fmt::format("{} is not supported yet; 'default' is expected", in_quotes(*type)));
    }
}

/// A positive number from rope_parameters, else under the family's own key.
std::optional<double> stated_number(const ConfigObject& config, std::string_view parameter,
                                    std::string_view key, double most) {
    if (const std::optional<ConfigObject> parameters = config.object("rope_parameters")) {
        if (const std::optional<double> value = parameters->positive(parameter, most)) {
            return value;
        }
    }
    return key.empty() ? std::nullopt : config.positive(key, most);
}

double read_base(const ConfigObject& config, const ModelFamily& family, Assumptions& assumptions) {
    const auto stated = stated_number(config, "rope_theta", family.base_key, kMaxBase);
    if (!stated && !family.base_key.empty()) {
        assumptions.push_back(fmt::format("{} is missing: {}", family.base_key, family.base));
    }
    return stated.value_or(family.base);
}

/// A width, and for messages where it comes from.
struct Width {
    int channels = 0;
    std::string source;
};

Width read_head_dim(const ConfigObject& config, const ModelFamily& family, std::int64_t heads,
                    Assumptions& assumptions) {
    if (!family.head_dim_key.empty()) {
        if (const auto value = config.integer(family.head_dim_key, 1, kMaxHeadDim)) {
            return {static_cast<int>(*value), fmt::format("the file's {}", family.head_dim_key)};
        }
    }
    if (family.head_dim != 0) {
        assumptions.push_back(
            fmt::format("{} is missing: {}", family.head_dim_key, family.head_dim));
        return {family.head_dim, fmt::format("the default of {}", family.model_type)};
    }
    const auto hidden = config.integer({"hidden_size", "n_embd"}, 1, kMaxSize);
    if (!hidden) {
        config.fail("hidden_size",
                    fmt::format("is missing; an integer from 1 to {} is expected", kMaxSize));
    }
    if (*hidden % heads != 0 || *hidden / heads > kMaxHeadDim) {
        config.fail("hidden_size",
                    fmt::format("{} does not give {} heads a head_dim; {} times a number up to {} "
                                "is expected",
                                *hidden, heads, heads, kMaxHeadDim));
    }
    return {static_cast<int>(*hidden / heads),
            fmt::format("hidden_size {} / {} {}", *hidden, family.heads_key, heads)};
}

Width read_rotary_dim(const ConfigObject& config, const ModelFamily& family, int head_dim,
                      Assumptions& assumptions) {
    if (!family.width_key.empty()) {
        const auto stated = config.integer(family.width_key, 1, kMaxHeadDim);
        if (!stated) {
            assumptions.push_back(fmt::format("{} is missing: {}", family.width_key, family.width));
        }
        return {static_cast<int>(stated.value_or(family.width)),
                fmt::format("the file's {}", family.width_key)};
    }
    const auto stated = stated_number(config, "partial_rotary_factor", family.factor_key, 1);
    if (!stated && family.factor != 1) {
        assumptions.push_back(fmt::format("{} is missing: {}", family.factor_key, family.factor));
    }
    const double factor = stated.value_or(family.factor);
    return {static_cast<int>(head_dim * factor), fmt::format("head_dim x {}", factor)};
}

RopeSpec read_rope(const ConfigObject& config, const ModelFamily& family, std::int64_t heads,
                   Assumptions& assumptions) {
    const Width head = read_head_dim(config, family, heads, assumptions);
    const Width rotary = read_rotary_dim(config, family, head.channels, assumptions);
    const RopeSpec spec{head.channels, rotary.channels, read_base(config, family, assumptions),
                        family.layout};
    try {
        validate(spec);
    } catch (const InputError& error) {
        config.fail("rope", fmt::format("{} (head_dim is {}, rotary_dim is {})", error.what(),
                                        head.source, rotary.source));
    }
    return spec;
}

int read_heads(const ConfigObject& config, const ModelFamily& family) {
    const auto heads = config.integer({family.heads_key, "n_head"}, 1, kMaxCount);
    if (!heads) {
        config.fail(family.heads_key,
                    fmt::format("is missing; an integer from 1 to {} is expected", kMaxCount));
    }
    return static_cast<int>(*heads);
}

int read_kv_heads(const ConfigObject& config, int heads) {
    // Falcon's first generation shares one key and value head and does not read the count.
    if (config.boolean("multi_query").value_or(false) &&
        !config.boolean("new_decoder_architecture").value_or(false)) {
        return 1;
    }
    const auto stated =
        config.integer({"num_key_value_heads", "num_kv_heads", "n_head_kv"}, 1, kMaxCount);
    if (stated && heads % *stated != 0) {
        config.fail("num_key_value_heads",
                    fmt::format("{} does not divide the {} attention heads", *stated, heads));
    }
    return stated ? static_cast<int>(*stated) : heads;
}

/// The model's own name for itself, else the folder of a config.json, else the file's stem.
std::string title_of(const ConfigObject& config, const std::string& origin) {
    const std::string name = config.text("_name_or_path").value_or("");
    const std::filesystem::path path(origin);
    const std::filesystem::path folder = path.parent_path().filename();
    if (!name.empty()) {
        return printable(name);
    }
    return printable(path.filename() == "config.json" && !folder.empty() ? folder.string()
                                                                         : path.stem().string());
}

}  // namespace

ModelConfig read_model_object(ConfigObject config, const std::string& origin) {
    ModelConfig model;
    model.id = origin;
    model.title = title_of(config, origin);
    // Models that also see or hear keep the language model's part in an object of its own.
    if (!config.has("hidden_size") && !config.has("n_embd") && config.has("text_config")) {
        config = *config.object("text_config");
        model.assumptions.emplace_back("text_config, the language model's part, is read");
    }
    model.model_type = config.text("model_type").value_or("");
    const ModelFamily family = family_of(config, model.model_type, model.assumptions);
    check_has_rope(config, family);
    check_rope_type(config, "rope_scaling");
    check_rope_type(config, "rope_parameters");
    model.n_heads = read_heads(config, family);
    model.n_kv_heads = read_kv_heads(config, model.n_heads);
    model.rope = read_rope(config, family, model.n_heads, model.assumptions);
    model.n_layers = static_cast<int>(
        config.integer({"num_hidden_layers", "n_layer", "n_layers"}, 0, kMaxCount).value_or(0));
    model.max_positions =
        config.integer({"max_position_embeddings", "n_positions", "block_size"}, 1, kMaxContext)
            .value_or(0);
    if (!family.note.empty()) {
        model.assumptions.emplace_back(family.note);
    }
    return model;
}

ModelConfig parse_model_config(std::string_view json, const std::string& origin) {
    const nlohmann::json parsed = parse_config_json(json, origin);
    return read_model_object(ConfigObject(parsed, printable(origin)), origin);
}

ModelConfig read_model_config(const std::filesystem::path& path) {
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(path, ignored);
    const std::filesystem::path file = folder ? path / "config.json" : path;
    return parse_model_config(read_file(file, kMaxConfigBytes), file.string());
}

}  // namespace ropescope
