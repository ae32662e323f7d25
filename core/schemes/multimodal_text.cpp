// Gives the pairs of a language model's spectrum to time, height and width.
#include "core/schemes/multimodal_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

#include "core/base/error.h"
#include "core/schemes/bands.h"

namespace ropescope {
namespace {

std::string text(const Sections& sections) {
    return fmt::format("t {}, h {}, w {}", sections.t, sections.h, sections.w);
}

void validate(const Sections& sections, SectionOrder order, Index pairs) {
    if (sections.t < 0 || sections.h < 0 || sections.w < 0 || sections.sum() != pairs) {
        throw InputError(
            fmt::format("mrope_section: {} make {} pairs; this model turns {}, give "
                        "sections that add up to them",
                        text(sections), sections.sum(), pairs));
    }
    if (order == SectionOrder::space_first && sections.h != sections.w) {
        throw InputError(
            fmt::format("mrope_section: {}; height and width take pairs by turns, give "
                        "both as many",
                        text(sections)));
    }
    // Source: apply_interleaved_mrope, where slice(axis, 3 sections[axis], 3) chooses the pairs.
    if (order == SectionOrder::cyclic && (sections.h > (pairs + 1) / 3 || sections.w > pairs / 3)) {
        throw InputError(
            fmt::format("mrope_section: {}; one pair of three is for each axis, give h "
                        "at most {} and w at most {} of {} pairs",
                        text(sections), (pairs + 1) / 3, pairs / 3, pairs));
    }
}

Index axis_of_pair(const Sections& sections, SectionOrder order, Index pair) {
    switch (order) {
        case SectionOrder::bands:
            return pair < sections.t ? kTime : pair < sections.t + sections.h ? kHeight : kWidth;
        case SectionOrder::cyclic:
            return pair % 3 == kHeight && pair < 3 * sections.h  ? kHeight
                   : pair % 3 == kWidth && pair < 3 * sections.w ? kWidth
                                                                 : kTime;
        case SectionOrder::space_first:
            break;
    }
    return pair >= sections.h + sections.w ? kTime : pair % 2 == 0 ? kHeight : kWidth;
}

}  // namespace

std::vector<Index> axis_of_pairs(const Sections& sections, SectionOrder order, Index pairs) {
    validate(sections, order, pairs);
    std::vector<Index> axes;
    for (Index i = 0; i < pairs; ++i) {
        axes.push_back(axis_of_pair(sections, order, i));
    }
    return axes;
}

namespace {

/// The spec's speeds, each pair's on its axis.
RotaryScheme with_axes_of_pairs(std::string id, const RopeSpec& spec,
                                const std::vector<Index>& axis_of_pair,
                                const MultimodalRule& positions) {
    const Spectrum line = make_spectrum(spec);
    Spectrum spectrum = by_axis_of_pair(positions.axes(), line.inv_freq_rad, axis_of_pair);
    spectrum.attention_factor = line.attention_factor;
    spectrum.softmax_scale_factor = line.softmax_scale_factor;
    return {.id = std::move(id),
            .head_dim = spec.head_dim,
            .axes = axis_names(positions),
            .heads = {std::move(spectrum)},
            .pairs = channel_pairs(spec.layout, spec.rotary_dim),
            .positions = positions};
}

}  // namespace

RotaryScheme multimodal_text(std::string id, const RopeSpec& spec, const Sections& sections,
                             SectionOrder order, const MultimodalRule& positions) {
    return with_axes_of_pairs(std::move(id), spec, axis_of_pairs(sections, order, spec.pairs()),
                              positions);
}

RotaryScheme four_axes_text(std::string id, const RopeSpec& spec, std::span<const Index> sections,
                            const MultimodalRule& positions) {
    std::vector<Index> axis_of_pair;
    for (Index axis = 0; axis < std::ssize(sections); ++axis) {
        axis_of_pair.insert(axis_of_pair.end(), sections[axis], axis);
    }
    if (std::ssize(axis_of_pair) != spec.pairs()) {
        throw InputError(fmt::format(
            "xdrope_section: [{}] make {} pairs; this model turns {}, give sections that add up to "
            "them",
            fmt::join(sections, ", "), axis_of_pair.size(), spec.pairs()));
    }
    return with_axes_of_pairs(std::move(id), spec, axis_of_pair, positions);
}

}  // namespace ropescope
