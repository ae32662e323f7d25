// The options that say which norm of q and k stands beside the rotation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "core/rope/qk_norm.h"

namespace ropescope::cli {

struct NormArguments {
    std::optional<std::string> kind = {}, order = {};
    std::optional<double> eps = {};
};

/// Empty if no option says that there is a norm. Throws InputError for an eps that is none.
std::optional<QkNorm> norm_of(const NormArguments& arguments);

/// --norm, --norm-eps and --norm-order. `text` says what --norm is for.
std::vector<Option> norm_options(NormArguments& arguments, const std::string& text);

/// The options with others in front of the one of that name.
std::vector<Option> with_options_before(const std::string& name, std::vector<Option> others,
                                        std::vector<Option> options);

}  // namespace ropescope::cli
