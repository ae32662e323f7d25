// Chooses inputs that tell the faults of implementations apart.
// Sources: requests.cpp, text_requests.cpp, axes_requests.cpp, common_requests.cpp.
#pragma once

#include <vector>

#include "core/probe/request.h"
#include "core/probe/subject.h"

namespace ropescope::probe {

inline constexpr std::size_t kMostRequests = 64;

struct Settings {
    /// Of the requests whose point is the dtype; all others are in the first of them.
    std::vector<Dtype> dtypes = {Dtype::f32, Dtype::f16, Dtype::bf16};
    /// Positions below 0, which the shift of a cache needs and a table does not have.
    bool negative = false;
};

/// At most kMostRequests, the one that says most first. The same on every machine.
std::vector<Request> make_requests(const Subject& subject, const Settings& settings = {});

}  // namespace ropescope::probe
