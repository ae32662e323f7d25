// Turns a mask of ones and zeros into what is added to the scores.
#include "core/attention/mask.h"

#include <fmt/format.h>
#include <limits>

#include "core/base/error.h"

namespace ropescope {

Index queries_of_mask(const std::vector<Index>& shape, Index batch, Index positions,
                      const std::string& origin) {
    using Shape = std::vector<Index>;
    if (shape == Shape{positions} || shape == Shape{batch, positions}) {
        return 1;
    }
    if (shape == Shape{batch, positions, positions}) {
        return positions;
    }
    throw InputError(fmt::format(
        "{}: shape {} does not fit the tokens; [{}], [{}, {}] or [{}, {}, {}] is expected", origin,
        shape_text(shape), positions, batch, positions, batch, positions, positions));
}

AttentionMask make_attention_mask(const TensorBytes& keep, Index batch, Index positions,
                                  const std::string& origin) {
    AttentionMask mask{batch, queries_of_mask(keep.shape, batch, positions, origin), positions, {}};
    const std::vector<float> given = to_f32(keep);
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (!(given[i] >= 0.0F && given[i] <= 1.0F)) {
            throw InputError(fmt::format(
                "{}: value {} at index {}; 1 keeps a key and 0 masks it (the mask is not what is "
                "added to the scores)",
                origin, given[i], i));
        }
    }
    const Index copies = keep.shape.size() == 1 ? batch : 1;
    mask.added.reserve(std::ssize(given) * copies);
    for (Index copy = 0; copy < copies; ++copy) {
        for (const float value : given) {
            mask.added.push_back((1.0F - value) * std::numeric_limits<float>::lowest());
        }
    }
    return mask;
}

}  // namespace ropescope
