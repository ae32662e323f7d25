// Describes encodings, scalings and pairs in words.
#include "app/figures/shared/describe.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"
#include "app/plot/rich_text.h"
#include "core/base/index.h"
#include "core/formats/rope_scaling.h"
#include "core/scaling/scaling.h"

namespace ropescope::figures {

std::vector<plot::Readout> describe_pair(const RopeSpec& spec, const Spectrum& spectrum,
                                         Index pair) {
    const ChannelPair channels = pair_channels(spec.layout, spec.rotary_dim, pair);
    const double inv_freq = spectrum.inv_freq_rad[pair];
    return {{"pair", fmt::format("{}", pair)},
            {"channels", fmt::format("{}, {}", channels.first, channels.second)},
            {"θ", plot::number_text(inv_freq) + " rad/position"},
            {"wavelength", wavelength_text(spectrum.wavelength_positions(pair), " positions")}};
}

std::string describe_encoding(const RopeSpec& spec) {
    return std::holds_alternative<NoScaling>(spec.scaling)
               ? describe(spec)
               : describe(spec) + "\nscaling " + describe_scaling(spec);
}

std::string encoding_sizes(const RopeSpec& spec, std::string_view between) {
    const std::string rotary = spec.rotary_dim == spec.head_dim
                                   ? ""
                                   : fmt::format("{}{} rotary", between, spec.rotary_dim);
    return fmt::format("head_dim {}{}{}base {}", spec.head_dim, rotary, between,
                       plot::exact_number_text(spec.base));
}

std::string scaling_name(std::string_view type) {
    constexpr std::pair<std::string_view, std::string_view> kNames[] = {
        {"default", "none"}, {"ntk", "NTK-aware"},  {"dynamic", "dynamic NTK"},
        {"yarn", "YaRN"},    {"llama3", "Llama 3"}, {"longrope", "LongRoPE"}};
    const auto* const found =
        std::ranges::find(kNames, type, &std::pair<std::string_view, std::string_view>::first);
    return std::string(found == std::end(kNames) ? type : found->second);
}

std::string scaling_words(const Scaling& scaling) {
    std::string text = scaling_name(scaling_type(scaling));
    if (const double factor = extension_factor(scaling); factor != 1.0) {
        text += " × " + plot::number_text(factor);
    }
    if (const auto original = original_positions(scaling)) {
        text += " from " + whole_text(*original);
    }
    return text;
}

Index different_speeds(const Spectrum& spectrum) {
    return std::ssize(std::set<double>(spectrum.inv_freq_rad.begin(), spectrum.inv_freq_rad.end()));
}

std::string describe_scaling(const RopeSpec& spec) {
    const Spectrum spectrum = make_spectrum(spec);
    std::string text = scaling_json(spec.scaling).dump();
    if (depends_on_seq_len(spec.scaling)) {
        text +=
            spec.seq_len == 0 ? ", seq_len not known" : fmt::format(", seq_len {}", spec.seq_len);
    }
    text += fmt::format("; attention factor {:.6g}", spectrum.attention_factor);
    if (spectrum.softmax_scale_factor != 1.0) {
        text += fmt::format(", softmax scale times {:.6g}", spectrum.softmax_scale_factor);
    }
    return text;
}

RopeSpec at_context(RopeSpec spec, std::int64_t positions) {
    if (spec.seq_len == 0 && depends_on_seq_len(spec.scaling)) {
        spec.seq_len = positions;
    }
    return spec;
}

std::string scaling_sentence(const RopeSpec& spec, const Spectrum& spectrum) {
    if (std::holds_alternative<NoScaling>(spec.scaling)) {
        return "";
    }
    RopeSpec plain = spec;
    plain.scaling = NoScaling{};
    const std::string type = scaling_name(scaling_type(spec.scaling));
    const auto original = original_positions(spec.scaling);
    if (depends_on_seq_len(spec.scaling) && spec.seq_len <= original.value_or(0) &&
        spectrum.inv_freq_rad == make_spectrum(plain).inv_freq_rad) {
        return fmt::format(" Scaling by {} starts beyond {} positions; set seq_len.", type,
                           whole_text(original.value_or(0)));
    }
    const std::string length = depends_on_seq_len(spec.scaling)
                                   ? fmt::format(", at seq_len {}", whole_text(spec.seq_len))
                                   : "";
    return fmt::format(" Scaled by {}, factor {}, attention factor {}{}.", type,
                       plot::number_text(extension_factor(spec.scaling)),
                       plot::number_text(spectrum.attention_factor), length);
}

std::string score_gain_text(const Spectrum& spectrum) {
    const double squared = spectrum.attention_factor * spectrum.attention_factor;
    const double gain = squared * spectrum.softmax_scale_factor;
    if (gain == 1.0) {
        return "";
    }
    const std::string table =
        squared == 1.0 ? ""
                       : fmt::format("attention factor {:.4g} squared", spectrum.attention_factor);
    const std::string softmax =
        spectrum.softmax_scale_factor == 1.0 ? ""
        : table.empty()                      ? "softmax scale"
                        : fmt::format("softmax scale times {:.4g}", spectrum.softmax_scale_factor);
    return fmt::format(" In the model times {:.4g} ({}{}{}).", gain, table,
                       table.empty() || softmax.empty() ? "" : ", ", softmax);
}

std::string without_scaling_text(const Scaling& scaling) {
    return std::holds_alternative<NoScaling>(scaling)
               ? ""
               : fmt::format(" Shown without the scene's {} scaling.",
                             scaling_name(scaling_type(scaling)));
}

std::string report_head(const plot::Figure& figure, const RopeSpec& spec) {
    return plot::plain_formula(figure.title + "\n" + figure.subtitle) + "\n" +
           describe_encoding(spec) + "\n\n";
}

std::string pass_through_text(const RopeSpec& spec) {
    if (spec.rotary_dim == spec.head_dim) {
        return "";
    }
    return fmt::format("Channels {} to {} pass through unrotated.", spec.rotary_dim,
                       spec.head_dim - 1);
}

// Chooses a colour and a dash for each scaling method.

MethodLook method_look(std::string_view type) {
    using plot::Dash;
    using plot::Role;
    constexpr MethodLook kLooks[] = {{Role::dim, Dash::long_dash},
                                     {Role::second, Dash::dashed},
                                     {Role::third, Dash::dash_dot},
                                     {Role::third, Dash::dash_dot},
                                     {Role::first},
                                     {Role::text, Dash::dotted},
                                     {Role::text, Dash::long_dash}};
    const Index place = std::ranges::find(scaling_types(), type) - scaling_types().begin();
    return kLooks[place % std::ssize(kLooks)];
}

}  // namespace ropescope::figures
