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
#include "core/scaling/method.h"
#include "core/scaling/scaling.h"

namespace ropescope::figures {
namespace {

/// With as many digits as it takes to read the same value back, for reports.
plot::Number shortest(double value) {
    return {fmt::format("{}", value), value};
}

}  // namespace

std::vector<plot::Readout> describe_pair(const RopeSpec& spec, const Spectrum& spectrum,
                                         Index pair) {
    const ChannelPair channels = pair_channels(spec.layout, spec.rotary_dim, pair);
    const double inv_freq = spectrum.inv_freq_rad[pair];
    return {{"pair", fmt::format("{}", pair)},
            {"channels", fmt::format("{}, {}", channels.first, channels.second)},
            {"θ", plot::number_text(inv_freq) + " rad/position"},
            {"wavelength", wavelength_text(spectrum.wavelength_positions(pair), " positions")}};
}

plot::Text describe_encoding(const RopeSpec& spec) {
    const plot::Text text = plot::say("head_dim {}, rotary_dim {}, base {}, {}", spec.head_dim,
                                      spec.rotary_dim, shortest(spec.base), to_string(spec.layout));
    return std::holds_alternative<NoScaling>(spec.scaling)
               ? text
               : text + "\n" + plot::say("scaling {}", describe_scaling(spec));
}

plot::Text encoding_sizes(const RopeSpec& spec, std::string_view between) {
    const plot::Text rotary = spec.rotary_dim == spec.head_dim
                                  ? plot::Text()
                                  : plot::say("{}{} rotary", between, spec.rotary_dim);
    return plot::say("head_dim {}{}{}base {}", spec.head_dim, rotary, between,
                     plot::exact_number_text(spec.base));
}

std::string scaling_name(std::string_view type) {
    const std::optional<Scaling> method = scaling_of_type(type);
    return std::string(method ? ropescope::scaling_name(*method) : type);
}

plot::Text scaling_words(const Scaling& scaling) {
    plot::Text text = scaling_name(scaling_type(scaling));
    if (const double factor = extension_factor(scaling); factor != 1.0) {
        text += plot::say(" × {}", plot::number_text(factor));
    }
    if (const auto original = original_positions(scaling)) {
        text += plot::say(" from {}", whole_text(*original));
    }
    return text;
}

Index different_speeds(const Spectrum& spectrum) {
    return std::ssize(std::set<double>(spectrum.inv_freq_rad.begin(), spectrum.inv_freq_rad.end()));
}

plot::Text describe_scaling(const RopeSpec& spec) {
    const Spectrum spectrum = make_spectrum(spec);
    const plot::Text length = !depends_on_seq_len(spec.scaling) ? plot::Text()
                              : spec.seq_len == 0               ? plot::say(", seq_len not known")
                                                  : plot::say(", seq_len {}", spec.seq_len);
    const double softmax = spectrum.softmax_scale_factor;
    return plot::say("{}{}; attention factor {}{}", scaling_json(spec.scaling).dump(), length,
                     general_text(spectrum.attention_factor, 6),
                     softmax == 1.0
                         ? plot::Text()
                         : plot::say(", softmax scale times {}", general_text(softmax, 6)));
}

RopeSpec at_context(RopeSpec spec, std::int64_t positions) {
    if (spec.seq_len == 0 && depends_on_seq_len(spec.scaling)) {
        spec.seq_len = positions;
    }
    return spec;
}

plot::Text scaling_sentence(const RopeSpec& spec, const Spectrum& spectrum) {
    if (std::holds_alternative<NoScaling>(spec.scaling)) {
        return "";
    }
    RopeSpec plain = spec;
    plain.scaling = NoScaling{};
    const std::string type = scaling_name(scaling_type(spec.scaling));
    const auto original = original_positions(spec.scaling);
    if (depends_on_seq_len(spec.scaling) && spec.seq_len <= original.value_or(0) &&
        spectrum.inv_freq_rad == make_spectrum(plain).inv_freq_rad) {
        return plot::say(" Scaling by {} starts beyond {} positions; set seq_len.", type,
                         whole_text(original.value_or(0)));
    }
    const plot::Text length = depends_on_seq_len(spec.scaling)
                                  ? plot::say(", at seq_len {}", whole_text(spec.seq_len))
                                  : plot::Text();
    return plot::say(" Scaled by {}, factor {}, attention factor {}{}.", type,
                     plot::number_text(extension_factor(spec.scaling)),
                     plot::number_text(spectrum.attention_factor), length);
}

plot::Text score_gain_text(const Spectrum& spectrum) {
    const double squared = spectrum.attention_factor * spectrum.attention_factor;
    const double softmax = spectrum.softmax_scale_factor;
    if (squared * softmax == 1.0) {
        return "";
    }
    plot::Text why;
    if (squared != 1.0) {
        why += plot::say("attention factor {} squared", general_text(spectrum.attention_factor, 4));
    }
    if (softmax != 1.0) {
        why += why.empty() ? plot::say("softmax scale")
                           : plot::say(", softmax scale times {}", general_text(softmax, 4));
    }
    return plot::say(" In the model times {} ({}).", general_text(squared * softmax, 4), why);
}

plot::Text without_scaling_text(const Scaling& scaling) {
    return std::holds_alternative<NoScaling>(scaling)
               ? plot::Text()
               : plot::say(" Shown without the scene's {} scaling.",
                           scaling_name(scaling_type(scaling)));
}

plot::Text report_head(const plot::Figure& figure, const RopeSpec& spec) {
    return plot::plain_formula(figure.title + "\n" + figure.subtitle) + "\n" +
           describe_encoding(spec) + "\n\n";
}

plot::Text pass_through_text(const RopeSpec& spec) {
    return spec.rotary_dim == spec.head_dim ? plot::Text()
                                            : plot::say("Channels {} to {} pass through unrotated.",
                                                        spec.rotary_dim, spec.head_dim - 1);
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
