// Reads the rule of a model and layouts of tokens.
#include "app/cli/positions_input.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/names.h"
#include "core/formats/config_text.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"
#include "core/models/model.h"

namespace ropescope::cli {
namespace {

/// The part whose positions are meant; what it leaves open becomes remarks.
Part read_part(const std::string& config, const std::string& part,
               std::vector<std::string>& remarks) {
    const Model model = open_model(config);
    const Part& chosen = model.part(part);
    for (const std::string& assumption : chosen.assumptions) {
        if (chosen.inferred != assumption) {
            remarks.push_back(fmt::format("{}: assumed: {}", printable(model.name), assumption));
        }
    }
    return chosen;
}

/// Notes where the layouts' file replaces what the configuration says.
void note_replaced(const MultimodalRule& config, const MultimodalRule& used,
                   const std::string& path, std::vector<std::string>& remarks) {
    if (used.merge != config.merge) {
        remarks.push_back(fmt::format("{}: spatial_merge_size {} replaces {} of the configuration",
                                      path, used.merge, config.merge));
    }
    if (used.tokens_per_second != config.tokens_per_second) {
        remarks.push_back(fmt::format("{}: tokens_per_second {} replaces {} of the configuration",
                                      path, used.tokens_per_second, config.tokens_per_second));
    }
}

std::vector<TokenLayout> layouts_named(std::vector<TokenLayout> all, const std::string& name,
                                       const std::string& path) {
    if (all.empty()) {
        throw InputError(path + ": layouts: the list is empty; give at least one");
    }
    if (name.empty()) {
        return all;
    }
    return {element_named(all, &TokenLayout::name, name, [&](const std::string& near) {
        std::vector<std::string> names;
        for (const TokenLayout& layout : all) {
            names.push_back(layout.name.empty() ? "one without a name" : layout.name);
        }
        return fmt::format("--name: {} has no layout {}{}", path, in_quotes(name),
                           near.empty() ? "; give one of " + first_names(names) : near);
    })};
}

/// Text in one axis is counted as that of a language model that sees.
void refuse_blocks(const TokenLayout& layout, const std::string& origin) {
    for (std::size_t b = 0; b < layout.rows.size(); ++b) {
        for (std::size_t i = 0; i < layout.rows[b].size(); ++i) {
            if (layout.rows[b][i].kind != SegmentKind::text) {
                throw InputError(fmt::format(
                    "{}: rows[{}][{}]: this model turns in one axis and has no images or videos; "
                    "give text",
                    origin, b, i));
            }
        }
    }
}

}  // namespace

LayoutPositions PlacedLayout::positions() const {
    try {
        return on_grids() ? grid_layout_positions(std::get<GridRule>(rule), plan.layout)
                          : id_positions(plan, one_axis());
    } catch (const InputError& error) {
        throw InputError(origin + ": " + error.what());
    }
}

PlacedLayouts read_placed_layouts(const std::string& config, const std::string& part,
                                  const std::string& layouts, const std::string& name,
                                  PositionVersion version) {
    PlacedLayouts placed;
    const Part chosen = read_part(config, part, placed.remarks);
    const PositionRule& rule = chosen.scheme.positions;
    const TokenLayouts file = parse_token_layouts(read_config_text(layouts).text, layouts);
    MultimodalRule ids;
    if (const auto* const multimodal = std::get_if<MultimodalRule>(&rule)) {
        ids = with_model_settings(*multimodal, file);
        note_replaced(*multimodal, ids, layouts, placed.remarks);
    }
    for (TokenLayout& layout : layouts_named(file.layouts, name, layouts)) {
        const std::string origin =
            layout.name.empty() || file.layouts.size() == 1
                ? printable(layouts)
                : fmt::format("{}: {}", printable(layouts), printable(layout.name, kLongestName));
        if (std::holds_alternative<SequenceRule>(rule)) {
            refuse_blocks(layout, origin);
        }
        placed.layouts.push_back(
            {rule, {ids, version, std::move(layout), {}, {}}, origin, chosen.inferred});
    }
    return placed;
}

// Reads positions of somebody's making and holds their shape to that of the layout.

namespace {

Tensor copy(const TensorBytes& tensor, const std::string& name) {
    return {name, tensor.dtype, tensor.shape, {tensor.bytes.begin(), tensor.bytes.end()}};
}

/// Tokens of a row if patches were not merged: what a file of another length may have.
Index unmerged_tokens(const IdPlan& plan) {
    IdPlan unmerged = plan;
    unmerged.rule.merge = 1;
    Index longest = 0;
    for (Index row = 0; row < std::ssize(plan.layout.rows); ++row) {
        longest = std::max(longest, own_tokens(unmerged, row));
    }
    return longest;
}

/// What a file of another length seems to have; empty if that is not known.
std::string length_hint(const LayoutPositions& right, const PlacedLayout& placed, Index length) {
    const Index still = std::ranges::count(right.turns, false);
    if (!placed.on_grids() && length == unmerged_tokens(placed.plan)) {
        return "; it has one id for each patch before patches are merged";
    }
    if (placed.on_grids() && still > 0 && length == right.length - still / right.batch) {
        return "; it seems to leave out the tokens that do not turn, give them any positions";
    }
    return "";
}

[[noreturn]] void refuse_shape(const TensorInfo& file, const LayoutPositions& right,
                               const PlacedLayout& placed, Index length) {
    const bool one_axis = right.axes.size() == 1;
    std::string text = fmt::format(
        "{}: shape {}; this layout has {} x {} tokens{}, give [{}{}, {}]", file.name,
        shape_text(file.shape), right.batch, right.length,
        one_axis ? ""
                 : fmt::format(" in {} axes ({})", right.axes.size(), fmt::join(right.axes, ", ")),
        one_axis ? "" : fmt::format("{}, ", right.axes.size()), right.batch, right.length);
    if (const std::string hint = length_hint(right, placed, length);
        length != right.length && !hint.empty()) {
        text += hint;
    } else if (!one_axis) {
        text += ", or name the order of the axes by --position-axes";
    }
    throw InputError(text);
}

/// The order of a positions file: a letter for each of its axes, a (axes of the model), b and l.
std::string position_order(const std::string& asked, const TensorInfo& file) {
    const std::size_t rank = file.shape.size();
    if (asked.empty() && rank != 2 && rank != 3) {
        throw InputError(
            fmt::format("{}: shape {}; positions in several axes are [axes, L] or "
                        "[axes, B, L], give one of them",
                        file.name, shape_text(file.shape)));
    }
    const std::string order = !asked.empty() ? asked : rank == 3 ? "abl" : "al";
    std::string sorted = order;
    std::ranges::sort(sorted);
    if ((sorted != "al" && sorted != "abl") || order.size() != rank) {
        throw InputError(fmt::format(
            "--position-axes: {} for {} of {} axes; give each of a (axis), l (position) and, if "
            "there is a batch, b once",
            in_quotes(order), file.name, rank));
    }
    return order;
}

/// The letters of the axes of a file of this shape.
std::string given_order(const TensorInfo& file, const std::string& asked, bool one_axis) {
    const std::size_t rank = file.shape.size();
    if (!one_axis) {
        return position_order(asked, file);
    }
    if (!asked.empty() || rank < 1 || rank > 2) {
        throw InputError(fmt::format(
            "{}: shape {}; this model turns in one axis, give [L] or [B, L]{}", file.name,
            shape_text(file.shape), asked.empty() ? "" : " and leave --position-axes out"));
    }
    return rank == 1 ? "l" : "bl";
}

}  // namespace

GivenPositions read_given(const std::string& path, const std::string& order,
                          const LayoutPositions& right, const PlacedLayout& placed) {
    std::string letters;
    const auto accept = [&](const TensorInfo& file) {
        letters = given_order(file, order, right.axes.size() == 1);
        const PositionArray sizes = sizes_in_order(file.shape, letters);
        if (sizes.axes != std::ssize(right.axes) || sizes.batch != right.batch ||
            sizes.length != right.length) {
            refuse_shape(file, right, placed, sizes.length);
        }
    };
    if (path.ends_with(".safetensors")) {
        const SafetensorsFile file = SafetensorsFile::open(path);
        const TensorBytes& ids = file.at("position_ids");
        const std::string name = path + ": position_ids";
        accept({name, ids.dtype, ids.shape, std::ssize(ids.bytes)});
        GivenPositions read{copy(ids, name), letters};
        if (const TensorBytes* deltas = file.find("rope_deltas")) {
            read.deltas = copy(*deltas, path + ": rope_deltas");
        }
        return read;
    }
    Tensor ids = read_npy(path, [&](TensorInfo file) {
        file.name = path;
        accept(file);
    });
    ids.name = path;
    return {std::move(ids), letters};
}

/// "rows[0][2] (text), its token 3".
std::string origin_text(const TokenOrigin& origin) {
    return origin.in_segment() ? fmt::format("token {} of rows[{}][{}], {}", origin.index,
                                             origin.row, origin.segment, to_string(origin.kind))
                               : fmt::format("decode step {}", origin.index);
}

PositionArray read_positions(const Tensor& file, const std::string& asked_order) {
    return positions_in_order(file.view(),
                              position_order(asked_order, {file.name, file.dtype, file.shape}));
}

}  // namespace ropescope::cli
