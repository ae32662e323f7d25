// The indexer of sparse attention: beside the heads that attend, smaller ones whose scores choose
// the keys. They turn by the same frequencies, on the first channels of heads of their own width,
// and may pair channels in another way.
#pragma once

#include "core/formats/config_object.h"
#include "core/models/model.h"

namespace ropescope {

/// Adds a part "indexer" to a model of assets/families.json's `indexers`. Throws InputError that
/// names the key if index_head_dim is not a width that the pairs fit into.
void append_indexer(const ConfigObject& config, Model& model);

}  // namespace ropescope
