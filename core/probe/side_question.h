// One side of an answer that is wrong, and rules that look for the fault in it.
// Sources: side_question.cpp, left_alone.cpp, place_rules.cpp, coarse_angles.cpp.
#pragma once

#include <optional>

#include "core/probe/request_faults.h"

namespace ropescope::probe {

constexpr diagnosis::Side side_of(bool of_keys) {
    return of_keys ? diagnosis::Side::k : diagnosis::Side::q;
}

/// One side of an answer and the rotation that it should be.
struct SideQuestion {
    const Question& asked;
    bool of_keys = false;
    faults::RotationPlan plan = {};

    const Request& request() const { return *asked.reply.request; }
    const SideBehaviour& behaviour() const { return asked.behaviour.of(of_keys); }
    /// One token a row: a step of a decoder.
    bool is_step() const { return request().q_shape.length == 1; }
    diagnosis::Finding fault(std::string code, diagnosis::Words words) const {
        return {.code = std::move(code), .words = std::move(words), .place = {side()}};
    }
    diagnosis::Side side() const { return side_of(of_keys); }
};

/// Angles of the side with the pairs that it has otherwise.
diagnosis::Explanation turns_of(const SideQuestion& side);

/// All tokens, or some of those in a row, come back as they are, and the others are right.
std::optional<diagnosis::Finding> left_alone(const SideQuestion& side);

/// Positions are kept by a rule that cannot hold them all (faults::storage_rules()).
std::optional<diagnosis::Finding> ruled_positions(const SideQuestion& side);

/// Angles that are nearly right, and the less so the larger they are, where all else is right: the
/// lengths of the pairs, and the channels of none.
std::optional<diagnosis::Finding> coarse_angles(const SideQuestion& side);

}  // namespace ropescope::probe
