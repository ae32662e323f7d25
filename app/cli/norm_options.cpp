// Reads the options about a norm.
#include "app/cli/norm_options.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "core/base/enum_names.h"
#include "core/base/error.h"

namespace ropescope::cli {

std::optional<QkNorm> norm_of(const NormArguments& arguments) {
    if (!arguments.kind && !arguments.eps && !arguments.order) {
        return std::nullopt;
    }
    QkNorm norm;
    if (arguments.kind) {
        norm.kind = *enum_value<NormKind>(*arguments.kind);
    }
    if (arguments.order) {
        norm.order = *enum_value<NormOrder>(*arguments.order);
    }
    norm.eps = arguments.eps.value_or(norm.eps);
    if (!(norm.eps >= 0.0 && norm.eps < 1.0)) {
        throw InputError(fmt::format("--norm-eps: {}; give a number from 0 to 1", norm.eps));
    }
    return norm;
}

std::vector<Option> norm_options(NormArguments& arguments, const std::string& text) {
    return {{.names = "--norm",
             .target = &arguments.kind,
             .type = "KIND",
             .text = text,
             .choices = enum_names<NormKind>()},
            {.names = "--norm-eps",
             .target = &arguments.eps,
             .type = "E",
             .text = "What that norm adds to the mean of squares (default: 1e-6)"},
            {.names = "--norm-order",
             .target = &arguments.order,
             .type = "ORDER",
             .text = "Where it stands, by the rotation (default: before)",
             .choices = enum_names<NormOrder>()}};
}

std::vector<Option> with_options_before(const std::string& name, std::vector<Option> others,
                                        std::vector<Option> options) {
    const auto at = std::ranges::find(options, name, &Option::names);
    options.insert(at, std::make_move_iterator(others.begin()),
                   std::make_move_iterator(others.end()));
    return options;
}

}  // namespace ropescope::cli
