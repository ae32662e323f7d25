// Reads the classes of diffusers that assets/families.json lists, and any other that says how its
// axes share a head.
#include "core/formats/schemes/diffusers_classes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/characters.h"
#include "core/base/memo.h"
#include "core/base/names.h"
#include "core/formats/model_family.h"
#include "core/formats/schemes/scheme_reader.h"
#include "core/formats/table_row.h"
#include "core/schemes/diffusion.h"
#include "core/schemes/multimodal_text.h"
#include "core/schemes/parts_of_heads.h"

namespace ropescope {
namespace {

/// A class of models: a row of `diffusers` in assets/families.json.
struct DiffusersClass {
    std::string_view name = {};  ///< _class_name
    std::string_view rule = {};  ///< which of kRules
    std::string_view channels_key = {};
    std::vector<int> channels = {};  ///< of each axis, or its pairs, if the file is silent
    std::string_view base_key = {};  ///< empty: no key of the file changes the base
    double base = 10000;
    std::string_view head_dim_key = "attention_head_dim";
    int head_dim = 0;                  ///< if the file is silent; 0: the sum of the channels
    std::string_view hidden_key = {};  ///< of all heads, in place of head_dim_key
    std::string_view heads_key = {};   ///< how many
    double share = 1;                  ///< of a head that turns, in models of one axis
    std::string_view why_not = {};     ///< it cannot be read; the rest of a sentence
    std::string_view source = {};
};
template <typename Visit>
void each_field(const DiffusersClass*, Visit visit) {
    visit("class", &DiffusersClass::name);
    visit("rule", &DiffusersClass::rule);
    visit("channels_key", &DiffusersClass::channels_key);
    visit("channels", &DiffusersClass::channels);
    visit("base_key", &DiffusersClass::base_key);
    visit("base", &DiffusersClass::base);
    visit("head_dim_key", &DiffusersClass::head_dim_key);
    visit("head_dim", &DiffusersClass::head_dim);
    visit("hidden_key", &DiffusersClass::hidden_key);
    visit("heads_key", &DiffusersClass::heads_key);
    visit("share", &DiffusersClass::share);
    visit("why_not", &DiffusersClass::why_not);
    visit("source", &DiffusersClass::source);
}

/// A file, and the class that it is of.
struct ClassReader {
    SchemeReader file;
    const DiffusersClass& row;

    double base() const {
        return row.base_key.empty() ? row.base : file.positive(row.base_key, row.base);
    }
    Index head_dim() const {
        if (!row.hidden_key.empty()) {
            return file.head_dim({row.hidden_key}, {row.heads_key});
        }
        return file.integer(row.head_dim_key, row.head_dim);
    }
    std::vector<Index> channels() const;
};

std::vector<Index> ClassReader::channels() const {
    std::vector<Index> usual(row.channels.begin(), row.channels.end());
    const auto list = file.config.numbers(row.channels_key, SchemeReader::kMostNumbers);
    const std::size_t count = list ? list->size() : usual.size();
    const auto stated =
        file.integers(row.channels_key, 1, kMaxHeadDim, count, "the channels of each axis");
    if (!stated) {
        file.assumptions.push_back(
            fmt::format("{} is missing: [{}]", row.channels_key, fmt::join(usual, ", ")));
    }
    return stated.value_or(usual);
}

Part in_axes(RotaryScheme scheme) {
    Part read{.kind = "vision"};
    read.scheme = std::move(scheme);
    return read;
}

/// Where the tokens lie is not among the keys.
Part placed_as_usual(const SchemeReader& file, RotaryScheme scheme) {
    file.assumptions.emplace_back(
        "the file says the speeds; positions are taken as frames, rows and columns from 0, which "
        "the pipeline of the class may count otherwise");
    return in_axes(std::move(scheme));
}

Part read_parts(const ClassReader& reader) {
    const std::vector<Index> channels = reader.channels();
    const Index sum = std::accumulate(channels.begin(), channels.end(), Index{0});
    const bool stated = !reader.row.hidden_key.empty() || reader.row.head_dim != 0 ||
                        reader.file.config.has(reader.row.head_dim_key);
    const Index head_dim = stated ? reader.head_dim() : sum;
    return placed_as_usual(reader.file, parts_of_a_head(channels, reader.base(), head_dim));
}
Part read_wan_rule(const ClassReader& reader) {
    return in_axes(wan(reader.head_dim(), reader.base()));
}
Part read_cogvideox_rule(const ClassReader& reader) {
    const Index patch = reader.file.integer("patch_size", 2);
    return in_axes(cogvideox(reader.head_dim(), PatchGrid{1, 60 / patch, 90 / patch}));
}
Part read_halves(const ClassReader& reader) {
    return placed_as_usual(reader.file, cogview4(reader.head_dim(), reader.base()));
}
Part read_thirds(const ClassReader& reader) {
    const auto scale = [&](std::string_view key) {
        return reader.file.config.positive(key, 1e9).value_or(1.0);
    };
    return placed_as_usual(reader.file,
                           allegro(reader.head_dim(),
                                   {scale("interpolation_scale_t"), scale("interpolation_scale_h"),
                                    scale("interpolation_scale_w")},
                                   reader.base()));
}
Part read_turns(const ClassReader& reader) {
    return placed_as_usual(reader.file, lumina_next(reader.head_dim(), reader.base()));
}
Part read_columns_first(const ClassReader& reader) {
    return placed_as_usual(reader.file, hunyuan_dit(reader.head_dim(), reader.base()));
}
Part read_pairs_of_axes(const ClassReader& reader) {
    const Index pairs = reader.file.integer(reader.row.channels_key, reader.row.channels.front());
    return placed_as_usual(reader.file, minimax_h3(reader.head_dim(), pairs, reader.base()));
}
/// Qwen3-VL's rule, whose sections are pairs.
Part read_cyclic(const ClassReader& reader) {
    const std::vector<Index> pairs = reader.channels();
    if (pairs.size() != 3) {
        reader.file.config.fail(reader.row.channels_key, "three numbers are expected");
    }
    const Index head_dim = reader.head_dim();
    const Index height = pairs[1], width = pairs[2];
    const RopeSpec spec{static_cast<int>(head_dim), static_cast<int>(head_dim), reader.base()};
    reader.file.assumptions.emplace_back(
        "the file says the speeds; positions are those of Qwen3-VL, which the pipeline of the "
        "class "
        "may count otherwise");
    return in_axes(multimodal_text("qwen3_vl_text", spec,
                                   {spec.pairs() - height - width, height, width},
                                   SectionOrder::cyclic, {}));
}
/// Sound, in one axis: half-split over a share of the head.
Part read_line(const ClassReader& reader) {
    const Index head_dim = reader.head_dim();
    const auto stated = reader.file.config.integer(reader.row.channels_key, 2, kMaxHeadDim);
    const Index width = stated.value_or(floor_to_index(to_double(head_dim) * reader.row.share));
    Part read =
        part_of(RopeSpec{static_cast<int>(head_dim), static_cast<int>(width), reader.base()});
    read.kind = "sound";
    return read;
}

/// LTX-2, whose coordinates are the middles of patches.
Part read_ltx2(const ClassReader& reader) {
    const SchemeReader& file = reader.file;
    const std::string type = file.config.text("rope_type").value_or("interleaved");
    if (type != "interleaved" && type != "split") {
        file.config.fail("rope_type",
                         fmt::format("{}; interleaved or split is expected", in_quotes(type)));
    }
    file.assumptions.emplace_back(
        "the video is read, not the sound; positions are those of LTX-Video, where LTX-2 takes the "
        "middles of patches");
    return in_axes(ltx({.head_dim = reader.head_dim(),
                        .heads = file.integer("num_attention_heads", 32),
                        .base = reader.base(),
                        .unit = {8.0 / 25.0 / file.positive("pos_embed_max_pos", 20.0),
                                 32.0 / file.positive("base_height", 2048.0),
                                 32.0 / file.positive("base_width", 2048.0)},
                        .layout = type == "split" ? Layout::half_split : Layout::interleaved}));
}

struct Rule {
    std::string_view name;
    Part (*read)(const ClassReader& reader);
};
constexpr std::array kRules = {Rule{"parts", read_parts},
                               Rule{"wan", read_wan_rule},
                               Rule{"cogvideox", read_cogvideox_rule},
                               Rule{"halves", read_halves},
                               Rule{"thirds", read_thirds},
                               Rule{"by_turns", read_turns},
                               Rule{"columns_first", read_columns_first},
                               Rule{"pairs_of_axes", read_pairs_of_axes},
                               Rule{"cyclic", read_cyclic},
                               Rule{"line", read_line},
                               Rule{"ltx2", read_ltx2}};

std::optional<Part> read_row(const ConfigObject& config, const DiffusersClass& row) {
    std::vector<std::string> assumptions;
    const auto name = [](const Rule& rule) { return std::string(rule.name); };
    const Rule& rule = element_named(kRules, name, row.rule, [&](const std::string& near) {
        return fmt::format("{}: {}: rule {} is not known{}", kFamiliesFile, row.name,
                           in_quotes(row.rule), near);
    });
    Part read = rule.read({{config, assumptions}, row});
    read.assumptions = std::move(assumptions);
    return read;
}

/// The rule of most classes, for those that are not listed.
std::optional<Part> read_by_keys(const ConfigObject& config, const std::string& class_name) {
    const auto first_of = [&](std::initializer_list<std::string_view> keys) {
        const auto* const found =
            std::ranges::find_if(keys, [&](std::string_view key) { return config.has(key); });
        return found == keys.end() ? std::string_view() : *found;
    };
    const DiffusersClass row{
        .name = class_name,
        .rule = "parts",
        .channels_key = first_of({"axes_dims_rope", "axes_dim_rope", "rope_axes_dim", "axes_dims",
                                  "axes_dim", "rope_dim_list", "rope_dim"}),
        .base_key = first_of({"rope_theta", "theta"}),
        .head_dim_key = first_of({"attention_head_dim", "head_dim"})};
    if (row.channels_key.empty()) {
        return std::nullopt;
    }
    std::optional<Part> read = read_row(config, row);
    read->inferred = fmt::format(
        "class {} is not known; inferred: the channels of each axis by {}, the base {}, one axis "
        "behind the other in interleaved pairs, which no key says",
        in_quotes(class_name), row.channels_key,
        row.base_key.empty() ? "10000, which no key says" : fmt::format("by {}", row.base_key));
    return read;
}

}  // namespace

std::optional<Part> diffusers_class(const ConfigObject& config, const std::string& class_name) {
    const std::vector<DiffusersClass>& rows = made_once([] {
        return read_rows<DiffusersClass>(family_tables(), "diffusers", "class", kFamiliesFile);
    });
    const auto row = std::ranges::find(rows, class_name, &DiffusersClass::name);
    if (row == rows.end()) {
        return read_by_keys(config, class_name);
    }
    if (!row->why_not.empty()) {
        config.fail("_class_name", fmt::format("{} {}", in_quotes(class_name), row->why_not));
    }
    return read_row(config, *row);
}

}  // namespace ropescope
