// Lists the parameters of the positions view.
#include "app/scene/parameters.h"
#include "core/faults/codes.h"
#include "core/positions/id_faults.h"

namespace ropescope {
namespace {

/// No comparison, the versions of transformers, and the faults of one row.
std::vector<std::string> comparisons() {
    std::vector<std::string> names = {"transformers_4", "transformers_5", "none"};
    for (const IdFault& fault : id_faults()) {
        if (fault.code != faults::code("ids.rows_repeated")) {
            names.emplace_back(fault.code);
        }
    }
    return names;
}

}  // namespace

std::vector<Parameter> positions_parameters() {
    return {
        {.name = "positions_layout",
         .group = "Layout",
         .member = &Scene::positions_layout,
         .help = "The tokens: parts like text 4, image 4x6, video 4x4x6 0.5s (patches before they "
                 "are merged), padding 3 and decode 2 at an end, | before another document, and "
                 "last chunk 8 4 (4 tokens from token 8 on), rank 1 of 2 or ranks 2.",
         .label = "tokens"},
        {.name = "positions_family",
         .group = "Layout",
         .member = &Scene::positions_family,
         .choices = enum_names<MultimodalFamily>(),
         .help = "The models whose way of counting is shown.",
         .label = "model family"},
        {.name = "positions_tokens_per_second",
         .group = "Layout",
         .member = &Scene::positions_tokens_per_second,
         .min = 1,
         .max = 25,
         .unit = "positions/s",
         .help = "Steps of time in a second of video, in qwen2_5_vl.",
         .accepted_max = 1000,
         .read_when = {{.parameter = "positions_family", .values = {"qwen2_5_vl"}}},
         .label = "steps of a second"},
        {.name = "positions_version",
         .group = "Versions",
         .member = &Scene::positions_version,
         .choices = {"transformers_5", "transformers_4"},
         .help = "The version of Hugging Face transformers that numbers the tokens.",
         .label = "numbered by"},
        {.name = "positions_compare",
         .group = "Versions",
         .member = &Scene::positions_compare,
         .choices = comparisons(),
         .help = "What is drawn below: another version, or ids with a fault.",
         .label = "compare with"},
    };
}

}  // namespace ropescope
