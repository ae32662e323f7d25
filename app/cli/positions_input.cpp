// Reads the rule of a model and layouts of tokens.
#include "app/cli/positions_input.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/name_list.h"
#include "core/base/printable.h"
#include "core/base/suggest.h"
#include "core/formats/config_text.h"
#include "core/models/model.h"

namespace ropescope::cli {
namespace {

PositionRule read_rule(const std::string& config, const std::string& part,
                       std::vector<std::string>& remarks) {
    const Model model = open_model(config);
    const Part& chosen = model.part(part);
    for (const std::string& assumption : chosen.assumptions) {
        remarks.push_back(fmt::format("{}: assumed: {}", printable(model.name), assumption));
    }
    return chosen.scheme.positions;
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
    const PositionRule rule = read_rule(config, part, placed.remarks);
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
        placed.layouts.push_back({rule, {ids, version, std::move(layout), {}, {}}, origin});
    }
    return placed;
}

}  // namespace ropescope::cli
