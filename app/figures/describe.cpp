#include "app/figures/describe.h"

#include <fmt/format.h>

#include "app/plot/layout.h"

namespace ropescope::figures {

std::vector<plot::Readout> describe_pair(const RopeSpec& spec, const Spectrum& spectrum, int pair) {
    const ChannelPair channels = pair_channels(spec.layout, spec.rotary_dim, pair);
    const double inv_freq = spectrum.inv_freq_rad[static_cast<std::size_t>(pair)];
    return {{"pair", fmt::format("{}", pair)},
            {"channels", fmt::format("{}, {}", channels.first, channels.second)},
            {"θ", plot::number_text(inv_freq) + " rad/position"},
            {"wavelength", plot::number_text(spectrum.wavelength_positions(pair)) + " positions"}};
}

std::string describe_encoding(const RopeSpec& spec) {
    return fmt::format("head_dim {}, rotary_dim {}, base {}, {}", spec.head_dim, spec.rotary_dim,
                       spec.base, to_string(spec.layout));
}

std::string report_head(const plot::Figure& figure, const RopeSpec& spec) {
    return figure.title + "\n" + figure.subtitle + "\n" + describe_encoding(spec) + "\n\n";
}

std::string pass_through_text(const RopeSpec& spec) {
    if (spec.rotary_dim == spec.head_dim) {
        return "";
    }
    return fmt::format("Channels {} to {} pass through unrotated.", spec.rotary_dim,
                       spec.head_dim - 1);
}

}  // namespace ropescope::figures
