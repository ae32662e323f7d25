// How the curves of the scaling methods look, so that a method looks alike in every view.
#pragma once

#include <string_view>

#include "app/plot/figure.h"

namespace ropescope::figures {

struct MethodLook {
    plot::Role role = plot::Role::dim;
    plot::Dash dash = plot::Dash::none;
};

/// By the method's place in scaling_types(). NTK and dynamic share a line.
MethodLook method_look(std::string_view type);

}  // namespace ropescope::figures
