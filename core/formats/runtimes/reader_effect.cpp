// Answers what a scaling does in the end: to the frequencies, at which length, and to the size of
// cos and sin.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>

#include "core/formats/runtimes/reader.h"

namespace ropescope::runtimes {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kUnscaled = "base^(-2i/d)";
constexpr const char* kRefused = "refused";
constexpr const char* kMaxPositions = "max_position_embeddings";

/// YaRN's m(x) for a factor.
double magnitude(double factor, double x) {
    return factor <= 1.0 ? 1.0 : 0.1 * x * std::log(factor) + 1.0;
}

double longrope_magnitude(double factor, double original) {
    return factor <= 1.0 ? 1.0 : std::sqrt(1.0 + std::log(factor) / std::log(original));
}

bool reads(const ScalingRule& rule, std::string_view key) {
    return std::ranges::find(rule.optional, key) != rule.optional.end() ||
           std::ranges::find(rule.required, key) != rule.required.end();
}

/// What a rule of attention factors knows of the file.
struct Known {
    const ScalingRule& rule;
    const ConfigObject& object;
    std::optional<double> factor, original, max_positions;
    bool original_beside = false;  ///< the trained length stands beside the object

    std::optional<double> stated(std::string_view key) const {
        return reads(rule, key) ? object.number(key) : std::nullopt;
    }
    std::optional<double> lengths() const {
        return max_positions && original ? std::optional(*max_positions / *original) : std::nullopt;
    }
};

/// NaN if the file lacks a number that it takes.
constexpr double kLacking = std::numeric_limits<double>::quiet_NaN();

double yarn(const Known& known) {
    if (const auto stated = known.stated("attention_factor")) {
        return *stated;
    }
    const double factor = known.factor ? *known.factor : known.lengths().value_or(kLacking);
    const double first = known.stated("mscale").value_or(0.0);
    const double second = known.stated("mscale_all_dim").value_or(0.0);
    return first != 0.0 && second != 0.0 ? magnitude(factor, first) / magnitude(factor, second)
                                         : magnitude(factor, 1.0);
}

double deepseek_times(const Known& known) {
    const double factor = known.factor.value_or(kLacking);
    return magnitude(factor, known.stated("mscale").value_or(1.0)) /
           magnitude(factor, known.stated("mscale_all_dim").value_or(0.0)) *
           known.stated("attn_factor").value_or(1.0);
}

/// llama.cpp sets the factor anew when a context is made, unless YaRN's ramp is switched off. A
/// mscale_all_dim reaches it from DeepSeek's converter alone, where numerator and denominator are
/// then the same.
double yarn_overwrites(const Known& known) {
    if (known.stated("extrapolation_factor") == 0.0) {
        const auto stated = known.stated("attention_factor");
        return stated ? *stated : known.stated("attn_factor").value_or(1.0);
    }
    return known.stated("mscale_all_dim").value_or(0.0) != 0.0
               ? 1.0
               : magnitude(known.factor.value_or(kLacking), 1.0);
}

/// Mistral 3 and 4 and what follows DeepSeek V3.2: llama.cpp takes mscale for 1.
double yarn_by_all_dim(const Known& known) {
    const double all_dim = known.stated("mscale_all_dim").value_or(0.0);
    const double factor = known.factor.value_or(kLacking);
    return all_dim != 0.0 ? magnitude(factor, 1.0) / magnitude(factor, all_dim)
                          : yarn_overwrites(known);
}

double longrope(const Known& known) {
    if (const auto stated = known.stated("attention_factor")) {
        return *stated;
    }
    const bool by_lengths = !known.factor || (known.rule.lengths_first && known.original_beside);
    return longrope_magnitude(by_lengths ? known.lengths().value_or(kLacking) : *known.factor,
                              known.original.value_or(kLacking));
}

/// One number, or one for each of LongRoPE's lists.
Json longrope_by_lengths(const Known& known) {
    const double usual =
        longrope_magnitude(known.lengths().value_or(kLacking), known.original.value_or(kLacking));
    const double on_short = known.stated("short_mscale").value_or(usual);
    const double on_long = known.stated("long_mscale").value_or(usual);
    return on_short == on_long || std::isnan(on_short + on_long)
               ? Json(on_short)
               : Json({{"short", on_short}, {"long", on_long}});
}

Json attention_of(const Known& known) {
    switch (known.rule.attention) {
        case Attention::one:
            break;
        case Attention::yarn:
            return yarn(known);
        case Attention::yarn_times:
            return magnitude(known.factor.value_or(kLacking), 1.0) *
                   known.stated("attn_factor").value_or(1.0);
        case Attention::deepseek_times:
            return deepseek_times(known);
        case Attention::yarn_overwrites:
            return yarn_overwrites(known);
        case Attention::yarn_by_all_dim:
            return yarn_by_all_dim(known);
        case Attention::stated:
            return known.stated("attention_factor")
                .value_or(known.stated("attn_factor").value_or(1.0));
        case Attention::longrope:
            return longrope(known);
        case Attention::longrope_by_lengths:
            return longrope_by_lengths(known);
    }
    return 1.0;
}

const Source& or_else(const Source& own, const Source& usual) {
    return own.file.empty() ? usual : own;
}

}  // namespace

TakenQuantity Reader::frequencies_by(const ScalingRule& rule, const ConfigObject& object) const {
    const bool other = !rule.other_if.empty() && object.has(rule.other_if);
    TakenQuantity answer{.quantity = "frequencies",
                         .value = std::string(other ? rule.other_formula : rule.formula),
                         .from = object_,
                         .source = or_else(rule.formula_source, rule.source)};
    constexpr const char* kRamp = "extrapolation_factor";
    if (reads(rule, kRamp) && object.number(kRamp).value_or(1.0) != 1.0) {
        answer.value = nullptr;
        answer.note = fmt::format("{} other than 1 is {}", kRamp, kNotKnown);
    }
    return answer;
}

TakenQuantity Reader::attention_by(const ScalingRule& rule, const ConfigObject& object,
                                   std::optional<double> original) const {
    const Known known{rule,
                      object,
                      object.number("factor"),
                      original,
                      config_.number(kMaxPositions),
                      config_.has("original_max_position_embeddings") || family_.original != 0};
    TakenQuantity answer{.quantity = "attention factor",
                         .value = attention_of(known),
                         .from = object_,
                         .source = or_else(rule.attention_source, rule.source)};
    if (answer.value.is_number_float() && std::isnan(answer.value.get<double>())) {
        answer.value = nullptr;
        answer.note = fmt::format("{} is not in the file", known.factor ? kMaxPositions : "factor");
    } else if ((rule.attention == Attention::yarn_overwrites ||
                rule.attention == Attention::yarn_by_all_dim) &&
               (known.stated("attention_factor") || known.stated("attn_factor")) &&
               known.stated("extrapolation_factor") != 0.0) {
        answer.note = "what the file states is overwritten when a context is made";
    }
    return answer;
}

void Reader::take_effect(const ScalingRule& rule, const ConfigObject& object,
                         std::optional<double> original) {
    frequencies_ = frequencies_by(rule, object);
    attention_ = attention_by(rule, object, original);
}

std::vector<TakenQuantity> Reader::scaling(const LayerRule& layers) {
    frequencies_ = {.quantity = "frequencies", .value = kUnscaled};
    attention_ = {.quantity = "attention factor", .value = 1.0};
    TakenQuantity answer = scaling_alone(layers);
    for (TakenQuantity* effect : {&frequencies_, &attention_}) {
        if (answer.value.is_null()) {
            effect->value = nullptr;
            effect->note = answer.note;
        } else if (answer.value.contains(kRefused)) {
            effect->value = kRefused;
        }
        effect->source = or_else(effect->source, answer.source);
    }
    return {std::move(answer), frequencies_, attention_};
}

}  // namespace ropescope::runtimes
