// Chooses inputs that tell the faults of implementations apart.
// Sources: requests.cpp, text_requests.cpp, axes_requests.cpp, common_requests.cpp.
#pragma once

#include <optional>
#include <vector>

#include "core/probe/request.h"
#include "core/schemes/part.h"

namespace ropescope::probe {

inline constexpr std::size_t kMostRequests = 64;
/// Positions that requests reach if the model does not end them earlier.
inline constexpr Index kFarthest = 131071;

struct Settings {
    /// Of the requests whose point is the dtype; all others are in the first of them.
    std::vector<Dtype> dtypes = {Dtype::f32, Dtype::f16, Dtype::bf16};
    /// Positions below 0, which the shift of a cache needs and a table does not have.
    bool negative = false;
    /// Largest position of a request; if not given, the last one that the model was trained for, at
    /// most kFarthest.
    std::optional<Index> max_position = {};
};

/// At most kMostRequests, the one that says most first. The same on every machine.
std::vector<Request> make_requests(const Part& subject, const Settings& settings = {});

}  // namespace ropescope::probe
