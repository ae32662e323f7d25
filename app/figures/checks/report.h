// The checks view as CSV columns and as words.
#pragma once

#include <string>

#include "app/figures/checks/list.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

plot::DataTable checks_data(const CheckList& list);
std::string checks_report(const CheckList& list);

}  // namespace ropescope::figures
