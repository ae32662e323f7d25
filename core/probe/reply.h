// An answer, held to the form that it must have.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/finding.h"
#include "core/diagnosis/rounding.h"
#include "core/probe/request.h"
#include "core/schemes/part.h"

namespace ropescope::probe {

/// The numbers of an answer, or what stands in their way.
struct Reply {
    const Request* request = nullptr;
    std::optional<diagnosis::Finding> problem = {};  ///< then nothing else is set
    /// Not wider than the request's dtype, and than F32.
    Tensor q_rot = {}, k_rot = {};
    std::optional<Tensor> scores = {};
    std::vector<double> q_values = {}, k_values = {};
    /// What the rotation takes and gives: the request and the answer, less a norm beside the
    /// rotation (take_norms()). [q, k]
    std::array<std::vector<double>, 2> before = {};
    /// Of an answer with weights behind its rotation: the same without them, in its dtype.
    std::array<std::optional<Tensor>, 2> unweighted = {};
    double norm_share = 0.0;  ///< of a length, that rounding of the norm adds
    /// The format of the numbers, which may be narrower than their dtype.
    diagnosis::FloatFormat format = {};

    bool usable() const { return !problem; }
    const std::vector<double>& values(bool of_keys) const { return of_keys ? k_values : q_values; }
    const std::vector<double>& taken(bool of_keys) const { return before[of_keys ? 1 : 0]; }
};

/// Checks outcome, shapes, dtypes and numbers. `request` must outlive the reply.
Reply read_reply(const Request& request, const Answer& answer);

/// The norms of q and k; empty without one.
struct Norms {
    std::optional<diagnosis::SideNorm> q = {}, k = {};
    double extra_share = 0.0;  ///< of a length, that a coarse norm adds to its rounding
};

/// Takes the norms from the numbers of a reply, so that the rotation is left between them. A norm
/// behind the rotation is that of the subject's rotation.
void take_norms(const Part& subject, const Norms& norms, Reply& reply);

/// A side of the rotation in the reply, as `diagnose` takes it; it must outlive the result.
diagnosis::DumpSide dump_side(const Reply& reply, bool of_keys);
diagnosis::DumpPositions stated_positions(const Request& request);
/// The request and the reply as they are, with the norms that were asked for.
diagnosis::Dump dump_of(const Reply& reply);

}  // namespace ropescope::probe
