// The parameters of the attention view: the opened head, what its map shows, and the encoder whose
// attention it is.
#pragma once

#include <vector>

#include "app/scene/parameters.h"

namespace ropescope {

std::vector<Parameter> attention_parameters();

}  // namespace ropescope
