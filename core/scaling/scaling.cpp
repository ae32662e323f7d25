// Asks the method that a Scaling holds for what all methods have in common.
#include "core/scaling/scaling.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/base/error.h"
#include "core/base/memo.h"

namespace ropescope {
namespace {

template <std::size_t... kIndex>
std::vector<Scaling> one_of_each(std::index_sequence<kIndex...>) {
    return {Scaling(std::in_place_index<kIndex>)...};
}

}  // namespace

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

bool depends_on_seq_len(const Scaling& scaling) {
    // LongRoPE looks at the length, but two equal lists are one for every length.
    const auto* const lists = std::get_if<LongRopeScaling>(&scaling);
    const bool equal = lists != nullptr && lists->short_factor == lists->long_factor &&
                       lists->short_mscale == lists->long_mscale;
    return facts(scaling).depends_on_seq_len && !equal;
}

void validate(const Scaling& scaling, const FrequencyInput& input, std::string_view where) {
    try {
        std::visit([&](const auto& method) { validate(method, input); }, scaling);
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}.{}", where, error.what()));
    }
}

Frequencies frequencies(const Scaling& scaling, const FrequencyInput& input) {
    return std::visit([&](const auto& method) { return frequencies(method, input); }, scaling);
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
