// What several views say about the encoding and about one pair of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/plot/figure.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {

/// pair, channels, θ and wavelength.
std::vector<plot::Readout> describe_pair(const RopeSpec& spec, const Spectrum& spectrum,
                                         Index pair);

/// The encoding for a report: its sizes, base and layout, and on a line of its own
/// describe_scaling().
plot::Text describe_encoding(const RopeSpec& spec);

/// The encoding for the screen, without layout and scaling: "head_dim 128, 32 rotary, base 10 000",
/// where the rotated channels are left out if all are rotated.
plot::Text encoding_sizes(const RopeSpec& spec, std::string_view between = ", ");

/// What people call a scaling method: "YaRN" for the type "yarn", "none" for "default".
std::string scaling_name(std::string_view type);

/// "Llama 3 × 8 from 8 192": the method, its factor, and the length before it.
plot::Text scaling_words(const Scaling& scaling);
/// How many different speeds the pairs have: 1 if they all turn alike.
Index different_speeds(const Spectrum& spectrum);

/// The scaling as a config.json writes it, and the factors that follow from it.
plot::Text describe_scaling(const RopeSpec& spec);

/// The encoding at a sequence of `positions`, if its scaling depends on the length and the scene
/// does not know it: a figure about that context has to show this one.
RopeSpec at_context(RopeSpec spec, std::int64_t positions);

/// " Scaled by YaRN, factor 4, attention factor 1.139.", with the sequence length if the method
/// depends on it; or the length from which on the method has an effect, if it has none yet. Empty
/// without scaling.
plot::Text scaling_sentence(const RopeSpec& spec, const Spectrum& spectrum);

/// " In the model times 1.63 (attention factor 1.277 squared)." for a figure whose scores are those
/// of unit vectors. Empty if the scaling leaves them as they are.
plot::Text score_gain_text(const Spectrum& spectrum);

/// " Shown without the scene's YaRN scaling." for a figure of the unscaled encoding. Empty if the
/// scene has no scaling.
plot::Text without_scaling_text(const Scaling& scaling);

/// The first lines of every report: title, subtitle, encoding.
plot::Text report_head(const plot::Figure& figure, const RopeSpec& spec);

/// "Channels 64 to 127 pass through unrotated." Empty if all are rotated.
plot::Text pass_through_text(const RopeSpec& spec);

// How the curves of the scaling methods look, so that a method looks alike in every view.

struct MethodLook {
    plot::Role role = plot::Role::dim;
    plot::Dash dash = plot::Dash::none;
};

/// By the method's place in scaling_types(). NTK and dynamic share a line.
MethodLook method_look(std::string_view type);

}  // namespace ropescope::figures
