// How the views draw and name the ways to know positions, so that each looks alike everywhere.
#pragma once

#include <string_view>
#include <vector>

#include "app/plot/figure.h"

namespace ropescope::figures {

struct EncodingLook {
    std::string_view id;    ///< as tools/train-demo/positions.py names it
    std::string_view name;  ///< for people
    plot::Role role = plot::Role::dim;
    plot::Dash dash = plot::Dash::none;
};
/// All that the views know, RoPE first.
const std::vector<EncodingLook>& encoding_looks();
/// The id must be one of them.
const EncodingLook& encoding_look(std::string_view id);

}  // namespace ropescope::figures
