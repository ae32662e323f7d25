// The encoding that the views spectrum, rotation and table draw: that of the scene, or a single
// axis of its model of several axes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/plot/color.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/models/model.h"
#include "core/rope/spectrum.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::figures {

/// The axis along which positions move while they stay in all others.
struct AlongAxis {
    std::string axis;   ///< "h"; "all" if positions are the same in all axes, as those of text are
    std::string model;  ///< its title
    std::vector<ChannelPair> pairs;
    plot::Role role = plot::Role::first;  ///< its colour in the views axes and positions
    Index turning = 0;                    ///< pairs that turn along the axis
    std::string positions;  ///< how they are made, if they are not whole; empty if they are

    /// "along h of Qwen2-VL 7B"
    plot::Text words() const;
};

struct ShownEncoding {
    /// The given scene; along an axis with the head, the layout and as many pairs as the model has,
    /// and without scaling, which the spectrum has already.
    Scene scene;
    RopeSpec spec;
    Spectrum spectrum;  ///< of one axis
    std::optional<AlongAxis> along;
};

/// The part that the scene asks for. Throws InputError if the model does not have it.
const Part& axes_part(const Model& model, AxesPart part);

/// Throws InputError for a scene whose encoding is inconsistent, and for an axis that its
/// axes_model does not have.
ShownEncoding shown_encoding(const Scene& scene);

/// The channels of a pair.
ChannelPair channels_of(const RopeSpec& spec, const std::optional<AlongAxis>& along, Index pair);
/// As describe_pair() of describe.h, with those channels.
std::vector<plot::Readout> describe_pair(const RopeSpec& spec, const Spectrum& spectrum,
                                         const std::optional<AlongAxis>& along, Index pair);
/// As report_head() of describe.h; along an axis it names the model in place of the encoding.
plot::Text report_head(const plot::Figure& figure, const RopeSpec& spec,
                       const std::optional<AlongAxis>& along);
/// " Patches do not lie at whole positions (w: centre of the column from -1 to 1)." Empty if they
/// do, and without an axis.
plot::Text along_sentence(const std::optional<AlongAxis>& along);

// Which axis turns each pair of a scheme, for several views.

/// In place of the number of an axis.
inline constexpr Index kSeveralAxes = -1, kNoAxis = -2;

/// The colour of what an axis counts: frames (time), rows (height), columns (width), or something
/// else.
plot::Role role_of_side(GridSide side);
/// What an axis of the scheme counts.
GridSide side_of_axis(const RotaryScheme& scheme, Index axis);

/// The axis that turns each pair, or one of the two above.
std::vector<Index> axes_of_pairs(const Spectrum& spectrum);

/// "16 by t, 24 by h": how many of these pairs each axis turns. `axis_of_pair` has an entry for
/// each pair that is counted.
std::string pairs_by_axis(const std::vector<std::string>& names,
                          const std::vector<Index>& axis_of_pair);

}  // namespace ropescope::figures
