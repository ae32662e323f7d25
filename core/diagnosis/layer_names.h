// Which tensors of a file belong to which layer, by their names alone.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/index.h"

namespace ropescope::diagnosis {

/// The tensors of one layer.
struct LayerNames {
    Index number = 0;
    std::map<std::string, std::string> names = {};  ///< "q" is "layers.3.q"
};

/// The layers of a file, by number; empty if its tensors are those of one dump. The number of a
/// layer stands in front of the name that a dump gives a tensor ("layers.3.q", "3.attn.q_rot") or
/// behind it ("q.3"), parted by '.', '/' or '_'. `mapped` is what the user calls the tensors: a *
/// stands for the number ("blk.*.Qcur"). Positions without a number belong to all layers. Throws
/// InputError that begins with `origin`: for a layer with a tensor before the rotation and not
/// behind it, two tensors for one place, and tensors with and without layers side by side.
std::vector<LayerNames> layers_among(std::span<const std::string> names,
                                     const std::map<std::string, std::string>& mapped,
                                     const std::string& origin);

}  // namespace ropescope::diagnosis
