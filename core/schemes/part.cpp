// Makes parts of embeddings, and takes them to a length.
#include "core/schemes/part.h"

#include <fmt/format.h>
#include <utility>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/rope/spectrum.h"
#include "core/scaling/method.h"

namespace ropescope {
namespace {

/// The scheme with the speeds of `line`, pair by pair; which axis turns a pair stays.
RotaryScheme with_speeds(RotaryScheme scheme, const RopeSpec& line) {
    const Spectrum speeds = make_spectrum(line);
    for (Spectrum& head : scheme.heads) {
        for (std::size_t i = 0; i < head.inv_freq_rad.size(); ++i) {
            double& omega = head.inv_freq_rad[i];
            omega =
                omega == 0.0 ? 0.0 : speeds.inv_freq_rad[i / static_cast<std::size_t>(head.axes)];
        }
        head.attention_factor = speeds.attention_factor;
        head.softmax_scale_factor = speeds.softmax_scale_factor;
    }
    return scheme;
}

}  // namespace

Part Part::at_length(Index length) const {
    Part part = *this;
    if (part.spec) {
        part.spec->seq_len = context > 0 ? context : length;
    }
    if (part.spec && depends_on_seq_len(part.spec->scaling)) {
        part.scheme = text_scheme(*part.spec, backwards);
    }
    if (part.shared) {
        part.shared->seq_len = context > 0 ? context : length;
        if (depends_on_seq_len(part.shared->scaling)) {
            part.scheme = with_speeds(std::move(part.scheme), *part.shared);
        }
    }
    return part;
}

Part Part::in_other_layout() const {
    if (!spec) {
        return *this;
    }
    return with_layout(
        *this, spec->layout == Layout::half_split ? Layout::interleaved : Layout::half_split);
}

Part part_of(const RopeSpec& spec, bool backwards) {
    validate(spec);
    return {.spec = spec, .backwards = backwards, .scheme = text_scheme(spec, backwards)};
}

Part part_of(const RotaryScheme& scheme) {
    validate(scheme);
    return {.scheme = scheme};
}

InputError layout_is_fixed(std::string_view model) {
    return InputError(fmt::format(
        "--layout: {} turns in several axes, whose pairs the model itself fixes; leave it out",
        printable(model)));
}

Part with_layout(Part part, Layout layout) {
    if (!part.spec) {
        throw layout_is_fixed(part.model);
    }
    part.spec->layout = layout;
    part.scheme = text_scheme(*part.spec, part.backwards);
    return part;
}

// Negates the frequencies of schemes whose models turn backwards.

RotaryScheme turned_round(RotaryScheme scheme) {
    for (Spectrum& head : scheme.heads) {
        for (double& omega : head.inv_freq_rad) {
            omega = -omega;
        }
    }
    return scheme;
}

RotaryScheme text_scheme(const RopeSpec& spec, bool backwards) {
    return backwards ? turned_round(scheme_of(spec)) : scheme_of(spec);
}

}  // namespace ropescope
