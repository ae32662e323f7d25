// The views, each by a function that describes it. Sources: */view.cpp; views.cpp lists them.
#pragma once

#include "app/figures/view.h"

namespace ropescope::figures {

View rotation_view();
View spectrum_view();
View table_view();
View layouts_view();
View scores_view();
View decay_view();
View precision_view();
View absolute_view();
View context_view();
View model_view();
View attention_view();
View stretch_view();
View axes_view();
View positions_view();
View diagnose_view();
View checks_view();

}  // namespace ropescope::figures
