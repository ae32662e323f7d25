// Words the parts of a model that turn in several axes as rows of name and text.
#include "app/figures/model/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/figures/pair_axes.h"
#include "core/base/error.h"
#include "core/formats/schemes/model_schemes.h"

namespace ropescope::figures {
namespace {

std::vector<ModelScheme> parts_of(const ConfigText& config) {
    try {
        return config.text.empty() ? std::vector<ModelScheme>()
                                   : parse_model_schemes(config.text, config.origin);
    } catch (const InputError&) {
        return {};  // the model as text alone is shown
    }
}

}  // namespace

Rows part_rows(const ConfigText& config) {
    Rows rows;
    for (const ModelScheme& part : parts_of(config)) {
        const RotaryScheme& scheme = part.scheme;
        if (scheme.axes.size() < 2) {
            continue;
        }
        rows.push_back(
            {part.part + " part",
             fmt::format("{} axes, pairs {} (view axes)", scheme.axes.size(),
                         pairs_by_axis(scheme.axes, axes_of_pairs(scheme.heads.front())))});
        rows.push_back({"positions", describe_positions(scheme)});
    }
    return rows;
}

}  // namespace ropescope::figures
