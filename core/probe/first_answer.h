// What the first answer shows: how the implementation turns, and what is wrong with that.
#pragma once

#include <optional>
#include <span>

#include "core/diagnosis/diagnosis.h"
#include "core/probe/behaviour.h"
#include "core/probe/reply_norm.h"

namespace ropescope::probe {

struct FirstAnswer {
    Behaviour behaviour = {};
    diagnosis::Diagnosis diagnosis = {};  ///< of this answer, mismatches with the model among it
    std::optional<Norms> norms = {};      ///< other ones than were asked for
};

/// `answered` are the replies that can be compared. The first of them is that to the first request;
/// the others tell explanations apart that it leaves open.
FirstAnswer explain_first(const Part& subject, std::span<const Reply* const> answered);

}  // namespace ropescope::probe
