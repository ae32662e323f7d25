// An answer, held to the form that it must have.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/finding.h"
#include "core/diagnosis/rounding.h"
#include "core/probe/request.h"

namespace ropescope::probe {

/// The numbers of an answer, or what stands in their way.
struct Reply {
    const Request* request = nullptr;
    std::optional<diagnosis::Finding> problem = {};  ///< then nothing else is set
    /// Not wider than the request's dtype, and than F32.
    Tensor q_rot = {}, k_rot = {};
    std::optional<Tensor> scores = {};
    std::vector<double> q_values = {}, k_values = {};
    /// The format of the numbers, which may be narrower than their dtype.
    diagnosis::FloatFormat format = {};

    bool usable() const { return !problem; }
    const std::vector<double>& values(bool of_keys) const { return of_keys ? k_values : q_values; }
};

/// Checks outcome, shapes, dtypes and numbers. `request` must outlive the reply.
Reply read_reply(const Request& request, const Answer& answer);

/// A side of the request and the reply, as `diagnose` takes it. Both must outlive the result.
diagnosis::DumpSide dump_side(const Reply& reply, bool of_keys);
diagnosis::DumpPositions stated_positions(const Request& request);
diagnosis::Dump dump_of(const Reply& reply);

}  // namespace ropescope::probe
