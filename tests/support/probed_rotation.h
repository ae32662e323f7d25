// An implementation that a probe may ask: every part of a call can be replaced by a wrong one.
#pragma once

#include <functional>

#include "core/probe/probe.h"
#include "tests/support/emulated_rotation.h"

namespace ropescope::test {

/// What a call does: the right rotation of a side, and perhaps a fault.
struct ProbedCall {
    const probe::Request& request;
    Part subject;
    bool of_keys = false;
    EmulatedRotation rotation = {};

    Index axes() const { return request.axes; }
    Index batch() const { return request.q_shape.batch; }
    Index length() const { return request.q_shape.length; }
    double& position(Index axis, Index b, Index l) {
        return rotation.positions[(axis * batch() + b) * length() + l];
    }
    double stated(Index axis, Index b, Index l) const {
        return request.positions[(axis * batch() + b) * length() + l];
    }
    /// Puts every token where `place(axis, b, l)` says.
    template <typename Place>
    void put(Place place) {
        for (Index a = 0; a < axes(); ++a) {
            for (Index b = 0; b < batch(); ++b) {
                for (Index l = 0; l < length(); ++l) {
                    position(a, b, l) = place(a, b, l);
                }
            }
        }
    }
    /// Takes the frequencies of another spec, and its pairs if its layout or width is another.
    void use_spec(const RopeSpec& spec);
};

using ChangeCall = std::function<void(ProbedCall&)>;

/// Answers every request as the subject says, after `change`. May be null.
probe::Ask implementation(Part subject, ChangeCall change = {});

/// The answer of one call.
probe::Answer answer_call(const Part& subject, const probe::Request& request,
                          const ChangeCall& change);

/// q_rot . k_rot / sqrt(head_dim), times a factor.
Tensor scores_of(const probe::Answer& answer, const probe::Request& request, double factor);

}  // namespace ropescope::test
