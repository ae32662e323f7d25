// Norms beside the rotation in the answers of a probe: what is wrong with them.
#pragma once

#include <optional>
#include <vector>

#include "core/probe/reply.h"

namespace ropescope::probe {

/// The norms that an answer has in place of those that were asked for.
struct WrongNorms {
    Norms norms = {};
    std::vector<diagnosis::Finding> faults = {};
};

/// Empty if the request has no norm, if its norm is right, or if something else is wrong too.
std::optional<WrongNorms> wrong_norms(const Part& subject, const Reply& reply);

/// The numbers of a side of a request as they come out of its norm and the subject's rotation.
std::vector<double> expected_numbers(const Part& subject, const Request& request, bool of_keys);

}  // namespace ropescope::probe
