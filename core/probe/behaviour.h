// What an implementation does, as its first answer shows: the right thing, or something else that
// its other answers are then compared with, so that each fault is found once.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/explanation.h"
#include "core/faults/rotation/catalogue.h"
#include "core/probe/reply.h"
#include "core/schemes/part.h"
#include "core/vectors/rotation_case.h"

namespace ropescope::probe {

/// How q or k is turned.
struct SideBehaviour {
    /// expected: as the model says; fault: a known fault explains it; recovered: as the angles say;
    /// still: it does not turn; unknown: no explanation, so that nothing more can be said.
    enum class Kind { expected, fault, recovered, still, unknown } kind = Kind::expected;
    const faults::RotationFault* fault = nullptr;
    std::optional<diagnosis::Explanation> explanation = {};  ///< of recovered
    std::optional<Dtype> table = {};                         ///< F16 or BF16
    /// The largest position that the recovered frequencies are exact for.
    Index reach = kMaxPosition;
    /// [pairs], radians per position: how far recovered frequencies may be off that are no
    /// formula's but were measured. Empty if they are exact.
    std::vector<double> speed_error = {};
};

struct Behaviour {
    SideBehaviour q = {}, k = {};
    const SideBehaviour& of(bool of_keys) const { return of_keys ? k : q; }
};

/// `subject` as `diagnose` takes it, in a sequence of `reach` positions.
diagnosis::Expectation expectation_of(const Part& subject, Index reach);
/// The rotation that the model asks for.
faults::RotationPlan expected_plan(const Part& subject, const Request& request, bool of_keys);
/// The rotation that a side of the implementation makes of a request.
faults::RotationPlan plan_of_side(const Part& subject, const Request& request, bool of_keys,
                                  const SideBehaviour& side);

/// How far an answer is from a plan.
struct Difference {
    Index off = 0, numbers = 0;
    double worst_in_tolerances = 0;
    bool none() const { return off == 0; }
};
Difference difference_from(const Reply& reply, bool of_keys, const faults::RotationPlan& plan,
                           std::optional<Dtype> table);
/// The same with frequencies that are known within the error of each pair alone.
Difference difference_from(const Reply& reply, bool of_keys, const faults::RotationPlan& plan,
                           std::optional<Dtype> table, std::span<const double> speed_error);
/// How far each number of an answer may be from what the plan gives.
std::vector<double> allowance(const Reply& reply, bool of_keys, const faults::RotationPlan& plan,
                              std::optional<Dtype> table, std::span<const double> speed_error = {});

/// Whether an answer is as the model says in the allowance of `diagnose --expect`, which knows
/// tables of fixed point and the fast sines of GPUs. No answer is wrong here that is right there.
bool held_as_expected(const Part& subject, const Reply& reply);

/// How far both sides of an answer are from what the model says, within the rounding of the
/// implementation's table; nothing is off if held_as_expected().
Difference difference_from_model(const Part& subject, const Reply& reply,
                                 const Behaviour& behaviour);

/// A fault whose plan gives the answer of a side.
std::vector<const faults::RotationFault*> matching_faults(const Part& subject, const Reply& reply,
                                                          bool of_keys,
                                                          const faults::RotationPlan& right,
                                                          std::optional<Dtype> table);

/// What the reply to the first request shows.
Behaviour behaviour_of(const Part& subject, const Reply& reply);

}  // namespace ropescope::probe
