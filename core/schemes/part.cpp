// Makes parts of embeddings, and takes them to a length.
#include "core/schemes/part.h"

#include "core/schemes/direction.h"

namespace ropescope {

Part Part::at_length(Index length) const {
    Part part = *this;
    if (part.spec) {
        part.spec->seq_len = length;
    }
    if (part.spec && depends_on_seq_len(part.spec->scaling)) {
        part.scheme = text_scheme(*part.spec, backwards);
    }
    return part;
}

Part part_of(const RopeSpec& spec, bool backwards) {
    validate(spec);
    return {.spec = spec, .backwards = backwards, .scheme = text_scheme(spec, backwards)};
}

Part part_of(const RotaryScheme& scheme) {
    validate(scheme);
    return {.scheme = scheme};
}

}  // namespace ropescope
