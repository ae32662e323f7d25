// The list of packs.
#include "core/vectors/packs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/names.h"
#include "core/formats/model_family.h"
#include "core/formats/presets.h"
#include "core/formats/token_layouts.h"
#include "core/models/model.h"
#include "core/positions/id_faults.h"
#include "core/vectors/fused_case.h"
#include "core/vectors/own_config.h"

namespace ropescope::vectors {

std::span<const PackFacts> packs() {
    static constexpr std::array<PackFacts, 4> kPacks = {{
        {"text", "models in one axis: published ones, and every family with its usual values",
         text_pack},
        {"axes", "models in several axes: images, video, M-RoPE", axes_pack},
        {"positions", "position ids of text, images and videos", position_pack},
        {"fused", "a norm of q and k in one step with the rotation", fused_pack},
    }};
    return kPacks;
}

const PackFacts& pack_named(std::string_view name) {
    const auto name_of = [](const PackFacts& facts) { return std::string(facts.name); };
    return element_named(packs(), name_of, name, [&](const std::string&) {
        return fmt::format("--pack: {} is unknown; give text, axes, positions or fused",
                           in_quotes(name));
    });
}

// Chooses shapes and positions that tell faults apart.

namespace {

RotationCase named(RotationCase made, const Model& model, const Part& part) {
    made.model = model.title;
    made.config_json = model.config.text.empty() ? own_config(part.scheme) : model.config.text;
    made.part = part.kind;
    made.inferred = part.inferred;
    made.layout_is_assumed = part.layout_is_assumed;
    return made;
}

/// The sequence ends with the largest of the positions.
RotationCase in_one_axis(const Model& model, const Part& part, const std::string& kind,
                         faults::HeadShape shape, std::vector<double> positions,
                         Wrongs wrongs = Wrongs::all) {
    const Part meant = part.at_length(static_cast<Index>(*std::ranges::max_element(positions)) + 1);
    shape.head_dim = meant.spec->head_dim;
    const std::string id = kind.empty() ? model.name : model.name + "/" + kind;
    RotationCase made =
        named(make_case(id, meant.scheme, &*meant.spec, shape, std::move(positions), wrongs), model,
              part);
    made.seq_len = meant.spec->seq_len;
    return made;
}

/// Whether an axis counts from -1 to 1 instead of patches, and may turn by 2 pi from patch to
/// patch: then whole numbers show nothing of it.
bool has_fractions(const RotaryScheme& scheme) {
    const auto* const grid = std::get_if<GridRule>(&scheme.positions);
    return grid != nullptr && std::ranges::any_of(grid->axes, [](const Coordinate& axis) {
               return axis.spacing == Spacing::ends || axis.spacing == Spacing::centres ||
                      axis.spacing == Spacing::centres_of_longer ||
                      axis.spacing == Spacing::centres_of_shorter;
           });
}

/// Counts of patches, 0 to 36, as the scheme takes them: to thirty-seconds from -1 on, which every
/// format has.
std::vector<double> as_counted(const RotaryScheme& scheme, std::vector<double> patches) {
    if (has_fractions(scheme)) {
        for (double& patch : patches) {
            patch = (2 * patch - 31) / 32;
        }
    }
    return patches;
}

}  // namespace

// 257 and 4097 are the first that bf16 and a table of 4096 rows do not have; at 131071 every pair
// of a long context has moved.
RotationCase far_case(const Model& model, const Part& part) {
    constexpr double kFar = 131072.0, kFewest = 512.0;
    const double reach =
        part.reach > 0 ? std::clamp(static_cast<double>(part.reach), kFewest, kFar) : kFar;
    // In a shorter context those beyond it move down, and stay different.
    const auto within = [&](double position, double share) {
        return position < reach ? position : std::floor(share * reach);
    };
    return in_one_axis(model, part, "", {2, 1, 3, 0},
                       {1, 257, reach - 1, 3, within(4097, 0.75), within(70001, 0.6)});
}

// What 16, 12 or 8 bits leave of 70001 (4465, 369, 113) is not the other position.
RotationCase short_case(const Model& model, const Part& part) {
    return in_one_axis(model, part, "", {1, 1, 2, 0}, {1, 70001}, Wrongs::one_of_a_kind);
}

RotationCase decode_case(const Model& model, const Part& part) {
    return in_one_axis(model, part, "decode", {2, 2, 1, 0}, {9, 5});
}

RotationCase late_case(const Model& model, const Part& part) {
    return in_one_axis(model, part, "late", {1, 2, 5, 0}, {100, 101, 102, 103, 104});
}

RotationCase axes_case(const Model& model, const Part& part) {
    const RotaryScheme& scheme = part.scheme;
    // Whole numbers, other ones in every axis; vision towers count patches, videos frames.
    const Index length = 3;
    std::vector<double> positions;
    for (Index a = 0; a < std::ssize(scheme.axes); ++a) {
        for (Index l = 0; l < length; ++l) {
            positions.push_back(static_cast<double>((l * (3 * a + 1) + a) % 37));
        }
    }
    return named(make_case(model.name, scheme, nullptr,
                           {1, std::ssize(scheme.heads), length, scheme.head_dim},
                           as_counted(scheme, std::move(positions)), Wrongs::one_of_a_kind),
                 model, part);
}

// Positions of text go further than those of grids, whose patches bf16 counts exactly: 257 is the
// first number that it does not have.
RotationCase batched_axes_case(const Model& model, const Part& part) {
    const RotaryScheme& scheme = part.scheme;
    const bool of_grid = std::holds_alternative<GridRule>(scheme.positions);
    std::vector<double> positions;
    for (Index a = 0; a < std::ssize(scheme.axes); ++a) {
        for (const double first :
             of_grid ? std::array{9.0, 4.0, 21.0, 2.0} : std::array{261.0, 40.0, 4099.0, 259.0}) {
            positions.push_back(first + 2.0 * to_double(a));
        }
    }
    const Index heads = std::max<Index>(2, std::ssize(scheme.heads));
    return named(make_case(model.name + "/batch", scheme, nullptr, {2, heads, 2, scheme.head_dim},
                           as_counted(scheme, std::move(positions))),
                 model, part);
}

// The pack of models in one axis: every published model and every family that ropescope knows.

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
    const bool own =
        !model.parts.empty() && !model.parts.front().spec && model.parts.front().scheme.id.empty();
    if (model.config.text.empty() && !own) {
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

// The pack of models in several axes: every published one that ropescope knows.

Pack axes_pack() {
    Pack pack{.name = "axes"};
    for (const Preset& preset : several_axes_presets()) {
        const Model model = open_model(preset.name);
        pack.rotations.push_back(axes_case(model, model.part()));
        pack.rotations.push_back(batched_axes_case(model, model.part()));
    }
    return pack;
}

// The pack of fused kernels: the kinds of norms that models have beside their rotation.

namespace {

struct FusedModel {
    std::string_view id, preset;
    QkNorm norm;
};

constexpr std::array<FusedModel, 6> kFusedModels = {{
    {"rms", "qwen3-0.6b", {.kind = NormKind::rms, .eps = 1e-6}},
    {"rms_plus_one", "gemma-3-1b", {.kind = NormKind::rms_plus_one, .eps = 1e-6}},
    {"rms of another eps", "llama-3-8b", {.kind = NormKind::rms, .eps = 1e-5}},
    {"layer", "phi-2", {.kind = NormKind::layer, .eps = 1e-5}},
    {"l2", "gpt-j-6b", {.kind = NormKind::l2, .eps = 1e-6}},
    {"after the rotation",
     "llama-2-7b",
     {.kind = NormKind::rms, .eps = 1e-5, .order = NormOrder::after}},
}};

}  // namespace

Pack fused_pack() {
    Pack pack{.name = "fused"};
    for (const FusedModel& each : kFusedModels) {
        const Model model = open_model(std::string(each.preset));
        for (const char* side : {"q", "k"}) {
            RotationCase made =
                fused_case(std::string(each.id), model.parts.front(), each.norm, side);
            made.model = model.title;
            made.config_json = model.config.text;
            pack.rotations.push_back(std::move(made));
        }
    }
    return pack;
}

// The pack of position ids: language models that see, over layouts that tell their faults apart.

namespace {

struct NamedLayout {
    std::string_view name, json;
};

/// No grid is square, so that height and width cannot change places unseen.
constexpr std::array<NamedLayout, 11> kLayouts = {{
    {"text", R"({"row": [{"text": 7}]})"},
    {"image", R"({"row": [{"text": 3}, {"image": [1, 4, 8]}, {"text": 4}]})"},
    {"two images",
     R"({"row": [{"image": [1, 8, 4]}, {"text": 2}, {"image": [1, 4, 12]}, {"text": 3}]})"},
    {"video",
     R"({"row": [{"text": 3}, {"video": [3, 4, 8], "second_per_grid": 0.5}, {"text": 4}]})"},
    {"frames",
     R"({"row": [{"text": 3}, {"frame": [4, 8]}, {"text": 5}, {"frame": [4, 8]}, {"text": 4}]})"},
    {"padding left",
     R"({"padding": "left", "rows": [[{"text": 2}, {"image": [1, 4, 8]}], [{"text": 20}]]})"},
    {"padding right",
     R"({"padding": "right", "rows": [[{"text": 2}, {"image": [1, 4, 8]}], [{"text": 20}]]})"},
    {"packed", R"({"packed": true, "rows": [[{"text": 3}, {"image": [1, 4, 8]}], [{"text": 5}]]})"},
    {"decode", R"({"decode_steps": 3, "row": [{"text": 3}, {"image": [1, 4, 8]}, {"text": 2}]})"},
    {"chunk", R"({"chunk": [5, 6], "row": [{"text": 3}, {"image": [1, 4, 8]}, {"text": 4}]})"},
    {"context parallel",
     R"({"context_parallel_size": 2, "row": [{"text": 4}, {"image": [1, 4, 8]}, {"text": 4}]})"},
}};

bool same(const MultimodalIds& a, const MultimodalIds& b) {
    return a.batch == b.batch && a.length == b.length && a.ids == b.ids && a.deltas == b.deltas;
}

/// Wrong ids of one shape with the right ones; each once.
void add_wrong(PositionCase& made, const IdFault& fault, const IdVariation& variation,
               const IdPlan& plan) {
    std::optional<MultimodalIds> ids;
    try {
        ids = variation.make(plan);
    } catch (const InputError&) {
        return;  // this layout cannot be numbered so
    }
    const bool one_shape =
        ids && ids->batch == made.expected.batch && ids->length == made.expected.length;
    if (!one_shape || same(*ids, made.expected) ||
        std::ranges::any_of(made.wrong, [&](const WrongIds& known) {
            return known.code == fault.code && same(known.ids, *ids);
        })) {
        return;
    }
    made.wrong.push_back({std::string(fault.code), variation.how, *std::move(ids)});
    const std::string flag(fault.code.substr(fault.code.find('.') + 1));
    if (std::ranges::find(made.flags, flag) == made.flags.end()) {
        made.flags.push_back(flag);
    }
}

std::optional<PositionCase> case_of(const std::string& model, const MultimodalRule& rule,
                                    PositionVersion version, const NamedLayout& layout) {
    IdPlan plan;
    plan.rule = rule;
    plan.version = version;
    plan.layout = parse_token_layouts(layout.json, std::string(layout.name)).layouts.front();
    PositionCase made;
    made.id = fmt::format("{}/{}/{}", model, to_string(version), layout.name);
    made.model = model;
    made.runtime = to_string(version);
    made.layout_json = layout.json;
    try {
        made.expected = layout_ids(plan);
    } catch (const InputError&) {
        return std::nullopt;  // this family has no such segments
    }
    for (const IdFault& fault : id_faults()) {
        for (const IdVariation& variation : fault.variations) {
            add_wrong(made, fault, variation, plan);
        }
    }
    return made;
}

}  // namespace

Pack position_pack() {
    Pack pack{.name = "positions"};
    for (const Preset& preset : several_axes_presets()) {
        const PositionRule rule = open_model(preset.name).part().scheme.positions;
        const auto* const multimodal = std::get_if<MultimodalRule>(&rule);
        if (multimodal == nullptr) {
            continue;
        }
        for (const PositionVersion version :
             {PositionVersion::transformers_4, PositionVersion::transformers_5}) {
            for (const NamedLayout& layout : kLayouts) {
                if (auto made = case_of(preset.name, *multimodal, version, layout)) {
                    pack.positions.push_back(*std::move(made));
                }
            }
        }
    }
    return pack;
}

}  // namespace ropescope::vectors
