// An embedding of the library for C with an owner.
#pragma once

#include <memory>

#include "library/ropescope.h"

namespace ropescope {

struct Freed {
    void operator()(ropescope_embedding* embedding) const { ropescope_free(embedding); }
};
using Held = std::unique_ptr<ropescope_embedding, Freed>;

}  // namespace ropescope
