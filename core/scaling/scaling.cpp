#include "core/scaling/scaling.h"

#include <array>

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

void validate(const Scaling& scaling, const FrequencyInput& input) {
    std::visit([&](const auto& method) { validate(method, input); }, scaling);
}

Frequencies frequencies(const Scaling& scaling, const FrequencyInput& input) {
    return std::visit([&](const auto& method) { return frequencies(method, input); }, scaling);
}

bool depends_on_seq_len(const Scaling& scaling) {
    return std::holds_alternative<DynamicNtkScaling>(scaling) ||
           std::holds_alternative<LongRopeScaling>(scaling);
}

}  // namespace ropescope
