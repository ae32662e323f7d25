// Chooses a colour and a dash for each scaling method.
#include "app/figures/shared/method_look.h"

#include <algorithm>

#include "core/base/index.h"
#include "core/scaling/scaling.h"

namespace ropescope::figures {

MethodLook method_look(std::string_view type) {
    using plot::Dash;
    using plot::Role;
    constexpr MethodLook kLooks[] = {{Role::dim, Dash::long_dash},
                                     {Role::second, Dash::dashed},
                                     {Role::third, Dash::dash_dot},
                                     {Role::third, Dash::dash_dot},
                                     {Role::first},
                                     {Role::text, Dash::dotted},
                                     {Role::text, Dash::long_dash}};
    const Index place = std::ranges::find(scaling_types(), type) - scaling_types().begin();
    return kLooks[place % std::ssize(kLooks)];
}

}  // namespace ropescope::figures
