// A norm beside the rotation, as callers of the library and functions of Python say it.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <string>
#include <tuple>

#include "core/base/enum_names.h"
#include "core/base/error.h"
#include "core/rope/qk_norm.h"

namespace ropescope {

/// Kind, eps and order of a norm beside the rotation.
using GivenNorm = std::tuple<std::string, double, std::string>;

/// Throws InputError for words that are none of its kinds and orders.
inline std::optional<QkNorm> norm_of(const std::optional<GivenNorm>& given) {
    if (!given) {
        return std::nullopt;
    }
    const auto& [kind, eps, order] = *given;
    const auto known_kind = enum_value<NormKind>(kind);
    const auto known_order = enum_value<NormOrder>(order);
    if (!known_kind || !known_order || !(eps >= 0.0 && eps < 1.0)) {
        throw InputError(
            fmt::format("norm: kind '{}', eps {}, order '{}'; a kind of {}, an eps from 0 to 1 and "
                        "before or after are expected",
                        kind, eps, order, fmt::join(enum_names<NormKind>(), ", ")));
    }
    return QkNorm{*known_kind, eps, *known_order};
}

}  // namespace ropescope
