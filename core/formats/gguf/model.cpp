// Reads sizes, rotary embedding and sections of a GGUF file's model.
#include "core/formats/gguf/model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/index.h"
#include "core/formats/gguf/file.h"
#include "core/formats/gguf/layers.h"
#include "core/formats/gguf/metadata.h"
#include "core/formats/gguf/scaling.h"
#include "core/formats/layer_types.h"
#include "core/formats/limits.h"
#include "core/scaling/method.h"
#include "core/schemes/multimodal_text.h"

namespace ropescope::gguf {
namespace {

constexpr std::string_view kSectionsKey = "rope.dimension_sections";

Metadata metadata_of(const ConfigObject& config, std::vector<std::string>& assumptions) {
    Metadata file{.config = config,
                  .name = config.text(kArchitectureKey).value_or(""),
                  .row = {},
                  .known = true,
                  .assumptions = assumptions};
    if (const GgufArchitecture* row = find_architecture(file.name)) {
        file.row = *row;
    } else {
        file.known = false;
        file.assume(
            fmt::format("architecture {} is not in llama.cpp's table as it is known here: "
                        "half-split pairs (NEOX) in all layers are assumed",
                        in_quotes(file.name)));
    }
    return file;
}

/// Pairs of time, height, width and a fourth axis; empty if the file has none.
std::array<Index, 4> read_sections(const Metadata& file) {
    std::array<Index, 4> sections = {};
    const auto stated = file.config.numbers(file.key(kSectionsKey), sections.size());
    for (std::size_t i = 0; stated && i < stated->size(); ++i) {
        const double count = (*stated)[i];
        if (!(count >= 0 && count <= kMaxHeadDim / 2) || count != std::floor(count)) {
            file.fail(fmt::format("{}[{}]", kSectionsKey, i),
                      fmt::format("{}; a number of pairs from 0 to {} is expected", count,
                                  kMaxHeadDim / 2));
        }
        sections[i] = floor_to_index(count);
    }
    return sections;
}

/// llama_hparams::use_mrope.
bool has_sections(const std::array<Index, 4>& sections) {
    return sections[0] > 0 && sections[1] > 0;
}

RopeType rope_type(const Metadata& file) {
    return file.row.sections_make_mrope && has_sections(read_sections(file)) ? RopeType::mrope
                                                                             : file.row.rope;
}

void require_rope(const Metadata& file, std::int64_t layers) {
    std::string why(file.row.without);
    if (file.row.alibi_layers != 0 && layers == file.row.alibi_layers) {
        why = fmt::format("with {} layers it has ALiBi", layers);
    }
    if (file.row.finetuned_is_switch &&
        !file.config.boolean(file.key("rope.scaling.finetuned")).value_or(true)) {
        why = "rope.scaling.finetuned is false, which switches it off";
    }
    if (file.row.rope == RopeType::none || !why.empty()) {
        file.config.fail(kArchitectureKey,
                         fmt::format("{} has no RoPE: {}; give the file of a model that turns",
                                     in_quotes(file.name), why));
    }
}

/// What the file cannot say about the order of channels in its weights.
void say_whose_layout(const Metadata& file, RopeType type) {
    if (type != RopeType::norm) {
        return;
    }
    switch (file.row.weights) {
        case WeightOrder::permuted:
            file.assume(
                "interleaved (NORM) is the layout of the weights in this file: the converter "
                "reorders q and k of checkpoints in Hugging Face's order, which turn half-split, "
                "and takes those in the authors' own order as they are; which of the two it was, "
                "the file does not say");
            return;
        case WeightOrder::native:
            file.assume(
                "interleaved (NORM) is the layout of the weights in this file and of the "
                "checkpoint that it was made from");
            return;
        default:
            file.assume(
                "interleaved (NORM) is the layout of the weights in this file; the file does not "
                "say whether the converter reordered them");
    }
}

/// The key that a type of layers has of its own, then the common one.
std::optional<Index> own_or_common(const Metadata& file, std::string_view own,
                                   std::string_view common, bool windowed, std::int64_t most) {
    const auto stated = windowed ? file.integer(own, 1, most) : std::nullopt;
    const auto found = stated ? stated : file.integer(common, 1, most);
    return found;
}

Index head_dim_of(const Metadata& file, std::int64_t heads, bool windowed) {
    if (const auto mla = file.integer("attention.key_length_mla", 1, kMaxHeadDim)) {
        return *mla;
    }
    if (const auto stated = own_or_common(file, "attention.key_length_swa", "attention.key_length",
                                          windowed, kMaxHeadDim)) {
        return *stated;
    }
    const auto embedding = file.integer("embedding_length", 1, kMaxWidth);
    if (!embedding || *embedding / heads < 1 || *embedding / heads > kMaxHeadDim) {
        file.fail("attention.key_length",
                  fmt::format("is missing, and embedding_length / {} heads is not a head_dim from "
                              "1 to {}; give a file with one of them",
                              heads, kMaxHeadDim));
    }
    return *embedding / heads;
}

double base_of(const Metadata& file, bool windowed) {
    if (windowed) {
        if (const auto own = file.positive("rope.freq_base_swa", kMaxBase)) {
            return *own;
        }
        if (file.row.sliding_base > 0) {
            file.assume(fmt::format("rope.freq_base_swa is missing: {}", file.row.sliding_base));
            return file.row.sliding_base;
        }
    }
    constexpr double kUsualBase = 10000;  // llama_model_base::load_hparams
    const auto stated = file.positive("rope.freq_base", kMaxBase);
    if (!stated && !windowed) {
        file.assume(fmt::format("rope.freq_base is missing: {}", kUsualBase));
    }
    return stated.value_or(kUsualBase);
}

/// Reads the rotary parameters of the layers with or without a window.
struct LayerSpecs {
    const Metadata& file;
    RopeType type;
    std::int64_t heads;
    std::int64_t positions;

    RopeSpec of(bool windowed) const {
        RopeSpec spec;
        spec.head_dim = head_dim_of(file, heads, windowed);
        const auto turning = file.row.whole_heads
                                 ? std::nullopt
                                 : own_or_common(file, "rope.dimension_count_swa",
                                                 "rope.dimension_count", windowed, kMaxHeadDim);
        spec.rotary_dim = turning.value_or(spec.head_dim);
        if (file.row.rotary_part_only && turning) {
            spec.head_dim = spec.rotary_dim;
        }
        if (!windowed && file.row.full_share != 1) {
            spec.rotary_dim = floor_to_index(to_double(spec.rotary_dim) * file.row.full_share);
        }
        spec.base = base_of(file, windowed);
        spec.layout = type == RopeType::norm ? Layout::interleaved : Layout::half_split;
        try {
            validate(spec);
        } catch (const InputError& error) {
            file.fail("rope.dimension_count", error.what());
        }
        if (!file.row.scales_nothing && (!windowed || file.row.sliding_scaled)) {
            spec.scaling = read_scaling(file, spec, positions);
            validate(spec.scaling, frequency_input(spec),
                     file.config.path_of(file.key("rope.scaling")));
        }
        return spec;
    }
};

/// The types of layers, if they turn differently.
void add_layers(const LayerSpecs& specs, const std::vector<bool>& windowed, ModelConfig& model) {
    for (const bool has_window : windowed) {
        model.layer_types.emplace_back(has_window ? kSlidingAttention : kFullAttention);
    }
    model.rope = specs.of(false);
    // A file of an unknown architecture with a base of its own for some layers has two kinds.
    const bool of_unknown = !specs.file.known && (specs.file.has("rope.freq_base_swa") ||
                                                  specs.file.has("rope.dimension_count_swa"));
    const auto sliding = std::ranges::count(windowed, true);
    if (sliding == 0 && !of_unknown) {
        return;
    }
    const RopeSpec own = specs.of(true);
    const auto full = std::ssize(windowed) - sliding;
    if (own == model.rope) {
        return;
    }
    if (full > 0 || of_unknown) {
        model.layer_ropes.push_back({std::string(kFullAttention), narrow<int>(full), model.rope});
    } else {
        model.rope = own;
    }
    model.layer_ropes.push_back({std::string(kSlidingAttention), narrow<int>(sliding), own});
}

std::optional<double> softmax_scale(const Metadata& file, std::int64_t layers, std::int64_t heads) {
    if (file.row.softmax == Softmax::one) {
        return 1.0;
    }
    if (file.row.softmax == Softmax::stated) {
        return file.positive("attention.scale", kMaxFactor);
    }
    const auto embedding = file.integer("embedding_length", 1, kMaxWidth);
    if (file.row.wide_layers != 0 && layers == file.row.wide_layers && embedding) {
        return 1.0 / std::sqrt(static_cast<double>(*embedding / heads));
    }
    return std::nullopt;
}

/// Factors may be in a part of the model that is not there.
bool may_lack_factors(const Metadata& file) {
    const auto missing = file.config.integer(kMissingParts, 0, kMaxCount).value_or(0);
    const bool found = file.config.has(kFactorsTensor) || file.config.has(kLongFactorsTensor);
    if (missing == 0 || found) {
        return false;
    }
    file.assumptions.insert(
        file.assumptions.begin(),
        fmt::format("{} of the model's parts, the first of them {}, {} not beside this one: "
                    "factors of frequencies that lie there are not read",
                    missing, printable(file.config.text(kFirstMissing).value_or("")),
                    missing == 1 ? "is" : "are"));
    return true;
}

std::string title_of_file(const ConfigObject& metadata, const std::string& origin) {
    const auto name = metadata.text("general.name");
    return printable(name && !name->empty() ? *name
                                            : std::filesystem::path(origin).stem().string());
}

/// Each once: both types of layers say the same again.
void keep_each_once(std::vector<std::string>& texts) {
    for (auto it = texts.begin(); it != texts.end();) {
        it = std::find(texts.begin(), it, *it) == it ? std::next(it) : texts.erase(it);
    }
}

}  // namespace

ModelConfig model_of_metadata(const ConfigObject& metadata, const std::string& origin) {
    ModelConfig model;
    model.id = origin;
    model.title = title_of_file(metadata, origin);
    const Metadata file = metadata_of(metadata, model.assumptions);
    model.model_type = "gguf:" + printable(file.name);
    model.n_layers = narrow<int>(count_layers(file));
    require_rope(file, model.n_layers);
    model.n_heads = narrow<int>(first_count(file, "attention.head_count"));
    if (model.n_heads == 0) {
        file.fail("attention.head_count",
                  fmt::format("is missing or 0; a number from 1 to {} is expected", kMaxCount));
    }
    const auto kv_heads = first_count(file, "attention.head_count_kv");
    model.n_kv_heads = kv_heads == 0 ? model.n_heads : narrow<int>(kv_heads);
    model.max_positions = file.integer("context_length", 0, kMaxSeqLen).value_or(0);
    const RopeType type = rope_type(file);
    const std::vector<bool> windowed = windowed_layers(file, model.n_layers);
    add_layers({file, type, model.n_heads, model.max_positions}, windowed, model);
    model.layers_without = still_layers(file, windowed, model.n_layers);
    if (!model.layers_without.empty()) {
        file.assume(
            fmt::format("{} of {} layers use no position embedding, by llama.cpp's rule "
                        "for {}",
                        model.layers_without.size(), model.n_layers, file.name));
    }
    model.softmax_scale = softmax_scale(file, model.n_layers, model.n_heads);
    say_whose_layout(file, type);
    if (!file.row.note.empty()) {
        file.assume(std::string(file.row.note));
    }
    const bool of_axes = type == RopeType::mrope || type == RopeType::imrope;
    if (const Index fourth = of_axes ? read_sections(file)[3] : 0; fourth != 0) {
        file.assume(
            fmt::format("{} gives {} pairs to a fourth axis: text alone is read, whose "
                        "positions are equal in all axes",
                        kSectionsKey, fourth));
    }
    const bool lacks = may_lack_factors(file);
    model.confidence = file.known && !lacks ? Confidence::known : Confidence::inferred;
    model.layout_is_assumed = !file.known;
    keep_each_once(model.assumptions);
    return model;
}

std::optional<Part> sections_scheme(const ConfigObject& metadata) {
    std::vector<std::string> unused;
    const Metadata file = metadata_of(metadata, unused);
    const RopeType type = rope_type(file);
    if (type != RopeType::mrope && type != RopeType::imrope) {
        return std::nullopt;
    }
    const std::array<Index, 4> sections = read_sections(file);
    if (!has_sections(sections)) {
        file.fail(kSectionsKey, fmt::format("is missing or has no pairs of two axes; {} needs the "
                                            "pairs of time, height and width",
                                            file.name));
    }
    if (sections[3] != 0) {
        return std::nullopt;  // model_of_metadata() says so
    }
    const ModelConfig model = model_of_metadata(metadata, metadata.where());
    const bool in_turn = type == RopeType::imrope;
    Part part;
    part.assumptions = model.assumptions;
    part.reach = model.max_positions;
    part.softmax_scale = model.softmax_scale;
    try {
        part.scheme = multimodal_text(
            std::string(file.row.scheme), model.rope, {sections[0], sections[1], sections[2]},
            in_turn ? SectionOrder::cyclic : SectionOrder::bands, {.family = file.row.positions});
    } catch (const InputError& error) {
        file.fail(kSectionsKey, error.what());
    }
    part.assumptions.push_back(
        "positions of images and videos are those of the model that the architecture is named "
        "for; the file has no numbers about them");
    return part;
}

}  // namespace ropescope::gguf
