// What several views say about the encoding and about one pair of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/plot/figure.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {

/// pair, channels, θ and wavelength.
std::vector<plot::Readout> describe_pair(const RopeSpec& spec, const Spectrum& spectrum, int pair);

/// "head_dim 128, rotary_dim 128, base 10000, half_split"
std::string describe_encoding(const RopeSpec& spec);

/// The scaling as a config.json has it, and the factors it gives.
std::string describe_scaling(const RopeSpec& spec);

/// The encoding at a sequence of `positions` where the scene does not know the length and the
/// scaling looks at it: what a figure about that context has to show.
RopeSpec at_context(RopeSpec spec, std::int64_t positions);

/// " Scaled by yarn, factor 4, attention factor 1.139.", at which length where that counts, or from
/// which on a method starts that does nothing yet; "" without scaling.
std::string scaling_sentence(const RopeSpec& spec, const Spectrum& spectrum);

/// " In the model times 1.63 (attention factor 1.277 squared)." for scores of a figure that are
/// those of unit vectors, or "" where the scaling leaves them as they are.
std::string score_gain_text(const Spectrum& spectrum);

/// " Shown without the scene's yarn scaling." for a figure of the unscaled encoding, or "" where
/// the scene has none.
std::string without_scaling_text(std::string_view scaling);

/// The first lines of every report: title, subtitle, encoding.
std::string report_head(const plot::Figure& figure, const RopeSpec& spec);

/// "Channels 64 to 127 pass through unrotated." or "" when all are rotated.
std::string pass_through_text(const RopeSpec& spec);

}  // namespace ropescope::figures
