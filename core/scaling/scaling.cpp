#include "core/scaling/scaling.h"

#include <array>
#include <fmt/format.h>

#include "core/base/error.h"

namespace ropescope {
namespace {

void validate(const NoScaling&, const FrequencyInput&) {}

Frequencies frequencies(const NoScaling&, const FrequencyInput& input) {
    return {default_inv_freq(input.rotary_dim, input.base)};
}

}  // namespace

std::string_view scaling_type(const Scaling& scaling) {
    // In the order of the variant's alternatives.
    constexpr std::array<std::string_view, std::variant_size_v<Scaling>> kTypes = {
        "default", "linear", "ntk", "dynamic", "yarn", "llama3", "longrope", "proportional"};
    return kTypes[scaling.index()];
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

bool depends_on_seq_len(const Scaling& scaling) {
    return std::holds_alternative<DynamicNtkScaling>(scaling) ||
           std::holds_alternative<LongRopeScaling>(scaling);
}

std::optional<std::int64_t> original_positions(const Scaling& scaling) {
    return std::visit(
        [](const auto& method) -> std::optional<std::int64_t> {
            if constexpr (requires { method.original_positions; }) {
                return method.original_positions;
            } else if constexpr (requires { method.trained_positions; }) {
                return method.trained_positions;
            } else {
                return std::nullopt;
            }
        },
        scaling);
}

double extension_factor(const Scaling& scaling) {
    return std::visit(
        [](const auto& method) {
            if constexpr (requires { method.factor; }) {
                return method.factor;
            } else {
                return 1.0;
            }
        },
        scaling);
}

}  // namespace ropescope
