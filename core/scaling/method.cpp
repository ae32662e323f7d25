// Computes the unscaled frequencies, checks the parameters that several methods have, and asks the
// method that a Scaling holds.
#include "core/scaling/method.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "core/base/error.h"
#include "core/base/memo.h"
#include "core/base/wide_math.h"

namespace ropescope {
namespace {

template <std::size_t... kIndex>
std::vector<Scaling> one_of_each(std::index_sequence<kIndex...>) {
    return {Scaling(std::in_place_index<kIndex>)...};
}

}  // namespace

std::vector<double> default_inv_freq(Index rotary_dim, double base) {
    const PowersOf powers(base);
    std::vector<double> inv_freq_rad;
    for (Index i = 0; i < rotary_dim / 2; ++i) {
        // The exponent is wider than double: rounded to double it would cost up to ln(base) units.
        const long double exponent = -2.0L * i / rotary_dim;
        inv_freq_rad.push_back(static_cast<double>(powers(exponent)));
    }
    return inv_freq_rad;
}

void require_factor(std::string_view key, double value) {
    if (!std::isfinite(value) || value < 1.0) {
        throw InputError(fmt::format(
            "{}: {} does not extend a context; give a finite number of at least 1", key, value));
    }
}

void require_positive(std::string_view key, double value) {
    if (!std::isfinite(value) || value <= 0.0) {
        throw InputError(fmt::format("{}: {}; give a finite number above 0", key, value));
    }
}

void require_length(std::string_view key, std::int64_t positions) {
    if (positions < 1) {
        throw InputError(fmt::format(
            "{}: {} positions; give the length as a whole number of at least 1", key, positions));
    }
}

const std::vector<Scaling>& scaling_methods() {
    return made_once(
        [] { return one_of_each(std::make_index_sequence<std::variant_size_v<Scaling>>()); });
}

const std::vector<std::string>& scaling_types() {
    return made_once([] {
        std::vector<std::string> types;
        for (const Scaling& method : scaling_methods()) {
            types.emplace_back(scaling_type(method));
        }
        return types;
    });
}

std::optional<Scaling> scaling_of_type(std::string_view type) {
    const auto found = std::ranges::find(scaling_methods(), type, scaling_type);
    return found == scaling_methods().end() ? std::nullopt : std::optional(*found);
}

const MethodFacts& facts(const Scaling& scaling) {
    return std::visit(
        [](const auto& method) -> const MethodFacts& { return method.description().facts; },
        scaling);
}

std::string_view scaling_type(const Scaling& scaling) {
    return facts(scaling).type;
}

std::string_view scaling_name(const Scaling& scaling) {
    return facts(scaling).name.empty() ? facts(scaling).type : facts(scaling).name;
}

bool depends_on_seq_len(const Scaling& scaling) {
    // LongRoPE looks at the length, but two equal lists are one for every length.
    const auto* const lists = std::get_if<LongRopeScaling>(&scaling);
    const bool equal = lists != nullptr && lists->short_factor == lists->long_factor &&
                       lists->short_mscale == lists->long_mscale;
    return facts(scaling).depends_on_seq_len && !equal;
}

void validate(const Scaling& scaling, const FrequencyInput& input, std::string_view where) {
    try {
        std::visit([&](const auto& method) { method.description().validate(method, input); },
                   scaling);
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}.{}", where, error.what()));
    }
}

Frequencies frequencies(const Scaling& scaling, const FrequencyInput& input) {
    return std::visit(
        [&](const auto& method) { return method.description().frequencies(method, input); },
        scaling);
}

double fp32_units(const Scaling& scaling, const FrequencyInput& input, Index pair, double log) {
    return std::visit(
        [&](const auto& method) {
            return method.description().fp32_units(method, input, pair, log);
        },
        scaling);
}

std::optional<std::int64_t> original_positions(const Scaling& scaling) {
    return std::visit(
        [](const auto& method) -> std::optional<std::int64_t> {
            if constexpr (requires { method.original_positions; }) {
                return method.original_positions;
            }
            return std::nullopt;
        },
        scaling);
}

double extension_factor(const Scaling& scaling) {
    return std::visit(
        [](const auto& method) {
            if constexpr (requires { method.factor; }) {
                return method.factor;
            }
            return 1.0;
        },
        scaling);
}

}  // namespace ropescope
