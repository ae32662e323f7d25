// The pack of position ids: language models that see, over layouts that tell their faults apart.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/formats/presets.h"
#include "core/formats/token_layouts.h"
#include "core/models/model.h"
#include "core/positions/id_faults.h"
#include "core/vectors/packs.h"

namespace ropescope::vectors {
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
