// Reads the layout of a scene's positions.
#include "app/scene/id_plan.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/positions/layout_text.h"

namespace ropescope {

PositionVersion position_version(std::string_view name) {
    return name == "transformers_4" ? PositionVersion::transformers_4
                                    : PositionVersion::transformers_5;
}

IdPlan id_plan(const Scene& scene) {
    const MultimodalRule rule{
        .family = enum_value<MultimodalFamily>(scene.positions_family).value(),
        .tokens_per_second = to_double(scene.positions_tokens_per_second)};
    try {
        IdPlan plan{.rule = rule,
                    .version = position_version(scene.positions_version),
                    .layout = parse_layout_text(scene.positions_layout, rule)};
        layout_ids(plan);  // refuses what cannot be counted
        return plan;
    } catch (const InputError& error) {
        throw InputError(fmt::format("positions_layout: {}", error.what()));
    }
}

}  // namespace ropescope
